"""The form of the words for one problem."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """The words for one code. `action` is a machine code that a front end turns into a button or command."""

    title: str
    advice: str
    action: str = "none"
    fuller: str = ""

"""The transcript for screen readers: a list of messages with their text, and their buttons by name."""

from __future__ import annotations


def install() -> None:
    """Tell Qt about it, once."""

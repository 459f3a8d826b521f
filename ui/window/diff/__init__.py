"""The painted diff: pieces of a file's change, unified or side by side, each to be taken or left."""

from __future__ import annotations

from ui.window.diff.view import DiffView

__all__ = ["DiffView"]

"""Files as a tool may touch them.

`FileReader` reads, `Files` reads and changes, both behind the gate of one call.
"""

from __future__ import annotations

from app.capabilities.files_changing import Files
from app.capabilities.files_reading import FileReader
from app.capabilities.files_world import FileWorld

__all__ = ["FileReader", "FileWorld", "Files"]

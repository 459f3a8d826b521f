"""Calls document tools over a desk with a real journal, as a conversation would."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import cast

from app.capabilities.call_site import CallSite
from app.capabilities.context import Contexts
from app.capabilities.everyday import Everyday
from app.capabilities.gate import Gate
from app.changes.snapshot import Snapshots
from tests.capabilities.files_desk import Desk
from tests.tools.files.test_file_tools import Caller
from tools import ReadContext, ToolContext

OFFICE = Path(__file__).parents[2] / "cases" / "office"
"""Files that LibreOffice 7.4 made of the flat sources beside them."""


class DocumentCaller(Caller):
    """Every question is answered as the desk says."""

    def __init__(self, desk: Desk, spill: Path) -> None:
        super().__init__(desk, spill)
        self.everyday = Everyday(cast(Contexts, None), Snapshots(desk.world.journal))

    def _context(self, gate: Gate, site: CallSite) -> ReadContext | ToolContext:
        return self.everyday.added(super()._context(gate, site), gate, site)

    def bring(self, name: str, to: str = "") -> Path:
        """Copy one of the office files into the folder."""
        return Path(shutil.copy(OFFICE / name, self.desk.folder / (to or name)))

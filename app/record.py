"""The base of all records that cross folders and threads."""

from __future__ import annotations

from typing import dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True):
    """Immutable, JSON by msgspec; keyword only but for lines of a diff (kw_only is not inherited)."""

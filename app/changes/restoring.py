"""Plan to bring back what was trashed from a path, or an earlier version of the file that stands there."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.changes import arranging, shifts
from app.changes.arranging import SHOWN, Arranged, Places
from app.changes.diff import file_diff
from app.changes.plan import Planned
from app.errors import ToolError
from app.platform import filesystem, trash, trees
from app.records import ChangeInfo
from app.store.journal import JournaledFile

LISTED = 12


@dataclass(frozen=True)
class Versions:
    """What the journal knows of a path, newest first, and how a content is read by its hash."""

    rows: Sequence[tuple[ChangeInfo, JournaledFile]]
    content: Callable[[str], bytes]


@dataclass(frozen=True)
class _Version:
    """One thing that can be brought back: from the trash (`slot`), or the content that a change kept."""

    id: str
    when: float
    what: str
    slot: trash.Slot | None = None
    row: JournaledFile | None = None


def restore(path: str, version: str, found: Versions, places: Places) -> Arranged:
    """Plan it. Without a version: the newest of the trash, else the only earlier version there is.

    Raises ToolError (not_found, not_unique) that lists what there is.
    """
    real = places.entry(path)
    arranging.refuse_system(real)
    there = _versions(real, found, places)
    chosen = _named(version, there, real, path) if version else _only(there, real, path)
    if chosen.slot is not None and not os.path.lexists(real):
        return _from_trash(real, path, chosen.slot, places)
    if chosen.row is not None and chosen.row.before is not None:
        return _content(places.resolve(path), chosen, found)
    if chosen.slot is not None:
        words = f"{path} exists, so nothing can come back to its place. Move it away first."
    else:
        words = f"Before the change {chosen.id} there was no {path}."
    raise arranging.refused("bad_arguments", words, path)


def _versions(real: str, found: Versions, places: Places) -> list[_Version]:
    versions: list[_Version] = []
    slots: set[str] = set()
    for change, row in found.rows:
        alive = row.way == "trashed" and trees.ident(row.slot) == row.ident
        slot = trash.slot_at(row.slot) if alive else None
        if alive:
            slots.add(row.slot)
        what = "in the trash" if alive else f"as it was before {change.tool}"
        if alive or row.way in ("", "trashed") or (row.way == "sent" and row.kind == "file"):
            versions.append(_Version(change.id, change.made, what, slot, row))
    for folder in trash.trashes(real, places.trash):
        for item in trash.items(folder):
            if item.path == real and item.slot.place not in slots:
                versions.append(
                    _Version(f"trash:{item.slot.name}", _seconds(item.deleted), "in the trash", item.slot)
                )
    return sorted(versions, key=lambda one: one.when, reverse=True)


def _seconds(date: str) -> float:
    try:
        return datetime.datetime.fromisoformat(date).timestamp()
    except ValueError:
        return 0.0


def _only(there: list[_Version], real: str, named: str) -> _Version:
    if not os.path.lexists(real):
        trashed = [one for one in there if one.slot is not None]
        kept = [one for one in there if one.row is not None and one.row.before is not None]
        if trashed or kept:
            return (trashed or kept)[0]
        raise ToolError(
            "not_found", f"Nothing was trashed from {named}, as far as is known here.", path=named
        )
    kept = [one for one in there if one.row is not None and one.row.before is not None]
    if len(kept) == 1:
        return kept[0]
    if not kept:
        raise ToolError("not_found", f"No earlier version of {named} is kept.", path=named)
    raise ToolError("not_unique", f"Give one of these versions of {named}:\n{_listed(there)}", path=named)


def _named(version: str, there: list[_Version], real: str, named: str) -> _Version:
    for one in there:
        if one.id == version or one.id == f"trash:{version}":
            return one
    moment = _seconds(version)
    if moment:  # as it was then: before the first change after it
        later = [one for one in there if one.row is not None and one.when > moment]
        if later:
            return later[-1]
    listed = f" There are:\n{_listed(there)}" if there else ""
    raise ToolError("not_found", f"There is no version {version} of {named}.{listed}", path=named)


def _listed(there: Sequence[_Version]) -> str:
    lines = [
        f"{one.id}  {datetime.datetime.fromtimestamp(one.when).isoformat(' ', 'seconds')}  {one.what}"
        for one in there[:LISTED]
    ]
    return "\n".join([*lines, *(["..."] if len(there) > LISTED else [])])


def _from_trash(real: str, named: str, slot: trash.Slot, places: Places) -> Arranged:
    found = trees.survey(slot.place, places.stopped)
    shift = shifts.of("restored", real, found, slot=slot.place)
    if found.kind == "file" and found.size <= SHOWN:
        diff = file_diff(real, places.shown(real), None, filesystem.read(slot.place))
    else:
        diff = arranging.entry_diff("new", real, found, places)
    below = arranging.moved_to(real, slot.place, arranging.every_path(slot.place, found))
    return Arranged((*arranging.parents(real, named), shift), (diff,), below=below)


def _content(real: str, chosen: _Version, found: Versions) -> Arranged:
    row = chosen.row
    assert row is not None and row.before is not None
    standing = filesystem.status(real)
    if standing.kind not in ("file", "missing"):
        raise arranging.refused("bad_arguments", f"{real} is no file any more.", real)
    before = filesystem.read(real) if standing.kind == "file" else None
    planned = Planned(
        real,
        before,
        found.content(row.before),
        mode=row.before_mode if before is None else None,
        before_mode=standing.mode if before is not None else None,
        links=standing.links or 1,
    )
    return Arranged(contents=(planned,), below=(real,))

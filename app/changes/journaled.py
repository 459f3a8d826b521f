"""Steps as rows of the journal, and rows as steps again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from app.changes import shifts
from app.changes.apply import AnyStep, ChangedSince, Step, temporary
from app.changes.shifts import Shift, Way
from app.errors import ToolError
from app.platform import filesystem, trash, trees
from app.platform.filesystem import Kind
from app.store import blobs
from app.store.journal import JournaledFile


def rows_of(folder: Path, steps: Sequence[AnyStep]) -> list[JournaledFile]:
    """Put the contents of both sides on disk below `folder` and return the rows. Raises StoreError."""
    return [_shifted(folder, one) if isinstance(one, Shift) else _written(folder, one) for one in steps]


def _written(folder: Path, step: Step) -> JournaledFile:
    mode = step.before_mode if step.mode is None else step.mode
    return JournaledFile(
        path=step.path,
        before=blobs.put(folder, step.before) if step.before is not None else None,
        after=blobs.put(folder, step.after) if step.after is not None else None,
        before_size=len(step.before or b""),
        after_size=len(step.after or b""),
        before_mode=step.before_mode,
        after_mode=None if step.after is None else mode,
        old_path=step.source,
    )


def _shifted(folder: Path, shift: Shift) -> JournaledFile:
    kept = shift.before is not None
    return JournaledFile(
        path=shift.path,
        before=blobs.put(folder, shift.before) if shift.before is not None else None,
        before_size=len(shift.before or b""),
        before_mode=shift.mode if kept else None,
        after_mode=shift.mode,
        old_path=shift.source if shift.way == "moved" else shift.origin,
        way=shift.way,
        kind=shift.kind,
        slot=shift.source if shift.way == "made" else shift.slot,
        ident=shift.ident,
        print=shift.print,
        items=shift.items,
        size=shift.size,
    )


def shift_of(row: JournaledFile, before: bytes | None = None) -> Shift:
    """Return the step of a row whose `way` is set; `before` is the content that the journal keeps of it."""
    made = row.way == "made"
    return Shift(
        cast(Way, row.way),
        row.path,
        cast(Kind, row.kind or "file"),
        source=row.slot if made else row.old_path,
        slot="" if made else row.slot,
        ident=row.ident,
        print=row.print,
        items=row.items,
        size=row.size,
        mode=row.after_mode or 0,
        before=before,
    )


def groups(rows: Sequence[JournaledFile]) -> Iterator[JournaledFile | list[JournaledFile]]:
    """Yield moves one by one, and contents that follow each other together."""
    run: list[JournaledFile] = []
    for row in rows:
        if not row.way:
            run.append(row)
            continue
        if run:
            yield run
            run = []
        yield row
    if run:
        yield run


class Notes:
    """What a change has to note before it makes itself ready: names that it will take in the trash."""

    def __init__(self, now: float, home_trash: str) -> None:
        self.now = now
        self.home_trash = home_trash
        self._chosen: dict[int, tuple[Iterator[trash.Slot], Shift]] = {}

    def choose(self, steps: Sequence[AnyStep]) -> list[AnyStep]:
        """Return the steps with a free place in the trash for each that goes there. Raises OSError."""
        slots: dict[tuple[int, int], str] = {}
        chosen: list[AnyStep] = []
        for number, step in enumerate(steps):
            if isinstance(step, Shift) and step.way == "trashed":
                step = self._chosen_for(number, step)
                slots[step.ident] = step.slot
            elif isinstance(step, Shift) and step.way == "restored" and not step.slot:
                step = replace(step, slot=slots[step.ident])  # what an earlier step has put there
            chosen.append(step)
        return chosen

    def _chosen_for(self, number: int, step: Shift) -> Shift:
        if number not in self._chosen:
            folder = trash.folder_for(step.path, self.home_trash)
            self._chosen[number] = (trash.free_slots(folder, os.path.basename(step.path)), step)
        slots, _ = self._chosen[number]
        taken = {shift.slot for other, (_, shift) in self._chosen.items() if other != number}
        slot = next(slot for slot in slots if slot.place not in taken)
        info = trash.info_text(step.path, slot.folder, self.now)
        self._chosen[number] = (slots, replace(step, slot=slot.place, info=info))
        return self._chosen[number][1]


def make_ready(steps: Sequence[AnyStep], tag: str, stopped: trees.Stopped) -> list[AnyStep]:
    """Write what is to be made beside its place and take the names in the trash. Raises OSError.

    FileExistsError names a place in the trash that another process has taken meanwhile. What was made ready
    is cleared away when something fails.
    """
    ready: list[AnyStep] = []
    try:
        for number, step in enumerate(steps):
            if isinstance(step, Shift) and step.way == "made":
                ready.append(_staged(step, tag, number, stopped))
            elif isinstance(step, Shift) and step.way == "trashed":
                trash.reserve(trash.slot_at(step.slot), step.info)
                ready.append(step)
            else:
                ready.append(step)
    except (OSError, ChangedSince, ToolError):
        clear_away(ready)
        raise
    return ready


def _staged(step: Shift, tag: str, number: int, stopped: trees.Stopped) -> Shift:
    assert step.make is not None
    _must_be_as_shown(step)
    folder = filesystem.nearest_folder(os.path.dirname(step.path))
    place = os.path.join(folder, temporary(f"{tag}-made", number))
    try:
        step.make(place, stopped)
    except BaseException:
        trees.remove(place)
        raise
    found = trees.survey(place)
    try:
        _must_be_as_shown(step)
    except ChangedSince:
        trees.remove(place)
        raise
    return replace(
        step, source=place, ident=found.ident, print=found.print, kind=found.kind, items=found.items,
        size=found.size, mode=found.mode,
    )  # fmt: skip


def _must_be_as_shown(step: Shift) -> None:
    """Raise ChangedSince where the original of a copy is not what the question showed."""
    if step.expects and trees.survey(step.origin).print != step.expects:
        raise ChangedSince([step.origin])


def clear_away(steps: Sequence[AnyStep]) -> None:
    """Clear away what was made ready and is not used."""
    for step in steps:
        if isinstance(step, Shift):
            shifts.discard(step)


def staging_folders(steps: Sequence[AnyStep]) -> set[str]:
    """Return the folders in which temporary files may be left by a kill."""
    found = set()
    for step in steps:
        folder = os.path.dirname(step.path)
        found |= {folder, filesystem.nearest_folder(folder)}
    return found

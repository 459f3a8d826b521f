"""The way back over changes: the steps that bring files to where they were, and what keeps them from it.

The steps are worked out against a view of the disk as the steps before them leave it, so that a turn that
edited, moved and trashed one file is taken back as one change.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.changes import diff, sending, shifts
from app.changes.apply import AnyStep, Step, content
from app.changes.arranging import KEPT
from app.changes.journaled import groups, shift_of
from app.changes.merging import merged
from app.changes.shifts import Shift
from app.errors import ToolError
from app.platform import filesystem, trees
from app.records import Choice, FileConflict, FileDiff
from app.store import blobs
from app.store.journal import JournaledFile

_TRASH = ("trashed", "restored")


@dataclass
class View:
    """The disk as it will be after the steps so far."""

    pending: list[Shift] = field(default_factory=list)
    written: dict[str, bytes | None] = field(default_factory=dict)
    """By where the file stands now: what it will hold."""

    def place(self, path: str) -> str | None:
        """Return where what will stand at a path stands now, None where it will be gone."""
        for shift in reversed(self.pending):
            if shift.way in ("folder", "unfolder"):
                continue
            rest = _below(path, _place_after(shift))
            if rest is not None:
                path = _place_before(shift) + rest
            elif _below(path, _place_before(shift)) is not None:
                return None
        return path

    def content(self, path: str) -> bytes | None:
        """Return what the file will hold."""
        place = self.place(path)
        if place is None:
            return None
        return self.written[place] if place in self.written else content(place)

    def stands(self, path: str) -> bool:
        """Whether anything will stand there."""
        place = self.place(path)
        if place is None:
            return False
        if place in self.written:
            return self.written[place] is not None
        gone = any(shift.way == "unfolder" and shift.path == path for shift in self.pending)
        made = any(shift.way == "folder" and shift.path == path for shift in self.pending)
        return made or (os.path.lexists(place) and not gone)


def _place_before(shift: Shift) -> str:
    return shift.leaves or _unchosen(shift)


def _place_after(shift: Shift) -> str:
    return shift.enters or _unchosen(shift)


def _unchosen(shift: Shift) -> str:
    """Stand for a place in the trash that is chosen once the change is written down."""
    return f"\0{shift.ident}"


def _below(path: str, folder: str) -> str | None:
    if path == folder:
        return ""
    return path[len(folder) :] if path.startswith(folder + os.sep) else None


@dataclass
class _Way:
    """How one file came from `start` to `end` over the changes that are taken back, newest first."""

    end: JournaledFile
    start: JournaledFile
    broken: bool = False
    """Whether somebody wrote to the file between two of the changes."""


@dataclass
class Return:
    """Works out the way back. `folder` holds the contents by hash."""

    folder: Path
    choices: Mapping[str, Choice]
    view: View = field(default_factory=View)
    steps: list[AnyStep] = field(default_factory=list)
    conflicts: list[FileConflict] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    """Where something changes on the way back, by where it stands now."""
    written_at: dict[int, str] = field(default_factory=dict)
    """Where the file of a step with contents, by its number, stands now."""
    linked: bool = False
    """Whether a file with several names changes: what holds its other names changes too."""

    def over(self, rows: Sequence[JournaledFile]) -> None:
        """Go back over rows, newest first. Reads the disk. Raises StoreError, ToolError (encoding)."""
        for group in groups(rows):
            if isinstance(group, list):
                self._contents(group)
            else:
                self._shift(group)

    def _kept(self, sha: str | None) -> bytes | None:
        return blobs.get(self.folder, sha) if sha else None

    # --- contents ------------------------------------------------------------------------------------------

    def _contents(self, rows: Sequence[JournaledFile]) -> None:
        ways: dict[str, _Way] = {}
        for row in rows:
            way = ways.get(row.path)
            if way is None:
                ways[row.path] = _Way(row, row)
            else:
                way.broken = way.broken or row.after != way.start.before
                way.start = row
        moved = {way.start.old_path: path for path, way in ways.items() if way.start.old_path}
        for path, way in ways.items():
            made = self._content_step(path, way, moved.get(path, ""))
            if made is not None:
                self._add(made)

    def _content_step(self, path: str, way: _Way, source: str) -> Step | None:
        now, before = self.view.content(path), self._kept(way.start.before)
        after = self._kept(way.end.after)
        wanted = before
        if now != after or way.broken:
            choice = self.choices.get(path)
            both = None if way.broken else merged(after, now, before)
            if choice is None or (choice == "merged" and both is None):
                self._refuse_with(_conflict(path, before, after, now, both))
                return None
            if choice == "mine":
                return None
            wanted = both if choice == "merged" else before
        elif self.choices.get(path) == "mine":
            return None
        place = self.view.place(path)
        current = filesystem.status(place).mode if now is not None and place is not None else None
        mode = way.start.before_mode
        if before is None or (now is not None and way.end.after_mode == way.start.before_mode):
            mode = None  # no mode to set, or one that the changes left alone
        if wanted == now and (mode is None or mode == current):
            return None
        if place is not None and filesystem.status(place).links > 1:
            self.linked = True
        return Step(path, now, wanted, current, mode, source if now is None else "")

    def _keep_the_file(self, shift: Shift) -> None:
        """See that contents written before a file moves go into that very file, which the move knows."""
        place = self.view.place(_place_before(shift))
        for number, step in enumerate(self.steps):
            if isinstance(step, Step) and place is not None and self.written_at.get(number) == place:
                self.steps[number] = replace(step, keep=True)

    # --- whole files and folders ---------------------------------------------------------------------------

    def _shift(self, row: JournaledFile) -> None:
        for step in self._back(row):
            self._add(step)

    def _add(self, step: AnyStep) -> None:
        self.steps.append(step)
        places = (step.path, step.leaves, step.enters) if isinstance(step, Shift) else (step.path,)
        self.touched |= {place for path in places if path and (place := self._stands_at(path))}
        if isinstance(step, Shift):
            self._keep_the_file(step)
            self.view.pending.append(step)
        else:
            place = self.view.place(step.path) or step.path
            self.view.written[place] = step.after
            self.written_at[len(self.steps) - 1] = place

    def _back(self, row: JournaledFile) -> list[AnyStep]:
        if self.choices.get(row.path) == "mine":
            return []
        match row.way:
            case "moved":
                return self._moved_back(row)
            case "trashed":
                return self._out_of_trash(row)
            case "sent":
                return self._kept_anew(row)
            case "made" | "restored":
                return self._into_trash(row)
            case "folder":
                return self._unmade(row)
            case _:
                return [] if self.view.stands(row.path) else [replace(shift_of(row), way="folder")]

    def _unmade(self, row: JournaledFile) -> list[AnyStep]:
        """Take a new folder away, if nothing will stand in it; its mode is kept for the way back."""
        place = self.view.place(row.path)
        if place is None or not self.view.stands(row.path):
            return []
        return [replace(shift_of(row), way="unfolder", mode=filesystem.status(place).mode)]

    def _found(self, path: str) -> trees.Survey:
        place = self.view.place(path)
        return trees.survey(place) if place is not None else trees.Survey("missing")

    def _moved_back(self, row: JournaledFile) -> list[AnyStep]:
        found = self._found(row.path)
        same = found.ident == row.ident or self._holds_the_same(row, found)
        if found.kind == "missing" or not (same or self.choices.get(row.path) == "before"):
            return self._refuse(row, found)
        return self._to_free_place(
            row, row.old_path, shifts.of("moved", row.old_path, found, source=row.path)
        )

    def _out_of_trash(self, row: JournaledFile) -> list[AnyStep]:
        found = self._found(row.slot)
        if found.ident == row.ident:
            return self._to_free_place(row, row.path, shifts.of("restored", row.path, found, slot=row.slot))
        same = [step for step in self.view.pending if step.path == row.path and step.way in _TRASH]
        if same and same[-1].way == "trashed":  # it goes there on this very way
            here = self._found(_unchosen(same[-1]))
            return self._to_free_place(row, row.path, shifts.of("restored", row.path, here))
        kept = self._kept(row.before)
        if kept is None:
            raise ToolError(
                "not_found",
                f"{row.path} is no longer in the trash, so it cannot come back. Nothing was taken back.",
                path=row.path,
            )
        return self._to_free_place(row, row.path, Step(row.path, None, kept, None, row.before_mode))

    def _kept_anew(self, row: JournaledFile) -> list[AnyStep]:
        """Make anew what went to a trash that does not tell where it is."""
        kept = self._kept(row.before)
        if kept is None:
            words = (
                f"{row.path} is in the trash of the system; bring it back from there. Nothing was taken back."
            )
            raise ToolError("not_found", words, path=row.path)
        if row.kind == "folder":
            made = Shift("made", row.path, "folder", make=sending.maker(kept))
            return self._to_free_place(row, row.path, made)
        return self._to_free_place(row, row.path, Step(row.path, None, kept, None, row.before_mode))

    def _to_free_place(self, row: JournaledFile, place: str, step: AnyStep) -> list[AnyStep]:
        """Return the step, with what stands in its place in the trash first where the person chose that."""
        if isinstance(step, Shift) and self._touched(_place_before(step)):
            step = replace(step, print="")  # steps before this one change what is in it
        if not self.view.stands(place):
            return [step]
        occupant = self._found(place)
        if self.choices.get(row.path) != "before":
            return self._refuse(row, occupant)
        if isinstance(step, Step):
            return [replace(step, before=self.view.content(place))]
        return [shifts.goes(place, occupant, None), step]

    def _into_trash(self, row: JournaledFile) -> list[AnyStep]:
        found = self._found(row.path)
        if found.kind == "missing":
            return self._refuse(row, found)
        touched = self._touched(row.path)
        same = found.ident == row.ident and (touched or row.print in ("", found.print))
        same = same or self._holds_the_same(row, found)
        if not (same or self.choices.get(row.path) == "before"):
            return self._refuse(row, found)
        kept = self.view.content(row.path) if found.kind == "file" and found.size <= KEPT else None
        step = shifts.goes(row.path, found, kept)
        return [replace(step, print="") if touched else step]

    def _holds_the_same(self, row: JournaledFile, found: trees.Survey) -> bool:
        """Whether a file that was written anew, so that the system takes it for another, holds the same."""
        if found.kind != "file" or row.kind != "file" or found.size > trees.HASHED:
            return False
        data = self.view.content(row.path)
        return data is not None and trees.content_print(data) == row.print

    def _touched(self, path: str) -> bool:
        """Whether steps so far change anything at or below a path."""
        place = self.view.place(path)
        return self.linked or (
            place is not None and any(_below(other, place) is not None for other in self.touched)
        )

    def _stands_at(self, path: str) -> str | None:
        """Return where a path stands now; for one that is gone by then, where it would."""
        place = self.view.place(path)
        above = self.view.place(os.path.dirname(path))
        return place or (above and os.path.join(above, os.path.basename(path)))

    def _refuse(self, row: JournaledFile, found: trees.Survey) -> list[AnyStep]:
        kinds = {"moved": "renamed", "trashed": "deleted", "sent": "deleted"}
        ours = _entry(row.path, kinds.get(row.way, "new"), row.items, row.size, row.old_path)
        since = _entry(row.path, "deleted" if found.kind == "missing" else "changed", found.items, found.size)
        self._refuse_with(FileConflict(path=row.path, ours=ours, since=since))
        return []

    def _refuse_with(self, conflict: FileConflict) -> None:
        if all(other.path != conflict.path for other in self.conflicts):  # the first says why the others are
            self.conflicts.append(conflict)


def _entry(path: str, kind: str, items: int, size: int, old: str = "") -> FileDiff:
    return FileDiff(
        path=path, shown=path, kind=kind, old_path=old, binary=True, items=items, size=size  # type: ignore[arg-type]
    )  # fmt: skip


def _conflict(
    path: str, before: bytes | None, after: bytes | None, now: bytes | None, both: bytes | None
) -> FileConflict:
    """Return the whole three-way difference of one file."""
    return FileConflict(
        path=path,
        ours=diff.file_diff(path, path, before, after),
        since=diff.file_diff(path, path, after, now),
        back=diff.file_diff(path, path, now, before) if now != before else None,
        merged=diff.file_diff(path, path, now, both) if both is not None else None,
    )


def shown(step: AnyStep) -> FileDiff | None:
    """Return how a step of the way back is written down, None for folders that come and go with others."""
    if isinstance(step, Step):
        return diff.file_diff(step.path, step.path, step.before, step.after)
    kinds = {"moved": "renamed", "trashed": "deleted", "sent": "deleted", "restored": "new", "made": "new"}
    if step.way not in kinds:
        return None
    items = step.items if step.kind == "folder" else 0
    return _entry(step.path, kinds[step.way], items, step.size, step.source)

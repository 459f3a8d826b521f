"""Journal what a command changed in the working folder, as one change that can be taken back.

Before the command the folder is listed and its contents are kept aside; afterwards it is compared. What our
own tools, or another command, wrote meanwhile stands in the journal and is not taken for the command's. What
the person wrote meanwhile cannot be told apart from it. Links, rights of folders, empty folders and what is
below `.git` are not brought back.

A note is written before the command runs; one that a kill left behind is settled at the next start.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from app.changes.differences import Differences, Written
from app.changes.journal import Journal
from app.changes.listing import Entry, Kept, Listing, TooMuch, listed
from app.errors import StoreError
from app.events import ChangeMade, Event
from app.platform.ids import new_id
from app.platform.paths import make_private
from app.records import ChangeInfo, FileDiff, Mark
from app.store import alive, journal as rows

log = logging.getLogger(__name__)

_TOOL = "run_command"


class Ran(msgspec.Struct, frozen=True):
    """The note that a command runs: whose it is, where, and what its folder was before."""

    id: str
    process: alive.Process
    session: str
    turn: str
    began: float
    roots: tuple[bytes, ...]
    before: dict[bytes, Entry]
    """Paths as the system has them: a name need not be text."""
    kept: str
    """The file with the contents."""
    marks: tuple[Mark, ...] = ()
    tool: str = _TOOL


@dataclass(frozen=True)
class Settled:
    """What came of a command: the change ("" for none), its files, and what of it cannot be taken back."""

    change: str = ""
    files: tuple[FileDiff, ...] = ()
    left_out: tuple[str, ...] = ()


class Snapshots:
    """Takes and settles snapshots for the commands of a process."""

    def __init__(self, journal: Journal, emit: Callable[[Event], None] = lambda event: None) -> None:
        self._journal = journal
        self._emit = emit
        self._kept = Kept(journal.folder / "kept")
        self._notes = journal.folder / "ran"
        self._known: dict[str, Listing] = {}
        """Root -> its newest listing with hashes, so that only what is new is read."""
        self._cleared = False

    async def holds(self, folder: str) -> bool:
        """Whether a snapshot of the folder may be promised: it is not too large."""
        try:
            await asyncio.to_thread(listed, folder)
        except (TooMuch, OSError):
            return False
        return True

    async def take(
        self,
        session: str,
        turn: str,
        roots: Sequence[str],
        marks: tuple[Mark, ...] = (),
        tool: str = _TOOL,
    ) -> Ran | None:
        """Return the note of a command that `tool` is about to run, None where a root holds too much.

        `roots` are the working folder and what else the command may write. Raises OSError (a full disk).
        """
        now = self._journal.clock()
        work = partial(self._take, session, turn, tuple(roots), marks, now, tool)
        taking = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(self._drop_taken)
            raise

    def _drop_taken(self, taking: asyncio.Future[Ran | None]) -> None:
        ran = None if taking.cancelled() or taking.exception() else taking.result()
        if ran:
            self.drop(ran)

    def drop(self, ran: Ran) -> None:
        """Forget a command that has not run, so that nobody else's changes are taken for its own."""
        (self._notes / ran.id).unlink(missing_ok=True)

    def _take(
        self,
        session: str,
        turn: str,
        roots: tuple[str, ...],
        marks: tuple[Mark, ...],
        now: float,
        tool: str,
    ) -> Ran | None:
        if not self._cleared:
            self._cleared = True
            self._kept.clear(time.time())
        try:
            with self._kept.turn:
                if self._kept.begin():
                    self._known.clear()
                before, kept = self._listing(roots), self._kept.name
        except (TooMuch, FileNotFoundError):
            return None
        named = {os.fsencode(path): entry for path, entry in before.items()}
        places = tuple(map(os.fsencode, roots))
        ran = Ran(new_id(now), alive.this_process(), session, turn, now, places, named, kept, marks, tool)
        make_private(self._notes)
        unfinished = self._notes / f"{ran.id}.part"
        unfinished.write_bytes(msgspec.msgpack.encode(ran))
        os.replace(unfinished, self._notes / ran.id)
        return ran

    def _listing(self, roots: Iterable[str]) -> Listing:
        whole: Listing = {}
        for root in roots:
            listing = self._kept.read(listed(root), self._known.get(root, {}))
            self._known[root] = listing
            whole |= listing
        return whole

    async def settle(self, ran: Ran) -> Settled:
        """Journal what the command has changed; call it once nothing of it runs any more.

        What cannot be written down is said in `left_out`; it does not raise.
        """
        try:
            written = await self._journal.store.read(Written.since, ran.began)
            found = await asyncio.to_thread(self._compared, ran, written)
            settled = await self._recorded(ran, found)
        except (OSError, StoreError) as error:
            roots = tuple(map(os.fsdecode, ran.roots))
            log.warning("what a command changed in %r is not in the journal: %s", roots, error)
            return Settled(left_out=roots)
        self.drop(ran)
        return settled

    async def _recorded(self, ran: Ran, found: Differences) -> Settled:
        if not found.rows:
            return Settled(left_out=found.left_out)
        made = self._journal.clock()
        change = ChangeInfo(
            id=new_id(made),
            session=ran.session,
            turn=ran.turn,
            tool=ran.tool,
            made=made,
            files=found.files,
            marks=ran.marks,
        )
        await self._journal.store.write(rows.record, change, found.rows)
        self._emit(ChangeMade(session=ran.session, change=change.id))
        return Settled(change.id, found.files, found.left_out)

    def _compared(self, ran: Ran, written: Written) -> Differences:
        earlier = {os.fsdecode(path): entry for path, entry in ran.before.items()}
        found = Differences(self._journal.folder, lambda entry: self._kept.get(ran.kept, entry))
        found.look(tuple(map(os.fsdecode, ran.roots)), earlier, written)
        return found

    async def recover(self) -> list[str]:
        """Settle the commands of processes that are gone; return the ids of their changes."""
        changes = []
        for ran in await asyncio.to_thread(_notes, self._notes):
            if alive.is_dead(ran.process):
                settled = await self.settle(ran)
                changes += [settled.change] if settled.change else []
        return changes


def _notes(folder: Path) -> list[Ran]:
    found: list[Ran] = []
    for path in sorted(folder.glob("*")) if folder.is_dir() else []:
        try:
            found.append(msgspec.msgpack.decode(path.read_bytes(), type=Ran))
        except (msgspec.DecodeError, FileNotFoundError):
            path.unlink(missing_ok=True)  # never finished, so its command had not begun
    return found

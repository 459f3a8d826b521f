"""The instructions of projects: what there is, what the person said to it, and what of it goes to a model.

A person is asked once for each project. What the files say later holds too, since they or their version
control wrote it; that they changed is shown. A model's own change of such a file always asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import msgspec

from app.conversation import instruction_chain as chain
from app.errors import BrambleError
from app.instruction_records import InstructionFile, ProjectInstructions
from app.platform.processes import began_in_tool
from app.store import projects
from app.store.database import Store
from app.store.projects import Said


class Instructions:
    """Facade over the instructions of projects. `cwd` is the working folder of a conversation, "" for
    none.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        tell: Callable[[], Awaitable[None]],
        home: Path,
    ) -> None:
        """`tell()` lets windows and other processes know that an answer was given."""
        self._store = store
        self._clock = clock
        self._tell = tell
        self._home = home
        self._given: dict[str, tuple[Said | None, Said | None]] = {}
        """What was said before the last answer that was given here, and that answer, by project."""

    async def project(self, cwd: str) -> ProjectInstructions | None:
        """Return the instructions that hold for a folder and what was said to them, None without any."""
        found = await asyncio.to_thread(chain.read_chain, cwd, self._home)
        if found is None:
            return None
        project, files = str(found[0]), found[1]
        said = await self._store.read(projects.said, project)
        known = _known(said)
        return ProjectInstructions(
            project=project,
            folder=cwd,
            files=files,
            state="waiting" if said is None else "agreed" if said.agreed else "refused",
            print=chain.print_of(files),
            changed=said is not None and any(known.get(path) != now for path, now in _each(files).items()),
        )

    async def waiting(self, cwd: str) -> ProjectInstructions | None:
        """Return them where the person was never asked."""
        found = await self.project(cwd)
        return found if found is not None and found.state == "waiting" else None

    async def text(self, cwd: str) -> str:
        """Return the part of the system prompt that they make, "" without a yes.

        Where no version control holds a project together, such as a folder of downloads, a yes was for the
        files that the person has seen: what is unpacked there later waits until it was looked at.
        """
        found = await self.project(cwd)
        if found is None or found.state != "agreed":
            return ""
        if await asyncio.to_thread(chain.is_repository, Path(found.project)):
            return chain.as_prompt(found.files)
        known = _known(await self._store.read(projects.said, found.project))
        return chain.as_prompt(file for file in found.files if file.path in known)

    async def agree(self, cwd: str, shown: str) -> ProjectInstructions:
        """Let the instructions hold that had the hash `shown` (`print`), which the person saw, and no others.

        Raises BrambleError: own_approval, no_instructions, instructions_changed; StoreError.
        """
        found = await self._needed(cwd)
        if found.print != shown:
            raise BrambleError(
                "instructions_changed",
                f"The instructions of {found.project} are not those that were shown.",
                path=found.project,
            )
        return await self._answer(found, True)

    async def refuse(self, cwd: str) -> ProjectInstructions:
        """Leave them out from now on, whatever they say. Raises as `agree`, but instructions_changed."""
        return await self._answer(await self._needed(cwd), False)

    async def seen(self, cwd: str, shown: str) -> None:
        """Note that the person saw what had the hash `shown`, so that it counts as changed no longer; what
        was written since then still does. Raises BrambleError own_approval.
        """
        found = await self.project(cwd)
        if found is not None and found.changed and found.print == shown:
            _only_by_a_person()
            await self._answer(found, found.state == "agreed")

    async def forget_answer(self, cwd: str) -> None:
        """Let the person be asked again. Raises as `agree`."""
        found = await self._needed(cwd)
        await self._store.write(projects.say, found.project, None)
        await self._tell()

    async def take_back(self, cwd: str) -> None:
        """Let what was said before the last answer of this process hold again, with all that had been seen
        by then; where another process has answered since, that stays. Raises as `refuse`.
        """
        found = await self._needed(cwd)
        before, given = self._given.pop(found.project, (None, None))
        if given is not None and given == await self._store.read(projects.said, found.project):
            await self._store.write(projects.say, found.project, before)
            await self._tell()

    async def _answer(self, found: ProjectInstructions, agreed: bool) -> ProjectInstructions:
        """Take an answer to exactly these texts down, and return what holds now."""
        # One project has other files in each of its folders: what was seen elsewhere stays seen.
        before = await self._store.read(projects.said, found.project)
        seen = {**_known(before), **_each(found.files)}
        said = Said(agreed, msgspec.json.encode(seen).decode(), self._clock())
        await self._store.write(projects.say, found.project, said)
        self._given[found.project] = before, said
        await self._tell()
        again = await self.project(found.folder)
        return again or found

    async def _needed(self, cwd: str) -> ProjectInstructions:
        _only_by_a_person()
        found = await self.project(cwd)
        if found is None:
            raise BrambleError("no_instructions", f"{cwd} belongs to no project with instructions.", path=cwd)
        return found


def _only_by_a_person() -> None:
    if began_in_tool():
        raise BrambleError("own_approval", "A command of a tool cannot agree to instructions.")


def _each(files: Iterable[InstructionFile]) -> dict[str, str]:
    """Return a hash of what each file says, by its path."""
    return {file.path: chain.print_of([file])[:16] for file in files}


def _known(said: Said | None) -> dict[str, str]:
    """Return the hashes that the person has seen, by path."""
    try:
        return msgspec.json.decode(said.print, type=dict[str, str]) if said is not None else {}
    except msgspec.DecodeError:
        return {}

"""What a confined command changed can be taken back as one change, also of a job and after a kill."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.changes.journal import Journal
from app.changes.snapshot import Snapshots
from app.changes.undo import Undo
from app.store.database import Store
from tests.capabilities.shell_desk import Desk, held_desk, until
from tests.platform.sandbox.cell import LAYERS, found
from tools import Command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is a sandbox on Linux only")
ROOT = Path(__file__).parents[2]


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    store = Store(tmp_path / "bramble" / "data" / "bramble.db")
    await store.open()
    yield Journal(store, tmp_path / "bramble" / "data" / "journal")
    await store.close()


@pytest.fixture(params=LAYERS)
async def desk(request: pytest.FixtureRequest, tmp_path: Path, journal: Journal) -> AsyncIterator[Desk]:
    (tmp_path / "work").mkdir()
    desk = held_desk(tmp_path, found(request.param), first_wait=2.0)
    desk.snapshots = Snapshots(journal)
    yield desk
    await desk.jobs.close()


async def test_a_command_is_taken_back(desk: Desk, journal: Journal) -> None:
    work = desk.folder / "work"
    (work / "file").write_text("old\n")
    (work / "gone").write_text("precious")
    result = await desk.shell(cwd=str(work)).run(Command("echo new > file; rm gone; echo x > made; exit 4"))
    assert result.exit == 4 and result.undo
    assert {(Path(file.path).name, file.kind) for file in result.changed} == {
        ("file", "changed"),
        ("gone", "deleted"),
        ("made", "new"),
    }
    await Undo(journal).one(result.undo)
    assert (work / "file").read_text() == "old\n" and (work / "gone").read_text() == "precious"
    assert not (work / "made").exists()


async def test_the_question_says_whether_it_can_be_taken_back(desk: Desk) -> None:
    shell = desk.shell(cwd=str(desk.folder / "work"))
    for command in ("echo x > made", "git status", "rm -r .git", "echo github gitk"):
        await shell.run(Command(command))
    await shell.run(Command("echo x > made", reach="all"))
    assert [effect.undoable for effect in desk.asked] == [True, False, False, True, False]


async def test_a_folder_that_holds_too_much_is_worked_in_and_said(desk: Desk) -> None:
    work = desk.folder / "work"
    with open(work / "large", "wb") as file:
        file.truncate(300 << 20)
    result = await desk.shell(cwd=str(work)).run(Command("echo x > made"))
    assert (result.exit, result.undo, desk.asked[0].undoable) == (0, "", False)


async def test_a_job_is_journaled_when_it_ends(desk: Desk, journal: Journal) -> None:
    work = desk.folder / "work"
    shell = desk.shell(cwd=str(work))
    result = await shell.run(Command("echo 1 > early; read line; echo 2 > late", background=True))
    assert result.job and result.undo == "" and (work / "early").exists()
    await shell.input(result.job, "go\n")
    job = desk.jobs.get(result.job)
    await until(lambda: job.change)
    assert (await shell.output(result.job)).undo == job.change
    await Undo(journal).one(job.change)
    assert list(work.iterdir()) == []


async def test_a_stopped_call_and_the_end_of_the_app_are_journaled(desk: Desk, journal: Journal) -> None:
    work = desk.folder / "work"
    shell = desk.shell(cwd=str(work))
    result = await shell.run(Command("echo 1 > made; sleep 600", background=True))
    await until((work / "made").exists)
    job = desk.jobs.get(result.job)
    await desk.jobs.close()
    assert job.change
    await Undo(journal).one(job.change)
    assert not (work / "made").exists()


APP = """
import asyncio, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from app.changes.journal import Journal
from app.changes.snapshot import Snapshots
from app.store.database import Store
from tests.capabilities.shell_desk import held_desk
from tests.platform.sandbox.cell import found
from tools import Command

async def main():
    folder = Path({folder!r})
    store = Store(folder / "bramble" / "data" / "bramble.db")
    await store.open()
    desk = held_desk(folder, found({layer!r}))
    desk.snapshots = Snapshots(Journal(store, folder / "bramble" / "data" / "journal"))
    await desk.shell(cwd=str(folder / "work")).run(Command("echo new > file; sleep 600", background=True))
    while (folder / "work" / "file").read_text() != "new\\n":
        await asyncio.sleep(0.01)
    print("ready", flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("layer", LAYERS)
async def test_after_kill_9_the_next_start_journals_it(tmp_path: Path, journal: Journal, layer: str) -> None:
    found(layer)  # type: ignore[arg-type]
    file = tmp_path / "work" / "file"
    file.parent.mkdir()
    file.write_text("old\n")
    text = APP.format(root=str(ROOT), folder=str(tmp_path), layer=layer)
    app = subprocess.Popen([sys.executable, "-P", "-c", text], stdout=subprocess.PIPE)
    assert app.stdout and app.stdout.readline() == b"ready\n"
    app.kill()
    app.wait()
    app.stdout.close()
    changes = await Snapshots(journal).recover()
    assert len(changes) == 1
    await Undo(journal).one(changes[0])
    assert file.read_text() == "old\n"

"""Waiting questions: asked here, answered anywhere, gone with their process."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from app.records import Answer, Approval, CommandEffect
from app.store import approvals
from app.store.database import Store

Child = Callable[..., subprocess.Popen[str]]


def question(name: str, asked: float = 1.0) -> Approval:
    """Return a question about a command whose text no plain JSON can hold."""
    effect = CommandEffect(command="echo \ud800\0", cwd="/x\udcff")
    return Approval(id=name, session="s", turn="t", call="c", tool="run_command", effect=effect, asked=asked)


async def test_asked_answered_and_withdrawn(store: Store) -> None:
    await store.write(approvals.ask, question("b", 2.0), store.owner)
    await store.write(approvals.ask, question("a", 1.0), store.owner)
    assert await store.read(approvals.waiting) == [question("a", 1.0), question("b", 2.0)]
    assert await store.read(approvals.answered, ["a", "b"]) == {}
    yes = Answer(decision="allow", scope="session", edited={"/x": "new \udfff"}, by="terminal")
    assert await store.write(approvals.answer, "a", yes)
    assert not await store.write(approvals.answer, "a", Answer(decision="deny")), "the first answer counts"
    assert not await store.write(approvals.answer, "nothing", yes)
    assert await store.read(approvals.answered, ["a", "b", "nothing"]) == {"a": yes}
    assert [one.id for one in await store.read(approvals.waiting)] == ["b"]
    assert await store.read(approvals.get, "a") is None
    await store.write(approvals.withdraw, "b")
    assert await store.read(approvals.waiting) == []
    assert not await store.write(approvals.answer, "b", yes)


async def test_another_process_answers_and_the_dead_ask_no_more(
    store: Store, tmp_path: Path, child: Child
) -> None:
    script = """
        import asyncio
        from app.records import Answer, Approval, CommandEffect
        from app.store import approvals
        from app.store.database import Store
        from pathlib import Path

        async def main():
            store = Store(Path(sys.argv[1]))
            await store.open()
            no = Answer(decision="deny", reason="no", by="approvals")
            assert await store.write(approvals.answer, "mine", no)
            theirs = Approval(id="theirs", session="s", turn="t", call="c", tool="x", asked=1.0,
                effect=CommandEffect(command="ls", cwd="/"))
            await store.write(approvals.ask, theirs, store.owner)
            print("asked", flush=True)
            sys.stdin.read()

        asyncio.run(main())
    """
    await store.write(approvals.ask, question("mine"), store.owner)
    process = child(script, store.path)
    assert process.stdout is not None and process.stdout.readline() == "asked\n"
    answers = await store.read(approvals.answered, ["mine"])
    assert answers["mine"].reason == "no"
    assert [one.id for one in await store.read(approvals.waiting)] == ["theirs"]
    process.kill()
    process.wait()
    assert await store.read(approvals.waiting) == []
    assert not await store.write(approvals.answer, "theirs", Answer(decision="allow"))
    assert await store.write(approvals.reap) == ["theirs"]

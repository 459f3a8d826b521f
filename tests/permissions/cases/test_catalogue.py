"""Every numbered case of the bypass catalogue and of the acceptance cases, asked through the engine as
`permissions explain` does.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from app.engine import Engine
from app.platform.paths import home
from app.records import TurnOptions
from tests.permissions.cases.acceptance import ACCEPTANCE
from tests.permissions.cases.case import Case
from tests.permissions.cases.safety import SAFETY


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A working folder with what the cases name, beside a home of its own."""
    work = tmp_path / "work"
    for name in ("docs", ".git/hooks", "many", ".vscode", "../work-evil", "../person/.ssh", "../outside"):
        (work / name).mkdir(parents=True)
    for number in range(30):
        (work / "many" / f"{number}.txt").write_text("only copy")
    for name in ("untracked.txt", "docs/x", ".env", "../secret", "x", "a", ".bashrc", "../person/.bashrc"):
        (work / name).write_text("x")
    (work / "link").symlink_to(".git")
    (work / "out-link").symlink_to(tmp_path / "outside")
    os.link(tmp_path / "person" / ".bashrc", work / "hard.txt")
    os.mkfifo(work / "pipe")
    return work


@pytest.mark.parametrize(("name", "cases"), [("safety 2.2", SAFETY), ("acceptance", ACCEPTANCE)])
async def test_every_case_of_the_catalogue(
    name: str, cases: tuple[Case, ...], place: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    person = place.parent / "person"
    monkeypatch.setenv("HOME", str(person))
    variables = {"BRAMBLE_HOME": str(place.parent / "data"), "PATH": "/usr/bin:/bin", "HOME": str(person)}
    engine = Engine(home(variables), variables)
    await engine.open()
    try:
        wrong = [found for case in cases if (found := await _wrong(engine, case, place))]
    finally:
        await engine.close()
    numbers = Counter(case.source for case in cases)
    record_property("catalogue", f"{name}: {len(cases)} cases of {len(numbers)} numbers")
    assert not wrong, f"{len(wrong)} of {len(cases)}:\n" + "\n".join(wrong)


async def _wrong(engine: Engine, case: Case, place: Path) -> str:
    """Return what is wrong with the decision on a case, "" for nothing."""
    person = place.parent / "person"

    def filled(text: str) -> str:
        for name, value in (
            ("w", place),
            ("homename", "person"),
            ("home", person),
            ("data", place.parent / "data"),
        ):
            text = text.replace(f"{{{name}}}", str(value))
        return text

    options = TurnOptions(
        allow=tuple(map(filled, case.allow)), deny=tuple(map(filled, case.deny)), yes=case.yes
    )
    arguments = json.dumps({"command": filled(case.command)})
    found = await engine.explain(case.tool, arguments, cwd=str(place), options=options)
    good = found.decision != "allow" if case.right == "no" else found.decision == case.right
    if good and case.reason in ("", found.reason):
        return ""
    asked = f"{case.command[:80]!r} {case.allow} {case.deny} yes={case.yes}"
    return f"{case.source}: {asked}: wanted {case.right} {case.reason}, got {found}"

"""The golden request of each bundled skill runs through whole: the skill is loaded, its tools are found by
plain words, every one that it suggests is called on real files, repositories and servers, and what it
promises of care is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.records import FilesEffect
from app.toolbox.skills.facade import Skills
from tests.servers.github import TOKEN, GitHub, issue, pull
from tests.servers.scripted import scripted
from tests.servers.site import Sent
from tests.skills.golden_desk import GOLDEN, LATER, SUGGESTED, GoldenDesk, Ran, does, told, whole

ROOT = Path(__file__).parents[2]


@pytest.fixture
def desk(tmp_path: Path) -> GoldenDesk:
    return GoldenDesk(tmp_path)


def test_suggested_tools_that_are_not_there_yet_are_those_that_are_planned() -> None:
    rows = json.loads((ROOT / "resources" / "discovery" / "planned.json").read_text("utf-8"))
    assert frozenset().union(*SUGGESTED.values()) & {row["name"] for row in rows} == LATER


def test_each_bundled_skill_has_a_run() -> None:
    here = Path(__file__)
    texts = "".join(path.read_text("utf-8") for path in (here, here.with_name("test_golden_documents.py")))
    assert set(re.findall(r'whole\(ran, "([a-z-]+)"\)', texts)) == set(SUGGESTED) == set(GOLDEN) - {"none"}


CALC = "def mean(values):\n    return sum(values) / len(values)\n"
CHANGED = CALC.replace("len(values)", "(len(values) or 1)")


def code(desk: GoldenDesk) -> list[str]:
    """A repository with two commits; returns their ids."""
    desk.git("init", "-q")
    desk.write("calc.py", CALC)
    desk.write("CHANGELOG.md", "# Changes\n\n## 2.3\n\n- Means of lists.\n")
    first = desk.commit("Add the mean of a list")
    desk.git("tag", "v2.3")
    desk.write("report.py", "from calc import mean\n\nprint(mean([1, 2, 3]))\n")
    return [first, desk.commit("Print a report (#7)")]


async def test_commit_review_reads_runs_and_changes_nothing(desk: GoldenDesk) -> None:
    _, head = code(desk)
    desk.write("calc.py", CHANGED)
    before = desk.git("status", "--porcelain", "--branch")
    hub = GitHub()
    hub.pulls = {7: pull(7, "Print a report")}
    async with scripted(hub.script) as server:
        desk.settings["services"] = {"github": server.url.removesuffix("/v1") + "/"}
        desk.environ["GH_ENTERPRISE_TOKEN"] = TOKEN
        ran = await desk.run(
            "commit-review",
            {
                "git_status": "git status",
                "git_diff": "show my uncommitted diff",
                "git_log": "commit history",
                "git_show": "what did this commit change",
                "git_blame": "who wrote this line",
                "github_pulls": "list pull requests",
            },
            does(("git_status", {}), ("git_diff", {}), ("git_log", {"limit": 5})),
            does(
                ("git_show", {"ref": head}),
                ("git_blame", {"path": "calc.py"}),
                ("read_file", {"path": "calc.py"}),
                ("grep_files", {"pattern": "mean("}),
            ),
            does(
                ("run_command", {"command": "python3 -B -c 'from calc import mean; print(mean([]))'"}),
                ("github_pulls", {"action": "list", "repo": "octo/hello"}),
            ),
            answer="calc.py:2: the mean of nothing is now 0, which hides empty input.",
        )
    whole(ran, "commit-review")
    assert "+    return sum(values) / (len(values) or 1)" in ran.text("git_diff")
    assert "calc.py" in ran.text("git_status") and "Print a report (#7)" in ran.text("git_log")
    assert "report.py" in ran.text("git_show") and "Ada" in ran.text("git_blame")
    assert "report.py" in ran.text("grep_files") and "0.0" in ran.text("run_command")
    assert "#7 Print a report" in ran.text("github_pulls")
    assert ran.questions == ["run_command", "github_pulls"]
    assert desk.git("rev-parse", "HEAD").strip() == head and not any(event.undo for event in ran.finished)
    assert desk.git("status", "--porcelain", "--branch") == before
    assert [one.method for one in hub.seen] == ["GET"] * len(hub.seen)


async def test_bug_repro_makes_it_happen_and_repairs_nothing(desk: GoldenDesk) -> None:
    desk.git("init", "-q")
    source = "import sys\n\nrows = [r for r in sys.argv[1:]]\nprint('rows', len(rows), rows[0])\n"
    desk.write("export.py", source)
    desk.commit("Export rows")

    def job(messages: list[dict[str, Any]]) -> Mapping[str, Any]:
        return {"job": re.findall(r"still running as job (\S+);", told(messages))[-1]}

    test = "import subprocess\n\nassert subprocess.run(['python3', 'export.py']).returncode == 0\n"
    ran = await desk.run(
        "bug-repro",
        {
            "job_output": "output of a background job",
            "git_log": "commit history",
            "git_blame": "who wrote this line",
            "system_info": "which system and version is this",
        },
        does(
            ("find_files", {"pattern": "*.py"}),
            ("grep_files", {"pattern": "rows\\[0\\]"}),
            ("git_log", {}),
            ("system_info", {"section": "os"}),
        ),
        does(("run_command", {"command": "sleep 1; python3 export.py; echo code $?", "background": True})),
        does(("job_output", job)),
        does(("read_file", {"path": "export.py"}), ("git_blame", {"path": "export.py", "start": 4})),
        does(("write_file", {"path": "test_export.py", "content": test})),
        does(("run_command", {"command": "python3 test_export.py || echo it fails"})),
        answer="export.py:4 takes the first row of none. Since the first commit.",
    )
    whole(ran, "bug-repro")
    assert "IndexError" in ran.text("job_output") and "it fails" in ran.text("run_command", 1)
    assert "4:print('rows'" in ran.text("grep_files") and "Linux" in ran.text("system_info")
    assert ran.questions == ["run_command", "write_file", "run_command"]
    assert (desk.folder / "export.py").read_text() == source
    assert (desk.folder / "test_export.py").read_text() == test


async def test_release_notes_come_from_what_is_there_and_no_tag_is_made(desk: GoldenDesk) -> None:
    _, head = code(desk)
    hub = GitHub()
    hub.pulls, hub.issues = {7: pull(7, "Print a report")}, {5: issue(5, "No way to print")}
    edit = {"old": "# Changes\n", "new": "# Changes\n\n## 2.4\n\n- Print a report of your numbers. (#7)\n"}
    async with (
        scripted(hub.script) as server,
        desk.site({"/style": Sent("<p>Say what people can do.</p>")}) as url,
    ):
        desk.settings["services"] = {"github": server.url.removesuffix("/v1") + "/"}
        desk.environ["GH_ENTERPRISE_TOKEN"] = TOKEN
        ran = await desk.run(
            "release-notes",
            {
                "git_log": "commits since the last tag",
                "git_diff": "compare two commits",
                "git_show": "show one commit by its hash",
                "github_pulls": "read a pull request",
                "github_issues": "read a github issue",
                "web_fetch": "read a web page",
            },
            does(
                ("git_log", {}), ("git_diff", {"base": "v2.3", "target": "HEAD"}), ("git_show", {"ref": head})
            ),
            does(
                ("github_pulls", {"action": "read", "repo": "octo/hello", "number": 7}),
                ("github_issues", {"action": "read", "repo": "octo/hello", "number": 5}),
                ("read_file", {"path": "CHANGELOG.md"}),
                ("web_fetch", {"url": f"{url}/style"}),
            ),
            does(("edit_file", {"path": "CHANGELOG.md", "edits": [edit]})),
            answer="2.4: Print a report of your numbers.",
        )
    whole(ran, "release-notes")
    assert "v2.3" in ran.text("git_log") and "report.py" in ran.text("git_diff")
    assert "Say what people can do." in ran.text("web_fetch")
    assert (desk.folder / "CHANGELOG.md").read_text().startswith(edit["new"])
    assert desk.git("tag").split() == ["v2.3"] and desk.git("rev-parse", "HEAD").strip() == head
    (change,) = [one for one in ran.asked if isinstance(one.effect, FilesEffect)]
    assert {mark.kind for mark in change.marks} >= {"web", "github"}, "the person sees what spoke before"


async def test_write_a_skill_asks_and_is_there_afterwards(desk: GoldenDesk) -> None:
    desk.write("water/march.csv", "meter,litres\nA,10\n")
    text = (
        '---\nname: water-report\ndescription: "Write the monthly water report from the meter files, for the '
        'council."\ntriggers:\n  - water report\nsuggested-tools: [spreadsheet, write_file]\n---\n\n'
        "# Water report\n\nSum `litres` with `spreadsheet`, then `write_file`.\n"
    )

    def saved(messages: list[dict[str, Any]]) -> Mapping[str, Any]:
        (place,) = set(re.findall(r"`(/\S+)/NAME/SKILL\.md`", told(messages)))
        return {"path": f"{place}/water-report/SKILL.md", "content": text}

    found: list[str] = []

    async def after(ran: Ran) -> None:
        skills: Skills = ran.scene.engine.skills
        found.extend(one.name for one in await skills.find("write the water report please"))

    ran = await desk.run(
        "write-a-skill",
        {},
        does(("list_dir", {"path": "water"}), ("read_file", {"path": "water/march.csv"})),
        does(("load_skill", {"query": "monthly water report"}), ("find_tools", {"query": "sum a csv table"})),
        does(("write_file", saved)),
        answer="Saved as water-report.",
        after=after,
    )
    whole(ran, "write-a-skill")
    assert ran.questions == ["write_file"] and ran.asked[0].reason == "steering" and not ran.asked[0].offers
    assert (desk.home / "skills" / "water-report" / "SKILL.md").read_text() == text
    assert found[:1] == ["water-report"]

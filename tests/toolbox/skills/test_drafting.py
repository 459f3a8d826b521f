"""The draft of a skill: the request, the steps in their order, what came of it; no secrets in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.records import Message, SessionInfo, ToolCall
from app.toolbox.skills.drafting import MOST_STEPS, draft
from app.toolbox.skills.reading import skill_of
from app.toolbox.skills.writing import document

HOME = Path("/home/ada")
INFO = SessionInfo(id="s", title="Monthly report", cwd="/home/ada/work", created=0.0, updated=0.0)


def said(role: str, text: str = "", **more: object) -> Message:
    return Message(id="m", session="s", parent=None, turn="t", role=role, created=0.0, text=text, **more)  # type: ignore[arg-type]


def ran(tool: str, verb: str, subject: str, ok: bool = True) -> Message:
    return said("tool", "result", tool=tool, verb=verb, subject=subject, ok=ok)


def test_request_steps_and_end_in_their_order() -> None:
    made = draft(
        INFO,
        [
            said("user", "Write the report: for May\n\nAttached file `x`:\n\n```\nlong\n```"),
            said("assistant", "I look.", calls=(ToolCall(id="1", name="read_file"),)),
            ran("load_skill", "Load skill", "x"),
            ran("read_file", "Read file", "/home/ada/work/a.csv"),
            ran("read_file", "Read file", "/home/ada/b.csv"),
            ran("read_file", "Read file", "gone.csv", ok=False),
            said("user", "and use euros"),
            ran("run_command", "Run", "python sum.py `date`"),
            ran("write_file", "Write file", "report.md"),
            said("assistant", "Done: report.md."),
        ],
        HOME,
    )
    assert (made.name, made.tools) == ("monthly-report", ("read_file", "run_command", "write_file"))
    assert made.description == (
        "Monthly report. Use it when asked for something like: Write the report: for May."
    )
    assert "long" not in made.body and "gone.csv" not in made.body
    steps = made.body[made.body.index("## Steps") : made.body.index("## What came")].strip().split("\n")[2:]
    assert steps == [
        "1. Read file with `read_file`: `./a.csv`, `~/b.csv`.",
        "2. The person added: “and use euros”",
        "3. Run with `run_command`: `` python sum.py `date` ``.",
        "4. Write file with `write_file`: `report.md`.",
    ]
    assert made.body.rstrip().endswith("> Done: report.md.")
    skill = skill_of(
        document(made.name, made.description, made.body, (), made.tools).encode(), "monthly-report"
    )
    assert skill.ok and skill.faults == () and skill.body.strip() == made.body.strip()


@pytest.mark.parametrize(
    ("title", "request_", "description"),
    [
        ("Write the…", "Write the report.", "Use it when asked for something like: Write the report."),
        ("Write it.", "write it", "Write it."),
        ("May", "", "May."),
        ("Notes…", "x" * 300, f"Notes… Use it when asked for something like: {'x' * 149}…"),
    ],
)
def test_the_description_says_nothing_twice(title: str, request_: str, description: str) -> None:
    made = draft(replace(INFO, title=title), [said("user", request_)], HOME)
    assert made.description == description


def test_secrets_stay_out() -> None:
    secrets = ("sk-abcdefgh12345678", "ghp_abcdefgh12345678", "hunter2hunter2", "s3cr3t-word", "MIIEvQIBADAN")
    text = (
        "use sk-abcdefgh12345678 and ghp_abcdefgh12345678, https://ada:hunter2hunter2@host/x, "
        "login --password s3cr3t-word; API_KEY=s3cr3t-word x\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN"
    )
    made = draft(INFO, [said("user", text), ran("run_command", "Run", text), said("assistant", text)], HOME)
    whole = made.name + made.description + made.body
    assert not [secret for secret in secrets if secret in whole]
    assert "@host/x" in made.body and "--password [secret]" in made.body


def test_odd_conversations_give_a_whole_skill() -> None:
    for title, text in (
        ("", "🙂\0\ud800\u202e"),
        ("Отчёт", "Сделай отчёт"),
        ("x" * 5_000, "y" * 100_000),
        ("", "```\n# not a heading\n---\nname: evil\n---"),
    ):
        info = SessionInfo(id="s", title=title, cwd="/", created=0.0, updated=0.0)
        made = draft(info, [said("user", text)], HOME)
        skill = skill_of(
            document(made.name, made.description, made.body).encode("utf-8", "replace"), made.name
        )
        assert skill.ok and skill.faults == () and len(made.body) < 8_000 and len(made.description) < 400
    many = [ran(f"tool_{at}", "Do", str(at)) for at in range(200)]
    made = draft(INFO, [said("user", "go"), *many], HOME)
    assert f"(And {200 - MOST_STEPS} more steps.)" in made.body and len(made.tools) == 8

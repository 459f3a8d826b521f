"""`bramble ask` without a terminal: streams, exit codes and the one JSON value, on the real program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.servers.scripted import Script, calls, fails, says
from tests.terminal.conftest import Bramble, Start, command
from tests.terminal.model_server import ModelServer, breaks_off, holds

KEYS = {"session", "text", "stop", "rounds", "tools", "usage", "cost"}


def test_the_answer_alone_stands_on_stdout(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("Hello there, the folder is empty.", prompt=20, answer=10)]
    ran = bramble("ask", "what", "is", "here")
    assert (ran.code, ran.out) == (0, "Hello there, the folder is empty.\n")
    assert "session " in ran.err and "30 tokens" in ran.err and "1 request" in ran.err
    assert server.requests[0]["messages"][-1]["content"].endswith("what is here")
    assert server.keys == ["Bearer sk-test"]


def test_the_json_form(bramble: Bramble, server: ModelServer, work: Path) -> None:
    (work / "notes.txt").write_text("one\n")
    server.answers = [calls(("read_file", {"path": "notes.txt"})), says("It says one.")]
    ran = bramble("ask", "--json", "read it")
    value = ran.value
    assert set(value) == KEYS
    assert (ran.code, value["text"], value["stop"], value["rounds"]) == (0, "It says one.", "done", 2)
    (tool,) = value["tools"]
    assert (tool["name"], json.loads(tool["arguments"]), tool["ok"]) == (
        "read_file",
        {"path": "notes.txt"},
        True,
    )
    assert tool["decision"] == "allow"
    assert value["usage"]["input"] == 20
    assert ran.out.count("\n") == 1


def test_text_from_stdin(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("ok")]
    assert bramble("ask", "-", stdin="\ufefffrom a pipe\n").code == 0
    assert "from a pipe" in server.requests[0]["messages"][-1]["content"]
    assert "\ufeff" not in server.requests[0]["messages"][-1]["content"]


def test_events_are_lines_of_json(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("Hello there.")]
    ran = bramble("ask", "--events", "hi")
    events = [json.loads(line) for line in ran.out.splitlines()]
    kinds = [event["event"] for event in events]
    assert kinds.index("TurnStarted") < kinds.index("TextStreamed") < kinds.index("TurnEnded")
    assert "".join(event["text"] for event in events if event["event"] == "TextStreamed") == "Hello there."


def test_an_attached_file_goes_with_the_text(bramble: Bramble, server: ModelServer, work: Path) -> None:
    (work / "a.md").write_text("```\ncode\n```\n")
    (work / "b.txt").write_bytes("Grüße\n".encode("utf-16"))
    server.answers = [says("ok")]
    assert bramble("ask", "--attach", "a.md", "--attach", "b.txt", "read these").code == 0
    sent = server.requests[0]["messages"][-1]["content"]
    assert sent.endswith(
        f"read these\n\nAttached file `{work}/a.md`:\n\n````\n```\ncode\n```\n````"
        f"\n\nAttached file `{work}/b.txt`:\n\n```\nGrüße\n```"
    )


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.pdf", b"%PDF-1.7\ntext only\n", "attachment_unknown"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "attachment_unknown"),
        ("a.bin", b"a\0b\1\2", "attachment_unknown"),
        ("big.txt", b"x" * (256 * 1024 + 1), "too_large"),
    ],
)
def test_what_cannot_be_attached_is_refused(
    bramble: Bramble, server: ModelServer, work: Path, name: str, data: bytes, code: str
) -> None:
    (work / name).write_bytes(data)
    ran = bramble("ask", "--json", "--attach", name, "hi")
    assert (ran.code, ran.value["error"]["code"]) == (2, code)
    assert name in ran.err and not server.requests
    assert bramble("sessions", "list", "--json").value == []


# --- exit codes


def test_wrong_use(bramble: Bramble) -> None:
    for words in (
        ["ask"],
        ["ask", " "],
        ["ask", "--mode", "x", "hi"],
        ["ask", "--attach", "missing", "hi"],
        ["nope"],
    ):
        ran = bramble(*words)
        assert (ran.code, ran.out) == (2, ""), words
        assert ran.err


def test_an_approval_that_nobody_gave(bramble: Bramble, server: ModelServer, work: Path) -> None:
    server.answers = [calls(("write_file", {"path": "a.txt", "content": "x"})), says("I could not.")]
    ran = bramble("ask", "--json", "write it")
    assert ran.code == 3
    assert [(tool["ok"], tool["decision"]) for tool in ran.value["tools"]] == [(False, "ask")]
    assert "Nobody was there to allow this" in ran.err
    assert not (work / "a.txt").exists()


@pytest.mark.parametrize("mode", ["plan", "chat"])
def test_what_the_mode_forbids_is_denied_also_with_yes(
    bramble: Bramble, server: ModelServer, work: Path, mode: str
) -> None:
    call = {"path": "new.txt", "content": "x"}
    server.answers = [calls(("write_file", call)), says("Then not.")]
    done = bramble("ask", "--json", "--yes", "--mode", mode, "write")
    (made,) = done.value["tools"]
    assert (made["decision"], made["ok"], done.code) == ("deny", False, 0)
    assert not (work / "new.txt").exists()


def test_yes_and_allow_let_it_happen(bramble: Bramble, server: ModelServer, work: Path) -> None:
    server.answers = [calls(("write_file", {"path": "a.txt", "content": "x\n"})), says("Done.")]
    assert bramble("ask", "--yes", "write it").code == 0
    assert (work / "a.txt").read_text() == "x\n"
    server.answers = [calls(("write_file", {"path": "b.txt", "content": "y\n"})), says("Done.")]
    assert bramble("ask", "--allow", "write_file(*)", "write it").code == 0
    assert (work / "b.txt").read_text() == "y\n"


@pytest.mark.parametrize("name", ["{home}/skills/a/SKILL.md", "{home}/tools/a.py", "AGENTS.md"])
def test_no_yes_beforehand_lets_a_model_teach_itself(
    bramble: Bramble, server: ModelServer, home: Path, work: Path, name: str
) -> None:
    path = work / name.format(home=home)
    words = calls(("write_file", {"path": str(path), "content": "x"}))
    line = calls(("run_command", {"command": f"mkdir -p '{path.parent}' && tee '{path}'"}))
    server.answers = [words, line, says("no")]
    ran = bramble("ask", "--yes", "--allow", "write_file(*)", "--allow", "run_command(*)", "--json", "learn")
    assert ran.code == 3 and [one["decision"] for one in ran.value["tools"]] == ["ask", "ask"]
    assert not path.exists()


def test_no_model(bramble: Bramble) -> None:
    empty = dict.fromkeys(("BRAMBLE_BASE_URL", "BRAMBLE_API_KEY", "BRAMBLE_MODEL", "BRAMBLE_WIRE"), "")
    ran = bramble("ask", "--json", "hi", env=empty)
    assert (ran.code, ran.value["stop"], ran.value["error"]["code"]) == (4, "failed", "no_model")
    assert set(ran.value) == KEYS | {"error"}
    assert "No model is chosen yet." in ran.err and "bramble models list" in ran.err


def test_a_refused_key(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [fails(401, {"error": {"message": "bad key sk-test"}})]
    ran = bramble("ask", "--json", "hi")
    assert (ran.code, ran.value["error"]["code"]) == (4, "bad_key")
    assert "sk-test" not in ran.err
    assert len(server.requests) == 1


def test_no_credit_is_not_tried_again(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [fails(402, {"error": {"message": "no credit"}})]
    ran = bramble("ask", "hi")
    assert ran.code in (1, 4)
    assert "no credit" in ran.err
    assert len(server.requests) == 1


def test_no_network(bramble: Bramble) -> None:
    ran = bramble("ask", "--json", "hi", env={"BRAMBLE_BASE_URL": "http://127.0.0.1:9/v1"})
    assert (ran.code, ran.value["error"]["code"]) == (1, "no_network")


def test_a_server_that_sends_a_page(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [fails(200, b"<html>welcome</html>", kind="text/html")]
    ran = bramble("ask", "--json", "hi")
    assert (ran.code, ran.value["error"]["code"]) == (1, "web_page")


def test_a_cut_stream_is_no_success(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [breaks_off("half of")]
    ran = bramble("ask", "--json", "hi")
    assert (ran.code, ran.value["stop"]) == (5, "cut")
    assert ran.value["text"] in ("half of", "")


def test_the_limit_of_rounds(bramble: Bramble, server: ModelServer, work: Path) -> None:
    (work / "notes.txt").write_text("one\n")

    def decide(body: dict[str, object]) -> Script:
        if body.get("tool_choice") == "none":
            return says("So far this.")
        return calls(("read_file", {"path": "notes.txt"}), ("list_dir", {"path": "."}))

    server.decide = decide  # type: ignore[assignment]
    ran = bramble("ask", "--json", "--max-rounds", "2", "go")
    assert (ran.code, ran.value["stop"], ran.value["rounds"], ran.value["text"]) == (
        5,
        "rounds",
        2,
        "So far this.",
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_stops_and_keeps_what_came(
    bramble: Bramble, server: ModelServer, start: Start, number: signal.Signals
) -> None:
    server.answers = [holds("the first half")]
    started = start("ask", "--json", "hi")
    assert server.arrived.acquire(timeout=30)
    wait_for_partial(bramble, "the first half")
    started.send_signal(number)
    out, err = started.communicate(timeout=30)
    value = json.loads(out)
    assert (started.returncode, value["stop"], value["text"]) == (130, "stopped", "the first half")
    assert value["session"] in err.decode()
    shown = bramble("sessions", "show", value["session"], "--json").value
    assert shown["messages"][-1]["text"] == "the first half"
    assert shown["messages"][-1]["state"] == "stopped"
    told = bramble("sessions", "show", value["session"]).out
    assert told.rstrip().endswith("the first half\nThe answer broke off here.")
    saved = bramble("sessions", "export", value["session"]).out
    assert "UTC · broken off\n\nthe first half" in saved


def wait_for_partial(bramble: Bramble, text: str) -> None:
    """Wait until the streamed text is in the store, which another process sees."""
    for _try in range(60):
        found = bramble("sessions", "list", "--json").value
        if found and text in bramble("sessions", "export", found[0]["id"], "--format", "json").out:
            return
    raise AssertionError(f"{text!r} never reached the store")


def test_the_second_interrupt_leaves_at_once(server: ModelServer, start: Start, work: Path) -> None:
    script = work / "stubborn"
    script.write_text("#!/bin/sh\ntrap '' TERM; echo begun >begun; sleep 60\n")
    script.chmod(0o700)
    server.answers = [calls(("run_command", {"command": "./stubborn"})), says("done")]
    started = start("ask", "--yes", "hi")
    wait_for_file(work / "begun")
    started.send_signal(signal.SIGINT)
    started.send_signal(signal.SIGINT)
    started.communicate(timeout=10)
    assert started.returncode == 130


def wait_for_file(path: Path) -> None:
    """Wait until a command has made this file."""
    end = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} was never made"
        time.sleep(0.05)


# --- sessions


def test_a_conversation_goes_on(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [says("Your name is kept.")]
    first = bramble("ask", "--json", "I am Ada").value["session"]
    second = bramble("ask", "--json", "--session", first, "who am I").value
    third = bramble("ask", "--json", "--continue", "and now").value
    assert (second["session"], third["session"]) == (first, first)
    said = [message["content"] for message in server.requests[-1]["messages"] if message["role"] == "user"]
    assert ["I am Ada" in said[0], "who am I" in said[1], "and now" in said[2]] == [True, True, True]
    assert bramble("ask", "--session", "nothing", "hi").code == 1


def test_continue_stays_in_the_folder(
    bramble: Bramble, server: ModelServer, tmp_path: Path, work: Path
) -> None:
    server.answers = [says("ok")]
    here = bramble("ask", "--json", "here").value["session"]
    other = tmp_path / "other"
    other.mkdir()
    there = bramble("ask", "--json", "--cwd", str(other), "there").value["session"]
    assert bramble("ask", "--json", "--continue", "x").value["session"] == here
    assert bramble("ask", "--json", "--continue", "x", cwd=other).value["session"] == there
    empty = tmp_path / "empty"
    empty.mkdir()
    ran = bramble("ask", "--json", "--continue", "x", cwd=empty)
    assert (ran.code, ran.value["error"]["code"]) == (1, "no_session")
    assert str(empty) in ran.value["error"]["detail"] and str(empty) in ran.err
    person = {"HOME": str(empty)}
    scratch = bramble("ask", "--json", "at home", cwd=empty, env=person).value["session"]
    assert bramble("ask", "--json", "--continue", "x", cwd=empty, env=person).value["session"] == scratch


def test_a_folder_that_is_not_there(bramble: Bramble, tmp_path: Path) -> None:
    ran = bramble("ask", "--json", "--cwd", str(tmp_path / "gone"), "hi")
    assert (ran.code, ran.value["error"]["code"]) == (2, "no_folder")


# --- streams


def test_escapes_of_the_model_never_reach_the_terminal(bramble: Bramble, server: ModelServer) -> None:
    text = "a\x1b[2Jb\x1b]52;c;aGk=\x07c\rd\x9b1me\ud800f"
    server.answers = [says(text)]
    ran = bramble("ask", "hi")
    assert ran.out in ("abc\nde\\ud800f\n", "abc\nde\ufffdf\n")
    assert bramble("ask", "--json", "hi").value["text"] in (text, text.replace("\ud800", "\ufffd"))


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "latin-1"])
def test_any_encoding_of_stdout(bramble: Bramble, server: ModelServer, encoding: str) -> None:
    server.answers = [says("naïve \ud83d 漢")]
    ran = bramble("ask", "hi", env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert ran.code == 0
    assert "ve" in ran.out


def test_nobody_reads_any_more(server: ModelServer, environment: dict[str, str], work: Path) -> None:
    server.answers = [says("one line\n" * 2000)]
    words = " ".join(f"'{word}'" for word in command("ask", "hi"))
    ran = subprocess.run(
        ["/bin/bash", "-c", f"{words} | head -1"], env=environment, cwd=work, capture_output=True, timeout=60
    )
    assert ran.stdout == b"one line\n"
    assert b"Traceback" not in ran.stderr and b"Broken" not in ran.stderr


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "0<&-", "0<&- 1>&- 2>&-"])
def test_closed_streams(server: ModelServer, environment: dict[str, str], work: Path, closed: str) -> None:
    server.answers = [calls(("list_dir", {"path": "."})), says("fine")]
    words = " ".join(f"'{word}'" for word in command("ask", "hi"))
    ran = subprocess.run(
        ["/bin/bash", "-c", f"{words} {closed}"], env=environment, cwd=work, capture_output=True, timeout=60
    )
    assert ran.returncode == 0
    assert ran.stdout in (b"fine\n", b"")


def test_a_full_disk_behind_stdout_is_said(
    server: ModelServer, environment: dict[str, str], work: Path
) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full on this system")
    server.answers = [says("fine")]
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            command("ask", "hi"), stdout=full, stderr=subprocess.PIPE, env=environment, cwd=work, timeout=60
        )
    assert ran.returncode == 1
    assert b"disk is full" in ran.stderr


def test_no_colours_without_a_terminal(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [calls(("list_dir", {"path": "."})), says("fine")]
    ran = bramble("ask", "hi")
    assert "\x1b" not in ran.out + ran.err


def test_a_conversation_that_is_busy_elsewhere(bramble: Bramble, server: ModelServer, start: Start) -> None:
    server.answers = [says("first")]
    session = bramble("ask", "--json", "hi").value["session"]
    server.answers = [holds("for a long time"), says("then this")]
    first = start("ask", "--session", session, "one")
    assert server.arrived.acquire(timeout=30) and server.arrived.acquire(timeout=30)
    second = start("ask", "--session", session, "two")
    assert second.stderr is not None and b"being answered in another window" in second.stderr.readline()
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=60)
    out, _err = second.communicate(timeout=60)
    assert (first.returncode, second.returncode, out) == (130, 0, b"then this\n")
    texts = [message["text"] for message in bramble("sessions", "show", session, "--json").value["messages"]]
    assert texts == ["hi", "first", "one", "for a long time", "two", "then this"]


def test_an_answer_that_begins_again_says_so(bramble: Bramble, server: ModelServer) -> None:
    server.answers = [breaks_off("half of"), says("The whole answer.")]
    ran = bramble("ask", "hi")
    assert (ran.code, ran.out) == (0, "half of\nThe whole answer.\n")
    assert "begins again" in ran.err
    server.answers = [breaks_off("half of"), says("The whole answer.")]
    assert bramble("ask", "--json", "hi").value["text"] == "The whole answer."

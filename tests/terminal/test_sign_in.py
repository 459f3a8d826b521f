"""Signing in at the terminal: the code, the wait, Ctrl-C, every refusal, and what is left on disk."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers.certificates import own_certificate, serving
from tests.servers.copilot import CLIENT_ID, GITHUB_TOKEN, Copilot, copilot_server
from tests.servers.copilot_refusals import MESSAGES, PASSING, SIGN_IN, Refusal
from tests.terminal.conftest import Bramble, Start, command
from tests.terminal.console import Console
from tests.terminal.nowhere import assert_nowhere

KEPT = 'keys_in_file = true\nmodel = "copilot/gpt-5-mini"'


@pytest.fixture
def copilot(home: Path) -> Iterator[Copilot]:
    """A Copilot of our own that the settings of this home point to."""
    with copilot_server() as running:
        (home / "settings.toml").write_text(running.settings(more=KEPT))
        yield running


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """Without the model server of the environment, and without tokens of the caller."""
    gone = ("BRAMBLE_BASE_URL", "BRAMBLE_API_KEY", "BRAMBLE_MODEL", "GH_TOKEN", "COPILOT_GITHUB_TOKEN")
    return {name: value for name, value in environment.items() if name not in gone} | {
        "PATH": "/usr/bin:/bin"
    }


def test_a_sign_in_by_a_code(bramble: Bramble, copilot: Copilot, home: Path) -> None:
    copilot.polls = [{"error": "authorization_pending"}]
    ran = bramble("login", "copilot")
    assert ran.code == 0, ran.err
    assert (
        "WDJB-MJHT" in ran.err and f"{copilot.url}/login/device" in ran.err and "15 minutes left" in ran.err
    )
    assert ran.out == "Signed in. It opens 6 models.\n"
    assert (home / "data" / "keys" / "copilot").read_text() == GITHUB_TOKEN
    listed = bramble("models", "list", "--json").value
    assert "copilot/claude-sonnet-5.5" in [one["name"] for one in listed if one["ready"]]
    ran = bramble("ask", "Hello")
    assert ran.code == 0 and "Hello from Copilot." in ran.out, ran.err
    for words in (("report",), ("doctor", "--json"), ("sessions", "list", "--json")):
        bramble(*words)
    assert_nowhere(home, GITHUB_TOKEN, *copilot.short, "a-secret-device-code-0123456789", but="copilot")
    for words in (("sessions", "export"), ("backup", str(home / "backup"))):
        session = bramble("sessions", "list", "--json").value[0]["id"]
        ran = bramble(*words, *([session, "--format", "json"] if words[0] == "sessions" else []))
        assert GITHUB_TOKEN not in ran.out + ran.err
    assert_nowhere(home, GITHUB_TOKEN, *copilot.short, but="copilot")
    ran = bramble("logout", "copilot")
    assert ran.code == 0 and not list((home / "data" / "keys").iterdir())
    ran = bramble("ask", "Hello", "--json")
    assert ran.code == 4 and "bramble login copilot" in ran.err


def test_a_sign_in_as_json(bramble: Bramble, copilot: Copilot) -> None:
    ran = bramble("login", "copilot", "--json")
    assert ran.value == {"ok": True, "profile": "copilot", "kept": "file", "models": 6}
    assert "WDJB-MJHT" in ran.err


@pytest.mark.parametrize("refusal", SIGN_IN, ids=lambda refusal: refusal.name)
def test_a_refused_sign_in_is_said_in_its_own_words(
    bramble: Bramble, copilot: Copilot, home: Path, refusal: Refusal
) -> None:
    refusal.play(copilot)
    ran = bramble("login", "copilot", "--json").sound()
    error = ran.value["error"]
    assert error["code"] == refusal.code and refusal.sentence in error["message"], ran.out
    assert ran.code == (4 if refusal.code in ("no_seat", "signed_out") else 1)
    assert not (home / "data" / "keys").exists()


@pytest.mark.parametrize(("name", "refusal"), PASSING)
def test_what_passes_by_itself_keeps_the_sign_in(
    bramble: Bramble, copilot: Copilot, name: str, refusal: tuple[int, Any]
) -> None:
    copilot.exchange = [refusal]
    ran = bramble("login", "copilot", "--json").sound()
    assert ran.value == {"ok": True, "profile": "copilot", "kept": "file"}, name
    copilot.exchange = []
    assert bramble("ask", "Hello").out.strip() == "Hello from Copilot."


def test_a_code_that_is_asked_about_too_early_is_waited_for(bramble: Bramble, copilot: Copilot) -> None:
    copilot.polls = [{"error": "slow_down", "interval": 2}, {"error": "authorization_pending"}]
    ran = bramble("login", "copilot", "--json")
    assert ran.value["models"] == 6 and len(copilot.asked("/login/oauth/access_token")) == 3


@pytest.mark.parametrize("refusal", MESSAGES, ids=lambda refusal: refusal.name)
def test_a_refused_message_says_why_and_the_next_is_answered(
    bramble: Bramble, copilot: Copilot, refusal: Refusal
) -> None:
    env = {"GH_TOKEN": GITHUB_TOKEN}
    assert bramble("models", "list", "--json", env=env).code == 0
    refusal.play(copilot)
    ran = bramble("ask", "Hello", "--json", env=env).sound()
    error = ran.value["error"]
    assert error["code"] == refusal.code and refusal.sentence in error["message"], ran.out
    tried = copilot.asked("/chat/completions") + copilot.asked("/responses")
    assert len(tried) == refusal.tries
    copilot.answers = []
    again = bramble("ask", "--continue", "Hello again", "--json", env=env)
    assert (again.code, again.value["text"]) == (0, "Hello from Copilot."), again.err


def test_ctrl_c_ends_the_wait_at_once(start: Start, copilot: Copilot, home: Path) -> None:
    copilot.polls = [{"error": "authorization_pending"} for _ in range(500)]
    process = start("login", "copilot")
    assert process.stderr is not None
    while b"WDJB-MJHT" not in (line := process.stderr.readline()):
        assert line, "it ended before the code came"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == 130
    assert b"Traceback" not in process.stderr.read() and not (home / "data" / "keys").exists()


def test_without_a_client_id_it_is_said_how_to_get_one(
    bramble: Bramble, copilot: Copilot, home: Path
) -> None:
    (home / "settings.toml").write_text(copilot.settings(client_id="", more=KEPT))
    ran = bramble("login", "copilot", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (4, "no_client_id")
    assert "OAuth App" in ran.value["error"]["detail"] and copilot.seen == []
    ran = bramble("login", "copilot", "--client-id", CLIENT_ID)
    assert ran.code == 0, ran.err
    assert f'copilot_client_id = "{CLIENT_ID}"' in (home / "settings.toml").read_text()


def test_an_enterprise_is_named_once(bramble: Bramble, home: Path) -> None:
    (home / "settings.toml").write_text('agreed = ["copilot"]\ncopilot_client_id = "x"\nproxy = "none"\n')
    ran = bramble("login", "copilot", "--domain", "octo.invalid", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (1, "no_network") and "octo.invalid" in ran.err
    assert 'copilot_domain = "octo.invalid"' in (home / "settings.toml").read_text()
    ran = bramble("login", "copilot", "--domain", "not a host", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (1, "bad_settings")


def test_terms_are_agreed_to_by_a_person(bramble: Bramble, copilot: Copilot, home: Path) -> None:
    (home / "settings.toml").write_text(copilot.settings(agreed=False, more=KEPT))
    ran = bramble("login", "copilot", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (3, "refused") and copilot.seen == []
    assert "close your account" in ran.err and "go to GitHub under your own account" in ran.err
    assert bramble("login", "copilot", "--agree").code == 0
    assert 'agreed = ["copilot"]' in (home / "settings.toml").read_text()
    assert "close your account" not in bramble("login", "copilot").err, "it is asked once"


def test_a_person_reads_agrees_and_types_the_client_id(
    environment: dict[str, str], copilot: Copilot, home: Path, work: Path
) -> None:
    (home / "settings.toml").write_text(copilot.settings(agreed=False, client_id="", more=""))
    with Console(command("login", "copilot"), environment, str(work)) as console:
        console.expect("Go on with that?")
        console.expect("> ")
        console.send("y\r")
        console.expect("/settings/developers")
        console.expect("Client id:")
        console.expect("> ")
        console.send(f"{CLIENT_ID}\r")
        console.expect("WDJB-MJHT")
        console.expect("Keep the sign-in in a file")
        console.expect("> ")
        console.send("y\r")
        console.expect("It opens 6 models.")
        assert console.process.wait(timeout=20) == 0
    assert (home / "data" / "keys" / "copilot").read_text() == GITHUB_TOKEN


def test_a_token_of_the_environment_is_used_and_not_kept(
    bramble: Bramble, copilot: Copilot, home: Path
) -> None:
    ran = bramble("login", "copilot", "--json", env={"GH_TOKEN": GITHUB_TOKEN})
    assert ran.value == {"ok": True, "profile": "copilot", "kept": "environment", "models": 6}
    assert not (home / "data" / "keys").exists() and not copilot.asked("/login/device/code")
    ran = bramble("login", "copilot", "--json", env={"GH_TOKEN": "ghp_forSomethingElse0000"})
    assert ran.value["kept"] == "file", "one that opens nothing leads on to the code"
    ran = bramble("ask", "Hello", env={"GH_TOKEN": "ghp_forSomethingElse0000"})
    assert "Hello from Copilot." in ran.out, "the person's own sign-in comes before it"
    ran = bramble("logout", "copilot", env={"GH_TOKEN": GITHUB_TOKEN})
    assert "environment still holds a key" in ran.err


def test_the_sign_in_of_gh(bramble: Bramble, copilot: Copilot, home: Path, tmp_path: Path) -> None:
    ran = bramble("login", "copilot", "--gh", "--json", env={"PATH": str(tmp_path)})
    assert (ran.code, ran.value["error"]["code"]) == (1, "no_gh")
    gh = tmp_path / "gh"
    gh.write_text(f"#!{sys.executable}\nprint({GITHUB_TOKEN!r})\n")
    gh.chmod(0o755)
    ran = bramble("login", "copilot", "--gh", "--json", env={"PATH": str(tmp_path)})
    assert ran.value["kept"] == "file" and not copilot.asked("/login/device/code")


def test_a_models_own_terms_and_what_is_left(bramble: Bramble, copilot: Copilot) -> None:
    env = {"GH_TOKEN": GITHUB_TOKEN}
    assert "has terms of its own" in bramble("models", "list", env=env).out
    ran = bramble("ask", "Hello", "--model", "copilot/grok-9", "--json", env=env)
    assert ran.code == 4 and not copilot.asked("/models/grok-9/policy")
    ran = bramble("models", "accept", "copilot/grok-9", "--json", env=env)
    assert (ran.code, ran.value["error"]["code"]) == (3, "refused")
    assert "Grok 9 is run by somebody else." in ran.err and not copilot.asked("/models/grok-9/policy")
    assert bramble("models", "accept", "copilot/grok-9", "--yes", env=env).code == 0
    assert "Hello from Copilot." in bramble("ask", "Hello", "--model", "copilot/grok-9", env=env).out
    ran = bramble("models", "quota", env=env)
    assert "Plan: individual" in ran.out and "Premium requests: 120.5 of 300 left" in ran.out
    assert "2026-12-01" in ran.err
    assert bramble("models", "quota", "--json", env=env).value["plan"] == "individual"


def test_a_free_gateway_is_opened_by_a_yes(bramble: Bramble, home: Path) -> None:
    ran = bramble("login", "kilo", "--json")
    assert (ran.code, ran.value["error"]["code"]) == (3, "refused") and "without a key" in ran.err
    ran = bramble("ask", "Hello", "--model", "kilo/x:free", "--json")
    assert ran.code == 4 and "bramble login kilo" in ran.err


@pytest.mark.parametrize("text", ["gho_two\nlines", "with blank", "ünïcode", "tab\tbed", "nul\0l"])
def test_what_is_no_key_is_not_kept(bramble: Bramble, copilot: Copilot, home: Path, text: str) -> None:
    for profile in ("openai", "copilot"):
        ran = bramble("login", profile, "--key", "-", "--file", stdin=text)
        assert ran.code == 2 and "no key" in ran.err
    assert not (home / "data" / "keys").exists() and copilot.seen == []


def test_a_crash_writes_no_token(
    environment: dict[str, str], copilot: Copilot, home: Path, work: Path
) -> None:
    """What nobody caught is logged with its trace, also when an error's own text holds the token."""
    script = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})
import asyncio, os
from app import logs
from app.engine import Engine
from app.platform.paths import home

logs.install(home(os.environ).logs, os.environ)

async def main():
    engine = Engine(home(os.environ), os.environ)
    await engine.open()
    profile, model = await engine.models.resolve("copilot/old")
    entry = await engine.models.client._door(profile).enter(
        __import__("app.models.request", fromlist=["x"]).ModelRequest(profile=profile, model=model))
    await engine.close()
    raise RuntimeError("headers: " + entry.key + " of " + os.environ["GH_TOKEN"])

asyncio.run(main())
"""
    ended = subprocess.run(
        [sys.executable, "-P", "-c", script],
        env=environment | {"GH_TOKEN": GITHUB_TOKEN},
        cwd=work,
        capture_output=True,
        timeout=60,
    )
    assert ended.returncode == 1
    log = (home / "data" / "logs" / "bramble.log").read_text()
    assert "headers: [key] of [key]" in log
    assert_nowhere(home, GITHUB_TOKEN, *copilot.short)


def test_a_sign_in_its_list_and_a_conversation_behind_an_own_certificate(
    bramble: Bramble, home: Path, tmp_path: Path
) -> None:
    """As in a company whose proxy opens what is encrypted: the code, the token, the list, the plan, turns."""
    own = own_certificate(tmp_path)
    with copilot_server(tls=serving(own)) as running:
        home.mkdir(exist_ok=True)
        (home / "settings.toml").write_text(running.settings(more=KEPT))
        refused = bramble("login", "copilot", "--json")
        assert refused.value["error"]["code"] == "tls" and not running.seen
        (home / "settings.toml").write_text(running.settings(more=f'{KEPT}\nca_file = "{own[0]}"'))
        done = bramble("login", "copilot", "--json").sound()
        assert done.value == {"ok": True, "profile": "copilot", "kept": "file", "models": 6}
        listed = bramble("models", "list", "--json").sound().value
        assert "copilot/gpt-5-mini" in {one["name"] for one in listed if one["ready"]}
        assert "individual" in bramble("models", "quota").sound().out
        first = bramble("ask", "--json", "Hello").sound()
        assert (first.code, first.value["text"]) == (0, "Hello from Copilot."), first.err
        on = bramble("ask", "--json", "--session", first.value["session"], "And?").sound()
        assert on.value["text"] == "Hello from Copilot."

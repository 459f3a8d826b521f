"""Signing in to accounts whose keys tools use, with the real program: GitHub by a token, by gh and by the
environment, and what is left on disk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.models.accounts import known
from tests.servers.github import TOKEN, GitHub, issue, thread
from tests.servers.scripted import ScriptedServer, scripted_in_thread
from tests.terminal.conftest import Bramble
from tests.terminal.nowhere import assert_nowhere
from ui.terminal.accounts import ACCOUNTS


class User(GitHub):
    """A GitHub that knows whose token it is."""

    def _route(self, method, path, query, body):  # type: ignore[no-untyped-def]
        return (200, {"login": "ada"}) if path == "/user" else super()._route(method, path, query, body)


@pytest.fixture
def hub(home: Path) -> Iterator[tuple[User, ScriptedServer]]:
    """A GitHub that the settings of this home point to; keys may stand in a file."""
    made = User()
    with scripted_in_thread(made.script) as server:
        (home / "settings.toml").write_text(
            f'keys_in_file = true\n[services]\ngithub = "http://127.0.0.1:{server.port}"\n'
        )
        yield made, server


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    """Without tokens of the caller and without gh."""
    gone = ("GH_TOKEN", "GITHUB_TOKEN")
    return {name: value for name, value in environment.items() if name not in gone} | {
        "PATH": "/usr/bin:/bin",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }


def test_the_names_are_those_of_the_engine() -> None:
    assert set(ACCOUNTS) == set(known())


def test_github_by_a_token_on_stdin(bramble: Bramble, hub: tuple[User, ScriptedServer], home: Path) -> None:
    server, _ = hub
    server.threads = [thread(1, "mention")]
    ran = bramble("tools", "call", "github_notifications", "--args", "{}", "--yes")
    assert ran.code != 0 and "bramble login github" in ran.out + ran.err
    ran = bramble("login", "github", "--key", "-", stdin=f"{TOKEN}\n")
    assert (
        ran.code == 0 and ran.out == "Signed in as ada. The key is kept in a file that only you can read.\n"
    )
    (kept,) = (home / "data" / "keys").iterdir()
    assert kept.read_text() == TOKEN and kept.stat().st_mode & 0o077 == 0
    port = server.seen[0].headers["host"].rpartition(":")[2]
    asked = bramble("tools", "call", "github_notifications", "--args", "{}", "--json")
    assert asked.code == 3 and asked.value["decision"] == "ask"
    allow = bramble("permissions", "add", f"github_notifications(127.0.0.1:{port})")
    assert allow.code == 0, allow.err
    ran = bramble("tools", "call", "github_notifications", "--args", "{}", "--json")
    assert ran.code == 0 and "You were mentioned (1)" in ran.value["result"], ran.out
    bramble("report")
    bramble("doctor", "--json")
    assert_nowhere(home, TOKEN, but=kept.name)
    ran = bramble("logout", "github")
    assert ran.code == 0 and not list((home / "data" / "keys").iterdir())


def test_a_refused_token_is_not_kept(bramble: Bramble, hub: tuple[User, ScriptedServer], home: Path) -> None:
    ran = bramble("login", "github", "--key", "-", "--json", stdin="ghp_wrong\n")
    assert ran.code != 0 and ran.value["error"]["code"] == "account_refused"
    assert not (home / "data" / "keys").exists() or not list((home / "data" / "keys").iterdir())


def test_a_dead_github_keeps_the_token_all_the_same(bramble: Bramble, home: Path) -> None:
    (home / "settings.toml").write_text('keys_in_file = true\n[services]\ngithub = "http://127.0.0.1:9"\n')
    ran = bramble("login", "github", "--key", "-", "--json", stdin=TOKEN)
    assert ran.value == {"ok": True, "profile": "github", "kept": "file"}


def test_nobody_types_a_key_without_a_terminal(bramble: Bramble, hub: tuple[User, ScriptedServer]) -> None:
    ran = bramble("login", "brave")
    assert ran.code == 2 and "--key -" in ran.err and "api-dashboard.search.brave.com" in ran.err
    assert bramble("login", "tavily", "--key", "-", stdin="two words").code == 2


def test_gh_and_the_environment_give_a_token(
    bramble: Bramble, hub: tuple[User, ScriptedServer], environment: dict[str, str], tmp_path: Path
) -> None:
    server, here = hub
    server.issues = {1: issue(1, "Crash")}
    args = json.dumps({"action": "list", "repo": "octo/hello"})
    call = ("tools", "call", "github_issues", "--args", args, "--json")
    bramble("permissions", "add", f"github_issues(127.0.0.1:{here.port})")
    ran = bramble(*call, env={**environment, "GITHUB_TOKEN": TOKEN})
    assert ran.code != 0 and "bramble login github" in ran.out, "a token of github.com goes nowhere else"
    ran = bramble(*call, env={**environment, "GH_ENTERPRISE_TOKEN": TOKEN})
    assert ran.code == 0 and "#1 Crash" in ran.value["result"], ran.out + ran.err
    program = tmp_path / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n[ "$*" = "auth token --hostname 127.0.0.1" ] && echo {TOKEN}\n')
    program.chmod(0o755)
    with_gh = {**environment, "PATH": f"{program.parent}:/usr/bin:/bin"}
    ran = bramble(*call, env=with_gh)
    assert ran.code == 0 and "#1 Crash" in ran.value["result"], ran.out + ran.err
    ran = bramble("login", "github", "--gh", env=with_gh)
    assert ran.code == 0 and ran.out.startswith("Signed in as ada.")
    ran = bramble("logout", "github", env=with_gh)
    assert "GitHub's own program gh" in ran.err

"""Accounts: both ways in, where they lead, who refreshes, and what a refusal means."""

from __future__ import annotations

import asyncio
import stat
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest

from app.errors import ModelError
from app.models import sign_in
from app.models.copilot.exchange import _lifetime
from app.models.copilot.place import VERSION, identity, place_of
from app.models.profiles import load_profile
from tests.models.copilot.desk import desk
from tests.servers.copilot import GITHUB_TOKEN, Copilot, copilot_server
from tests.servers.scripted import Exchange, scripted

APP_REFUSED = (403, {"message": "Resource not accessible by integration"})
GONE = (404, {"message": "Not Found"})
NO_SEAT = (
    403,
    {
        "error_details": {"notification_id": "not_signed_up", "title": "Sign up"},
        "message": "Resource not accessible by integration",
    },
)


@pytest.mark.parametrize("refusal", [APP_REFUSED, GONE])
async def test_the_way_that_works_is_taken(home: Path, refusal: tuple[int, object]) -> None:
    with copilot_server(Copilot(exchange=[refusal], direct=True)) as copilot:
        async with desk(home, copilot) as at:
            assert (await at.ask()).text == "Hello from Copilot."
            await at.ask()
        sent = copilot.asked("/chat/completions")
        assert {one.headers["authorization"] for one in sent} == {f"Bearer {GITHUB_TOKEN}"}
        assert len(copilot.asked("/copilot_internal/v2/token")) == 1, "the way that failed is not tried again"


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (APP_REFUSED, "app_refused"),
        (NO_SEAT, "no_seat"),
        ((403, {"message": "Copilot is disabled by your organization"}), "forbidden_by_policy"),
        ((403, {"message": "API rate limit exceeded for user ID 1."}), "rate_limit"),
        ((401, {"message": "Bad credentials"}), "signed_out"),
        ((500, b"oops"), "server_error"),
        ((200, b"<html>hotel</html>"), "web_page"),
        ((200, b"hotel"), "bad_reply"),
        ((200, {"token": ""}), "bad_reply"),
        ((200, {"token": "a\nb"}), "bad_reply"),
        ((200, []), "bad_reply"),
    ],
)
async def test_a_refused_exchange_says_why(home: Path, refusal: tuple[int, object], code: str) -> None:
    with copilot_server(Copilot(exchange=[refusal])) as copilot:
        async with desk(home, copilot) as at:
            with pytest.raises(ModelError) as caught:
                await at.ask()
            assert caught.value.code == code
            assert GITHUB_TOKEN not in f"{caught.value} {caught.value.problem}"
        assert not copilot.asked("/chat/completions")


async def test_a_token_of_the_editors_app_is_never_sent_as_it_is(home: Path) -> None:
    with copilot_server(Copilot(exchange=[GONE], direct=True)) as copilot:
        async with desk(home, copilot, environ={"GH_TOKEN": "ghu_editorToken12345678"}) as at:
            with pytest.raises(ModelError):
                await at.ask()
        assert not copilot.asked("/models")


async def test_no_token_is_no_sign_in(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot, environ={}) as at:
            with pytest.raises(ModelError) as caught:
                await at.models.resolve("copilot/gpt-5-mini")
            assert caught.value.code == "no_sign_in"
            assert {one.why for one in await at.models.list() if one.profile == "copilot"} == {"no_sign_in"}
        assert copilot.seen == []


async def test_many_requests_make_one_token(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            profile = at.models.named("copilot/old")[0]
            account = at.models.sign_in.account(profile)
            made = await asyncio.gather(*(account.enter(profile) for _ in range(8)))
            assert len({one.token for one in made}) == 1
            renewed = await asyncio.gather(*(account.renew(profile, made[0].token) for _ in range(4)))
            assert renewed == [True] * 4
        assert len(copilot.asked("/copilot_internal/v2/token")) == 2


async def test_the_short_token_stands_nowhere_on_disk(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            await at.ask()
        short = copilot.short[0].encode()
    written = [path for path in home.rglob("*") if path.is_file()]
    assert written and not any(short in path.read_bytes() for path in written)
    assert not any(GITHUB_TOKEN.encode() in path.read_bytes() for path in written)


async def test_a_base_of_somebody_else_gets_no_token(home: Path) -> None:
    public = place_of(load_profile("copilot", {}, {}), "")
    assert public == ("https://github.com", "https://api.github.com", "https://api.githubcopilot.com")
    for url, taken in (
        ("https://api.business.githubcopilot.com/", "https://api.business.githubcopilot.com"),
        ("http://api.business.githubcopilot.com", public.base),
        ("https://api.githubcopilot.com.evil.example", public.base),
        ("https://evil.example", public.base),
        ("http://127.0.0.1:9", public.base),
        ("https://[bad", public.base),
    ):
        assert public.trusted_base(url) == taken


def test_an_enterprise_has_its_own_addresses() -> None:
    profile = load_profile("copilot", {}, {})
    for domain in ("octo.ghe.com", " https://Octo.ghe.com/login ", "octo.ghe.com/"):
        place = place_of(profile, domain)
        assert place == (
            "https://octo.ghe.com",
            "https://api.octo.ghe.com",
            "https://copilot-api.octo.ghe.com",
        )
    assert place.trusted_base("https://copilot-api.octo.ghe.com") == place.base
    assert place.trusted_base("https://api.githubcopilot.com") == place.base
    for domain in ("octo ghe", "-x.com", "a/../b@c"):
        if domain == "a/../b@c":
            assert place_of(profile, domain).host == "a"
            continue
        with pytest.raises(ModelError) as caught:
            place_of(profile, domain)
        assert caught.value.code == "bad_settings"


async def test_a_token_that_names_no_base_names_its_proxy(home: Path) -> None:
    with copilot_server(Copilot(names_base=False)) as copilot:
        async with desk(home, copilot) as at:
            profile = at.models.named("copilot/old")[0]
            made = await at.models.sign_in.account(profile).enter(profile)
    assert made.base == copilot.url, "the host that it names does not belong to this server"
    profile = msgspec.structs.replace(load_profile("copilot", {}, {}))
    assert (
        place_of(profile, "")
        .trusted_base("https://api.individual.githubcopilot.com")
        .endswith("individual.githubcopilot.com")
    )


def test_no_clock_makes_it_ask_without_end() -> None:
    assert _lifetime({"refresh_in": 1500, "expires_at": 1}, 5000.0) == 1440
    assert _lifetime({"refresh_in": 10}, 0.0) == 60
    assert _lifetime({"expires_at": 2800}, 1000.0) == 1500
    assert _lifetime({"expires_at": 10}, 5000.0) == 60, "a clock that goes ahead"
    assert _lifetime({}, 0.0) == 1500


async def test_what_is_left_of_the_plan(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            quota = await at.models.sign_in.quota("copilot")
    assert (quota.plan, quota.resets) == ("individual", "2026-12-01")
    chat, premium = quota.rows
    assert chat.unlimited and chat.kind == "chat"
    assert (premium.entitlement, premium.remaining, premium.percent, premium.more) == (300, 120.5, 40.2, True)


async def test_a_sign_in_from_end_to_end(home: Path) -> None:
    with copilot_server(Copilot(polls=[{"error": "authorization_pending"}])) as copilot:
        text = copilot.settings(more="keys_in_file = true")
        async with desk(home, copilot, environ={}, text=text) as at:
            way = await at.models.sign_in.way("copilot")
            assert way.client_id and not way.kept and way.agreed and way.terms and way.apps_page
            begun = await at.models.sign_in.begin("copilot")
            assert begun.code == "WDJB-MJHT"
            done = await at.models.sign_in.finish(begun.id)
            assert (done.kept, done.models) == ("file", 6)
            assert (await at.ask()).text == "Hello from Copilot."
            with pytest.raises(ModelError):
                await at.models.sign_in.finish(begun.id)
            file = home / "data" / "keys" / "copilot"
            assert file.read_text() == GITHUB_TOKEN and stat.S_IMODE(file.stat().st_mode) == 0o600
            await at.models.forget_key("copilot")
            with pytest.raises(ModelError) as caught:
                await at.models.resolve("copilot/gpt-5-mini")
            assert caught.value.code == "no_sign_in"
            assert at.told == 2 and not list((home / "cache" / "lists").iterdir())


async def test_a_token_is_not_lost_while_the_person_decides_about_a_file(home: Path) -> None:
    from app.errors import StoreError

    with copilot_server() as copilot:
        async with desk(home, copilot, environ={}) as at:
            begun = await at.models.sign_in.begin("copilot")
            with pytest.raises(StoreError) as caught:
                await at.models.sign_in.finish(begun.id)
            assert caught.value.code == "needs_consent"
            done = await at.models.sign_in.finish(begun.id, file_consent=True)
            assert done.kept == "file"
        assert len(copilot.asked("/login/oauth/access_token")) == 1


async def test_a_token_that_opens_nothing_is_not_kept(home: Path) -> None:
    with copilot_server(Copilot(exchange=[NO_SEAT])) as copilot:
        async with desk(home, copilot, environ={}, text=copilot.settings(more="keys_in_file = true")) as at:
            begun = await at.models.sign_in.begin("copilot")
            with pytest.raises(ModelError) as caught:
                await at.models.sign_in.finish(begun.id)
            assert caught.value.code == "no_seat"
            with pytest.raises(ModelError) as caught:
                await at.models.set_key("copilot", "gho_other")
            assert caught.value.code == "no_seat"
    assert not (home / "data" / "keys").exists()


async def test_no_client_id_is_said_before_anything_is_sent(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot, environ={}, text=copilot.settings(client_id="")) as at:
            with pytest.raises(ModelError) as caught:
                await at.models.sign_in.begin("copilot")
            assert caught.value.code == "no_client_id"
        assert copilot.seen == []


async def test_the_sign_in_of_gh_is_taken(home: Path, tmp_path: Path) -> None:
    with copilot_server() as copilot:
        (tmp_path / "bin").mkdir()
        gh = tmp_path / "bin" / "gh"
        host = copilot.url.removeprefix("http://")
        gh.write_text(
            f"#!{sys.executable}\nimport os, sys\n"
            f"assert sys.argv[1:] == ['auth', 'token', '--hostname', {host!r}], sys.argv\n"
            "assert 'GITHUB_TOKEN' not in os.environ\n"
            f"print({GITHUB_TOKEN!r})\n"
        )
        gh.chmod(0o755)
        environ = {"PATH": str(tmp_path / "bin"), "GITHUB_TOKEN": "ghp_other"}
        async with desk(
            home, copilot, environ=environ, text=copilot.settings(more="keys_in_file = true")
        ) as at:
            assert (await at.models.sign_in.way("copilot")).gh
            assert (await at.models.sign_in.take_gh("copilot")).kept == "file"
            assert (await at.ask()).text == "Hello from Copilot."
            gh.write_text("#!/bin/sh\necho no oauth token >&2\nexit 1\n")
            with pytest.raises(ModelError) as caught:
                await at.models.sign_in.take_gh("copilot")
            assert caught.value.code == "no_gh" and "no oauth token" in caught.value.problem.detail
            gh.unlink()
            assert not (await at.models.sign_in.way("copilot")).gh


async def test_a_token_of_the_environment_is_looked_at_and_left_there(home: Path) -> None:
    with copilot_server() as copilot:
        async with desk(home, copilot) as at:
            assert (await at.models.sign_in.way("copilot")).variable == "GH_TOKEN"
            done = await at.models.sign_in.take_environment("copilot")
            assert (done.kept, done.models) == ("environment", 6)
    assert not (home / "data" / "keys").exists()


def test_it_says_its_own_name_and_version() -> None:
    headers = identity()
    assert headers["user-agent"] == f"Bramble/{VERSION}"
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION


async def test_a_silent_github_holds_nobody_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mute(exchange: Exchange) -> None:
        await exchange.gone()

    monkeypatch.setattr(sign_in, "LOOK_SECONDS", 0.2)
    async with scripted(mute) as server:
        url = server.url.removesuffix("/v1")
        table = f'github = "{url}"\ngithub_api = "{url}"\nbase_url = "{url}"\n'
        text = f'agreed = ["copilot"]\n[profiles.copilot]\n{table}'
        async with desk(home, Copilot(), text=text) as at, asyncio.timeout(5):
            found = [one for one in await at.models.list() if one.profile == "copilot"]
            assert found and all(one.ready for one in found), "what the data say holds meanwhile"
            await at.models.list()
        assert len(server.requests) == 1


async def test_a_token_of_one_github_is_never_sent_to_another(home: Path) -> None:
    """What is kept and what the environment holds belongs to a domain."""
    with copilot_server() as copilot:
        text = copilot.settings(more="keys_in_file = true")
        async with desk(home, copilot, environ={}, text=text) as at:
            await at.models.set_key("copilot", GITHUB_TOKEN)
            assert (await at.ask()).text == "Hello from Copilot."
            asked = len(copilot.seen)
            at.settings = msgspec.structs.replace(at.settings, copilot_domain="git.evil.example")
            at.models.forget_known()
            with pytest.raises(ModelError) as caught:
                await at.models.resolve("copilot/old")
            assert caught.value.code == "no_sign_in" and len(copilot.seen) == asked
            copilot.tokens.add("gho_ofTheEnterprise000000")
            await at.models.set_key("copilot", "gho_ofTheEnterprise000000")
            kept = sorted(path.name for path in (home / "data" / "keys").iterdir())
            assert kept == ["copilot", "copilot%40git.evil.example"]
            await at.models.forget_key("copilot")
            assert [path.name for path in (home / "data" / "keys").iterdir()] == ["copilot"]


@pytest.mark.parametrize(
    ("domain", "variable", "found"),
    [
        ("", "GH_TOKEN", True),
        ("github.com", "GH_TOKEN", True),
        ("octo.ghe.com", "GH_TOKEN", True),
        ("git.example.com", "GH_TOKEN", False),
        ("git.example.com", "COPILOT_GITHUB_TOKEN", True),
    ],
)
async def test_a_variable_of_github_counts_for_its_own_domains(
    home: Path, domain: str, variable: str, found: bool
) -> None:
    with copilot_server() as copilot:
        text = f'agreed = ["copilot"]\ncopilot_domain = "{domain}"\n'
        async with desk(home, copilot, environ={variable: GITHUB_TOKEN}, text=text) as at:
            info = await at.models.info("copilot")
            assert info.key == ("environment" if found else "none")
            assert (await at.models.sign_in.way("copilot")).variable == (variable if found else "")


async def test_a_token_that_another_process_replaced_is_read_again_once_it_is_refused(home: Path) -> None:
    """Else it is read once a start, also when passes are made anew."""
    with copilot_server() as copilot:
        async with desk(home, copilot, environ={}) as at:
            await at.models.set_key("copilot", GITHUB_TOKEN, file_consent=True)
            assert (await at.ask()).text == "Hello from Copilot."
            copilot.tokens = {"gho_signedInAnew00000000"}
            (home / "data" / "keys" / "copilot").write_text("gho_signedInAnew00000000")
            copilot.short.append("another one is in force now")
            assert (await at.ask()).text == "Hello from Copilot."
            sent = [one.headers["authorization"] for one in copilot.asked("/copilot_internal/v2/token")]
            assert sent[-2:] == [f"token {GITHUB_TOKEN}", "token gho_signedInAnew00000000"]


async def test_a_failed_renewal_never_replaces_a_newer_token(home: Path) -> None:
    """Another process has signed in anew meanwhile, and GitHub refuses both for now."""
    with copilot_server() as copilot:
        async with desk(home, copilot, environ={}) as at:
            await at.models.set_key("copilot", GITHUB_TOKEN, file_consent=True)
            await at.ask()
            kept, newer = home / "data" / "keys" / "copilot", "gho_signedInAnew00000000"
            kept.write_text(newer)
            copilot.tokens, copilot.short = set(), ["another one is in force now"]
            with pytest.raises(ModelError) as caught:
                await at.ask()
            assert caught.value.code == "signed_out" and kept.read_text() == newer
            copilot.tokens = {newer}
            assert (await at.ask()).text == "Hello from Copilot."
            assert kept.read_text() == newer

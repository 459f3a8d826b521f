"""What GitHub refuses, and what the tools refuse themselves: each is told with what to do, and
nothing is sent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.settings import Settings
from tests.servers.github import TOKEN, GitHub, pull
from tests.servers.scripted import scripted
from tests.tools.github.github_desk import desk_with
from tests.tools.online_desk import OnlineDesk
from tools.github.github_issues import github_issues
from tools.github.github_notifications import github_notifications
from tools.github.github_pulls import github_pulls

REPO = "octo/hello"


async def change(desk: OnlineDesk, tool: Any, **given: Any) -> Any:
    return await desk.call(tool, reads=False, repo=REPO, **given)


LIMIT = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1796000900"}


@pytest.mark.parametrize(
    ("refusal", "code", "words"),
    [
        ((401, {"message": "Bad credentials"}, {}), "account_refused", "bramble login github"),
        (
            (403, {"message": "Resource not accessible by personal access token"}, {}),
            "account_refused",
            "lack the right",
        ),
        (
            (403, {"message": "API rate limit exceeded"}, LIMIT),
            "service_limited",
            "until 01:08 UTC, in 15 minutes",
        ),
        (
            (429, {"message": "secondary rate limit"}, {"retry-after": "90"}),
            "service_limited",
            "for 90 seconds",
        ),
        ((404, {"message": "Not Found"}, {}), "service_missing", "may not see looks the same"),
        ((410, {"message": "Issues are disabled"}, {}), "service_missing", "Issues are disabled"),
        ((500, b"<html>Unicorn!</html>", {}), "service_failed", "HTTP 500"),
        ((200, b"<html>Sign in to the network</html>", {}), "service_failed", "text/html in place of JSON"),
        ((200, {"not": "a list"}, {}), "service_failed", "something else than a list"),
        ((301, {"message": "Moved"}, {"location": "/elsewhere"}), "too_many_redirects", "circle"),
    ],
    ids=["401", "403", "limit", "429", "404", "410", "500", "html", "object", "301"],
)
async def test_each_refusal_is_told_with_what_to_do(
    tmp_path: Path, refusal: Any, code: str, words: str
) -> None:
    hub = GitHub()
    hub.refuse = refusal
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_issues, action="list", repo=REPO)
    assert not told.ok and told.summary == code and words in told.text, told.text


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"action": "create", "title": "P", "base": "main", "head": "missing"}, "PullRequest head invalid"),
        ({"action": "create", "title": "P", "head": "fix"}, "needs title, base and head"),
        ({"action": "review", "number": 1, "title": "approve"}, "Can not approve your own pull request"),
        ({"action": "review", "number": 1, "title": "maybe"}, "approve, request_changes or comment"),
        ({"action": "review", "number": 1}, "needs a text"),
        ({"action": "comment", "number": 1}, "Give the text"),
        ({"action": "merge", "number": 2}, "not mergeable"),
        ({"action": "merge", "number": 3}, "is closed"),
        ({"action": "merge", "number": 0}, "Give its number"),
        ({"action": "merge", "number": 99}, "nothing there"),
    ],
)
async def test_a_change_that_cannot_be_made_says_why(
    tmp_path: Path, given: dict[str, Any], words: str
) -> None:
    hub = GitHub()
    hub.pulls = {
        1: pull(1, "Mine", user={"login": "me"}),
        2: pull(2, "Dirty", mergeable_state="dirty"),
        3: pull(3, "Closed", state="closed"),
    }
    async with desk_with(tmp_path, hub) as desk:
        told = await change(desk, github_pulls, **given)
    assert not told.ok and words in told.text, told.text


@pytest.mark.parametrize("repo", ["", "octo", "octo/../x", "octo/hello/issues", "a b/c", "octo/..", "../.."])
async def test_what_names_no_repository_is_refused(tmp_path: Path, repo: str) -> None:
    hub = GitHub()
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_issues, action="read", repo=repo, number=1)
    assert not told.ok and "owner/name" in told.text and hub.seen == []


async def test_without_a_sign_in_it_says_how_and_sends_nothing(tmp_path: Path) -> None:
    hub = GitHub()
    async with desk_with(tmp_path, hub, key="") as desk:
        told = await desk.call(github_notifications)
    assert told.summary == "no_account" and "bramble login github" in told.text and hub.seen == []
    desk = OnlineDesk(tmp_path, Settings(services={"github": "http://127.0.0.1:9"}), {"github": TOKEN})
    assert (await desk.call(github_notifications)).summary == "no_answer"


async def test_a_token_is_not_sent_in_the_clear(tmp_path: Path) -> None:
    desk = OnlineDesk(tmp_path, Settings(services={"github": "http://hub.example/api/v3"}), {"github": TOKEN})
    told = await desk.call(github_notifications)
    assert told.summary == "bad_settings" and "must be https" in told.text and desk.asked == []


async def test_a_redirect_to_another_host_gets_no_token_and_a_change_never_follows(tmp_path: Path) -> None:
    other = GitHub()
    async with scripted(other.script) as there:
        hub = GitHub()
        hub.refuse = (307, {}, {"location": f"http://localhost:{there.port}/repos/octo/hello/issues"})
        async with desk_with(tmp_path, hub) as desk:
            rules = {"named": [f"localhost:{there.port}", "localhost"]}
            read = await desk.call(github_issues, action="list", repo=REPO, rules=rules)
            assert not read.ok and all("authorization" not in one.headers for one in other.seen)
            before = len(other.seen)
            sent = await change(desk, github_issues, action="create", title="x", rules=rules)
            assert not sent.ok and "points elsewhere" in sent.text and len(other.seen) == before

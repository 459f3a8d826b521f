"""The GitHub tools against a GitHub on a loopback socket: reading in pages, changes that are asked about and
looked at afterwards, and every refusal that it documents.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.records import Answer, Mark, RequestEffect
from tests.servers.github import TOKEN, GitHub, issue, pull, thread
from tests.tools.github.github_desk import desk_with
from tests.tools.online_desk import OnlineDesk
from tools.github.github_issues import github_issues
from tools.github.github_notifications import github_notifications
from tools.github.github_pulls import github_pulls

REPO = "octo/hello"


def written(hub: GitHub) -> list[tuple[str, str]]:
    return [(one.method, one.path) for one in hub.seen if one.method != "GET"]


# --- reading


async def test_open_issues_are_listed_without_pull_requests_after_one_question(tmp_path: Path) -> None:
    hub = GitHub()
    hub.issues = {
        1: issue(1, "Crash\non start", labels=[{"name": "bug"}], comments=2),
        2: issue(2, "A pull request in disguise", pull_request={"url": "x"}),
    }
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_issues, action="list", repo="https://github.com/octo/hello.git")
        assert told.ok and told.summary == "1 issue"
        assert told.text == "#1 Crash on start [bug] (open, ada, updated 2026-11-02, 2 comments)"
        assert len(desk.asked) == 1 and isinstance(desk.asked[0], RequestEffect)
        assert desk.last is not None and Mark(kind="github", name="127.0.0.1") in desk.last.marks
        assert hub.seen[0].headers["x-github-api-version"] == "2022-11-28"
    assert TOKEN not in json.dumps([told.text, str(desk.asked), str(desk.last)])


async def test_issues_are_searched_and_those_of_the_person_are_found_without_a_repository(
    tmp_path: Path,
) -> None:
    hub = GitHub()
    hub.issues = {1: issue(1, "Crash")}
    async with desk_with(tmp_path, hub) as desk:
        one = await desk.call(github_issues, action="list", repo=REPO, query="crash", labels=["good first"])
        mine = await desk.call(github_issues, action="list")
        hub.endless = True
        many = await desk.call(github_issues, action="list", query="crash")
    assert one.text.startswith("#1 Crash") and mine.text.startswith("octo/hello#1 Crash")
    assert "there are more, 50 in all" in many.text
    from tests.servers.site import query_of

    asked = [query_of(one)["q"] for one in hub.seen]
    assert asked == [
        'is:issue repo:octo/hello label:"good first" crash',
        "is:issue involves:@me state:open",
        "is:issue crash",
    ]


async def test_an_issue_is_read_with_its_comments_within_bounds(tmp_path: Path) -> None:
    hub = GitHub()
    hub.issues = {7: issue(7, "Long", body="x" * 9_000, comments=1)}
    hub.comments = {7: [{"id": 1, "user": None, "body": "me too", "created_at": "2026-11-03T00:00:00Z"}]}
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_issues, action="read", repo=REPO, number=7)
    assert "[5,000 more characters]" in told.text and "--- ghost, 2026-11-03:\nme too" in told.text


async def test_a_list_without_an_end_is_cut(tmp_path: Path) -> None:
    hub = GitHub()
    hub.endless = True
    hub.issues = {number: issue(number, f"T{number}") for number in range(1, 6)}
    hub.threads = [thread(1, "mention")]
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_issues, action="list", repo=REPO)
        assert told.text.endswith("[there are more; narrow it with query]") and len(hub.seen) == 1
        inbox = await desk.call(github_notifications)
        assert "[there are older ones]" in inbox.text and len(hub.seen) < 10


async def test_the_inbox_is_sorted_by_what_waits_for_the_person(tmp_path: Path) -> None:
    hub = GitHub()
    hub.threads = [
        thread(4, "subscribed"),
        thread(2, "mention"),
        thread(3, "review_requested", "PullRequest"),
        thread(5, "author", unread=False),
    ]
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_notifications)
        assert told.text.splitlines()[0] == "Reviews wanted (1):" and told.summary == "3 notifications"
        assert "- * octo/hello pull request #3: About 3 (2026-11-29)" in told.text
        assert "Others (1):\n- * octo/hello issue #4" in told.text
        everything = await desk.call(github_notifications, unread=False)
        assert "What you take part in (1):\n- octo/hello issue #5" in everything.text
        assert (await desk.call(github_notifications, filter="mentions")).summary == "1 notification"
        hub.threads = []
        assert (await desk.call(github_notifications, filter="reviews")).summary == "nothing new"


async def test_a_pull_request_is_read_with_reviews_and_a_bounded_diff(tmp_path: Path) -> None:
    hub = GitHub()
    hub.pulls = {12: pull(12, "Fix it")}
    hub.reviews = {
        12: [
            {
                "id": 1,
                "user": {"login": "bob"},
                "state": "APPROVED",
                "body": "",
                "submitted_at": "2026-11-04T0",
            }
        ]
    }
    hub.files = [
        {
            "filename": "a.py",
            "status": "modified",
            "additions": 1,
            "deletions": 1,
            "patch": "@@ -1 +1 @@\n-a\n+b",
        },
        {"filename": "big.txt", "status": "added", "additions": 9, "deletions": 0, "patch": "+" * 20_000},
        {"filename": "logo.png", "status": "added", "additions": 0, "deletions": 0},
    ]
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_pulls, action="read", repo=REPO, number=12)
    assert told.summary == "#12, open, clean" and "octo:fix into octo:main, +3 -1 in 1 files" in told.text
    assert "--- bob approved, 2026-11-04:" in told.text and "@@ -1 +1 @@\n-a\n+b" in told.text
    assert "[its diff of 20,000 characters is left out]" in told.text and "added logo.png +0 -0" in told.text


async def test_checks_show_what_failed_first(tmp_path: Path) -> None:
    hub = GitHub()
    hub.pulls = {12: pull(12, "Fix it")}
    hub.checks = [
        {"name": "lint", "status": "completed", "conclusion": "success", "html_url": "https://x/1"},
        {"name": "test", "status": "completed", "conclusion": "failure", "html_url": "https://x/2"},
        {"name": "deploy", "status": "in_progress", "conclusion": None},
    ]
    hub.statuses = [{"context": "cla", "state": "error", "target_url": None}]
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_pulls, action="checks", repo=REPO, number=12)
        lines = told.text.splitlines()
        assert lines == [
            "#12 (abc123de): 4 checks, 2 failed, 1 not finished",
            "- failure: test https://x/2",
            "- error: cla",
            "- in_progress: deploy",
            "- success: lint",
        ]
        hub.checks, hub.statuses = [], []
        assert (await desk.call(github_pulls, action="checks", repo=REPO, number=12)).summary == "no checks"
        assert (await desk.call(github_pulls, action="list", repo=REPO, head="fix")).text.startswith(
            "#12 Fix it"
        )
        assert "octo/hello#12" in (await desk.call(github_pulls, action="list")).text


# --- changing


async def change(desk: OnlineDesk, tool: Any, **given: Any) -> Any:
    return await desk.call(tool, reads=False, repo=REPO, **given)


async def test_each_change_of_an_issue_is_asked_about_once_and_verified(tmp_path: Path) -> None:
    hub = GitHub()
    async with desk_with(tmp_path, hub) as desk:
        made = await change(desk, github_issues, action="create", title="New", body="Text", labels=["bug"])
        assert made.text == "Verified: issue #1 was created: https://github.com/octo/hello/issues/1."
        effect = desk.asked[0]
        assert (
            isinstance(effect, RequestEffect) and effect.method == "POST" and '"title": "New"' in effect.body
        )
        assert effect.headers == ("authorization: ...",)
        assert (await change(desk, github_issues, action="comment", number=1, body="hm")).text.startswith(
            "Verified"
        )
        assert (await change(desk, github_issues, action="label", number=1, labels=["ui"])).text == (
            "Verified: the labels are now [bug, ui]."
        )
        closed = await change(desk, github_issues, action="close", number=1, body="done")
        assert desk.asked[-1].method == "POST+PATCH" and '"body": "done"' in desk.asked[-1].body
        assert closed.text == "Verified: #1 is closed." and hub.issues[1]["state"] == "closed"
        assert len(desk.asked) == 4, "looking at what became of it asks nobody again"


async def test_each_change_of_a_pull_request_is_verified(tmp_path: Path) -> None:
    hub = GitHub()
    async with desk_with(tmp_path, hub) as desk:
        made = await change(desk, github_pulls, action="create", title="Fix", base="main", head="fix")
        assert made.text.startswith("Verified: pull request #1 was created")
        assert (
            await change(desk, github_pulls, action="comment", number=1, body="ok")
            if 1 in hub.issues
            else made
        ).ok
        review = await change(
            desk, github_pulls, action="review", number=1, title="Request changes", body="no"
        )
        assert review.text == "Verified: the review of commit abc123de stands as changes_requested."
        merged = await change(desk, github_pulls, action="merge", number=1)
        assert merged.text == "Verified: pull request #1 was merged as feedface."
        again = await change(desk, github_pulls, action="merge", number=1)
        assert "merged already" in again.text
        body = next(one.json for one in hub.seen if one.method == "PUT")
        assert body == {"sha": "abc123def456"}, "what is pushed meanwhile is not merged unseen"


async def test_reading_marks_only_what_was_shown_as_read(tmp_path: Path) -> None:
    hub = GitHub()
    hub.threads = [thread(1, "mention"), thread(2, "subscribed")]
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(github_notifications, reads=False, filter="mentions", mark_read=True)
        assert told.text.startswith("Verified: 1 were marked as read.")
        assert [one["unread"] for one in hub.threads] == [False, True]
        hub.deaf, desk.asked = True, []
        hub.threads += [thread(3, "author"), thread(4, "author")]
        told = await desk.call(github_notifications, reads=False, mark_read=True)
        assert told.text.startswith("Unverified: 3 of 3 still show as unread.")
        assert [effect.method for effect in desk.asked] == ["GET", "PATCH"], "all of them are one question"
        assert desk.asked[1].body.count("PATCH http") == 3


async def test_what_github_does_not_show_afterwards_is_unverified(tmp_path: Path) -> None:
    hub = GitHub()
    hub.deaf = True
    hub.issues, hub.pulls = {1: issue(1, "A")}, {1: pull(1, "P")}
    async with desk_with(tmp_path, hub) as desk:
        told = [
            await change(desk, github_issues, action="create", title="N", labels=["bug"]),
            await change(desk, github_issues, action="comment", number=1, body="hm"),
            await change(desk, github_issues, action="label", number=1, labels=["ui"]),
            await change(desk, github_issues, action="close", number=1),
            await change(desk, github_pulls, action="review", number=1, title="approve"),
            await change(desk, github_pulls, action="merge", number=1),
        ]
    assert all(one.text.startswith("Unverified: ") and "unverified" in one.summary for one in told), told


async def test_a_refused_change_sends_nothing_and_rules_open_it(tmp_path: Path) -> None:
    hub = GitHub()
    hub.issues = {1: issue(1, "A")}
    async with desk_with(tmp_path, hub) as desk:
        desk.answer = lambda effect: Answer(decision="deny", by="test")
        refused = await change(desk, github_issues, action="close", number=1)
        assert not refused.ok and "The person said no" in refused.text and hub.seen == []
        port = desk.settings.services["github"].rpartition(":")[2].strip("/")
        allow = [f"github_issues(* 127.0.0.1:{port})"]
        alone = await change(desk, github_issues, action="close", number=1, rules={"attended": False})
        assert not alone.ok and hub.seen == []
        asked = len(desk.asked)
        done = await change(
            desk, github_issues, action="close", number=1, rules={"allow": allow, "attended": False}
        )
        assert (
            done.ok and len(desk.asked) == asked and written(hub) == [("PATCH", "/repos/octo/hello/issues/1")]
        )
        desk.marks = (Mark(kind="github", name="127.0.0.1"),)
        marked = await change(
            desk, github_issues, action="close", number=1, rules={"allow": allow, "attended": False}
        )
        assert not marked.ok, "text of an issue must not make us write one"


@pytest.mark.parametrize("action", ["create", "comment", "label", "close"])
async def test_a_reading_call_changes_nothing(tmp_path: Path, action: Any) -> None:
    hub = GitHub()
    async with desk_with(tmp_path, hub) as desk:
        told = await desk.call(
            github_issues, action=action, repo=REPO, number=1, title="x", body="x", labels=["x"]
        )
    assert not told.ok and "Only reading" in told.text and hub.seen == []

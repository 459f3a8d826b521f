"""A GitHub on a loopback socket, as docs.github.com/rest describes it: notifications, issues, pull
requests, reviews, checks, pages by Link headers, and its refusals. It keeps what is changed, as far
as tests look at it.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.servers.scripted import Exchange, Received, Script

REPO = "/repos/octo/hello"
TOKEN = "github_pat_TESTTOKEN"


def issue(number: int, title: str, **more: Any) -> dict[str, Any]:
    """Return an issue as lists show it."""
    return {
        "id": 1000 + number,
        "number": number,
        "title": title,
        "state": "open",
        "user": {"login": "ada"},
        "labels": [],
        "comments": 0,
        "body": f"The text of {title}",
        "created_at": "2026-11-01T10:00:00Z",
        "updated_at": "2026-11-02T10:00:00Z",
        "html_url": f"https://github.com/octo/hello/issues/{number}",
        "repository_url": "https://api.github.com/repos/octo/hello",
        **more,
    }


def pull(number: int, title: str, **more: Any) -> dict[str, Any]:
    """Return a pull request as one alone is shown."""
    return issue(
        number,
        title,
        **{
            "html_url": f"https://github.com/octo/hello/pull/{number}",
            "draft": False,
            "merged": False,
            "mergeable_state": "clean",
            "additions": 3,
            "deletions": 1,
            "changed_files": 1,
            "head": {"label": "octo:fix", "ref": "fix", "sha": "abc123def456"},
            "base": {"label": "octo:main", "ref": "main", "sha": "0" * 12},
            **more,
        },
    )


def thread(number: int, reason: str, kind: str = "Issue", unread: bool = True) -> dict[str, Any]:
    """Return a thread of the inbox."""
    path = "pulls" if kind == "PullRequest" else "issues"
    return {
        "id": str(number),
        "unread": unread,
        "reason": reason,
        "updated_at": "2026-11-29T08:00:00Z",
        "subject": {
            "title": f"About {number}",
            "type": kind,
            "url": f"https://api.github.com{REPO}/{path}/{number}",
        },
        "repository": {"full_name": "octo/hello"},
    }


class GitHub:
    """What the server holds. `refuse` answers everything with (status, body, headers); `deaf` takes
    changes and makes none.
    """

    def __init__(self) -> None:
        self.issues: dict[int, dict[str, Any]] = {}
        self.pulls: dict[int, dict[str, Any]] = {}
        self.comments: dict[int, list[dict[str, Any]]] = {}
        self.reviews: dict[int, list[dict[str, Any]]] = {}
        self.files: list[dict[str, Any]] = []
        self.checks: list[dict[str, Any]] = []
        self.statuses: list[dict[str, Any]] = []
        self.threads: list[dict[str, Any]] = []
        self.refuse: tuple[int, Any, dict[str, str]] | None = None
        self.deaf = False
        self.endless = False
        """Each page says that there is a further one."""
        self.seen: list[Received] = []

    @property
    def script(self) -> Script:
        """The script of the server."""

        async def answer(exchange: Exchange) -> None:
            request = exchange.request
            self.seen.append(request)
            if request.headers.get("authorization") != f"Bearer {TOKEN}":
                await exchange.answer(
                    401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com"}
                )
            elif self.refuse is not None:
                status, body, headers = self.refuse
                kind = "text/html" if isinstance(body, bytes) else "application/json; charset=utf-8"
                await exchange.answer(status, body, headers, kind=kind)
            else:
                await self._answer(exchange)

        return answer

    async def _answer(self, exchange: Exchange) -> None:
        request = exchange.request
        parts = urlsplit(request.path)
        query = dict(parse_qsl(parts.query))
        body = request.json if request.body else {}
        status, value = self._route(request.method, parts.path, query, body)
        if isinstance(value, list):
            await self._page(exchange, parts.path, value, query)
        elif status in (204, 205):
            await exchange.answer(status, b"")
        else:
            await exchange.answer(status, value)

    async def _page(self, exchange: Exchange, path: str, rows: list[Any], query: dict[str, str]) -> None:
        size, number = int(query.get("per_page", 30)), int(query.get("page", 1))
        rows = rows * 20 if self.endless else rows
        part = rows[:size] if self.endless else rows[(number - 1) * size : number * size]
        more = self.endless or number * size < len(rows)
        link = f'<https://api.github.com{path}?page={number + 1}>; rel="next"'
        await exchange.answer(200, part, {"link": link} if more else {})

    def _route(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if path == "/notifications":
            return 200, [one for one in self.threads if one["unread"] or query.get("all") == "true"]
        if path == "/search/issues":
            found = list((self.pulls if "is:pr" in query["q"] else self.issues).values())
            return 200, {"total_count": 50 if self.endless else len(found), "items": found}
        if found := re.fullmatch(r"/notifications/threads/(\d+)", path):
            return self._thread(method, found[1])
        if not path.startswith(f"{REPO}/"):
            return 404, {"message": "Not Found", "status": "404"}
        below = path.removeprefix(f"{REPO}/")
        for pattern, work in (
            (r"issues", self._issues),
            (r"issues/(\d+)", self._issue),
            (r"issues/(\d+)/comments", self._comments),
            (r"issues/comments/(\d+)", self._comment),
            (r"issues/(\d+)/labels", self._labels),
            (r"pulls", self._pulls),
            (r"pulls/(\d+)", self._pull),
            (r"pulls/(\d+)/files", lambda method, body, number: (200, self.files)),
            (r"pulls/(\d+)/reviews", self._reviews),
            (r"pulls/(\d+)/reviews/(\d+)", self._review),
            (r"pulls/(\d+)/merge", self._merge),
            (r"commits/abc123def456/check-runs", lambda method, body: (200, {"check_runs": self.checks})),
            (r"commits/abc123def456/status", lambda method, body: (200, {"statuses": self.statuses})),
        ):
            if match := re.fullmatch(pattern, below):
                return work(method, body, *map(int, match.groups()))  # type: ignore[operator,no-any-return]
        return 404, {"message": "Not Found"}

    def _thread(self, method: str, number: str) -> tuple[int, Any]:
        one = next((row for row in self.threads if row["id"] == number), None)
        if one is None:
            return 404, {"message": "Not Found"}
        if method == "PATCH":
            one["unread"] = one["unread"] and self.deaf
            return 205, None
        return 200, one

    def _issues(self, method: str, body: Any) -> tuple[int, Any]:
        if method == "GET":
            return 200, [one for one in self.issues.values() if one["state"] == "open"]
        if not body.get("title"):
            fault = {"resource": "Issue", "field": "title", "code": "missing_field"}
            return 422, {"message": "Validation Failed", "errors": [fault]}
        number = max(self.issues, default=0) + 1
        names = [] if self.deaf else body.get("labels", [])
        made = issue(number, body["title"], body=body.get("body"), labels=[{"name": name} for name in names])
        self.issues[number] = made
        return 201, made

    def _issue(self, method: str, body: Any, number: int) -> tuple[int, Any]:
        one = self.issues.get(number)
        if one is None:
            return 404, {"message": "Not Found"}
        if method == "PATCH" and not self.deaf:
            one.update(body)
        return 200, one

    def _comments(self, method: str, body: Any, number: int) -> tuple[int, Any]:
        rows = self.comments.setdefault(number, [])
        if method == "GET":
            return 200, rows
        made = {
            "id": 700 + len(rows),
            "user": {"login": "me"},
            "body": "" if self.deaf else body["body"],
            "created_at": "2026-11-30T09:00:00Z",
            "html_url": f"https://github.com/octo/hello/issues/{number}#c{len(rows)}",
        }
        rows.append(made)
        return 201, made

    def _comment(self, method: str, body: Any, number: int) -> tuple[int, Any]:
        rows = [one for several in self.comments.values() for one in several if one["id"] == number]
        return (200, rows[0]) if rows else (404, {"message": "Not Found"})

    def _labels(self, method: str, body: Any, number: int) -> tuple[int, Any]:
        one = self.issues[number]
        if not self.deaf:
            one["labels"] += [{"name": name} for name in body["labels"]]
        return 200, one["labels"]

    def _pulls(self, method: str, body: Any) -> tuple[int, Any]:
        if method == "GET":
            return 200, list(self.pulls.values())
        if body["head"] == "missing":
            fault = {"resource": "PullRequest", "field": "head", "code": "invalid"}
            return 422, {"message": "Validation Failed", "errors": [fault]}
        number = max(self.pulls, default=0) + 1
        made = pull(number, body["title"], base={"ref": body["base"]}, body=body["body"])
        self.pulls[number] = made
        return 201, made

    def _pull(self, method: str, body: Any, number: int) -> tuple[int, Any]:
        one = self.pulls.get(number)
        return (200, one) if one else (404, {"message": "Not Found"})

    def _reviews(self, method: str, body: Any, number: int) -> tuple[int, Any]:
        rows = self.reviews.setdefault(number, [])
        if method == "GET":
            return 200, rows
        if body["event"] == "APPROVE" and self.pulls[number]["user"]["login"] == "me":
            return 422, {
                "message": "Unprocessable Entity",
                "errors": ["Can not approve your own pull request"],
            }
        states = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
        made = {
            "id": 80 + len(rows),
            "user": {"login": "me"},
            "state": "PENDING" if self.deaf else states[body["event"]],
            "body": body.get("body", ""),
            "submitted_at": "2026-11-30T09:00:00Z",
        }
        rows.append(made)
        return 200, made

    def _review(self, method: str, body: Any, number: int, review: int) -> tuple[int, Any]:
        return 200, next(one for one in self.reviews[number] if one["id"] == review)

    def _merge(self, method: str, body: Any, number: int) -> tuple[int, Any]:
        one = self.pulls[number]
        if one["mergeable_state"] == "dirty":
            return 405, {"message": "Pull Request is not mergeable"}
        if body["sha"] != one["head"]["sha"]:
            return 409, {"message": "Head branch was modified. Review and try the merge again."}
        if not self.deaf:
            one.update(merged=True, state="closed", merge_commit_sha="feedface0123")
        return 200, {"sha": "feedface0123", "merged": True, "message": "Pull Request successfully merged"}

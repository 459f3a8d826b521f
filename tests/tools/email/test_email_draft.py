"""email_draft: files that mail programs read, answers to theirs, and no way for a second header."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from app.records import Answer
from tests.capabilities.files_desk import open_desk
from tests.tools.documents.desk import DocumentCaller

REQUEST = (
    "Message-ID: <one@example.org>\r\nReferences: <zero@example.org>\r\n"
    "From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>\r\nSubject: Offer\r\n"
    "Date: Mon, 30 Nov 2026 10:00:00 +0100\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    "Please answer.\r\nJörg\r\n"
)


@pytest.fixture
async def call(tmp_path: Path) -> AsyncIterator[DocumentCaller]:
    async with open_desk(tmp_path) as desk:
        yield DocumentCaller(desk, tmp_path / "spill")


def read(path: Path) -> Any:
    return message_from_bytes(path.read_bytes(), policy=policy.default)


async def test_a_draft_with_an_attachment_reads_back_and_can_be_taken_back(call: DocumentCaller) -> None:
    data = bytes(range(256)) * 500
    call.desk.write("Plan ä.bin", data)
    outcome = await call(
        "email_draft", to=["Anna Lee <anna@example.org>", "bob@example.org"], cc=["c@example.org"],
        subject="Größe & Plan", body="Hello,\n\n.\nFrom here: ünïcode\n", attachments=["Plan ä.bin"],
    )  # fmt: skip
    assert outcome.ok and "verified" in outcome.text and "Nothing was sent" in outcome.text, outcome.text
    path = call.desk.folder / "Größe  Plan.eml"
    message = read(path)
    assert message["To"] == "Anna Lee <anna@example.org>, bob@example.org" and message["X-Unsent"] == "1"
    assert message["Subject"] == "Größe & Plan" and message["Cc"] == "c@example.org" and not message["From"]
    assert message.get_body().get_content().replace("\r\n", "\n") == "Hello,\n\n.\nFrom here: ünïcode\n"
    (attached,) = message.iter_attachments()
    assert attached.get_filename() == "Plan ä.bin" and attached.get_content() == data
    assert max(map(len, path.read_bytes().split(b"\r\n"))) <= 998
    again = await call("email_draft", subject="Größe & Plan", body="x")
    assert "Größe  Plan 2.eml" in again.text and "(nobody yet)" in again.text
    await call.desk.undo.one(outcome.undo)
    assert not path.exists()


async def test_an_answer_goes_to_the_sender_and_stays_in_its_thread(call: DocumentCaller) -> None:
    call.desk.write("offer.eml", REQUEST)
    outcome = await call("email_draft", body="Gladly.", reply_to="offer.eml", path="answer.eml")
    message = read(call.desk.folder / "answer.eml")
    assert message["To"] == "Jörg <joerg@example.org>" and message["Subject"] == "Re: Offer"
    assert message["In-Reply-To"] == "<one@example.org>"
    assert message["References"] == "<zero@example.org> <one@example.org>"
    assert message.get_content().replace("\r\n", "\n") == (
        "Gladly.\n\nOn Mon, 30 Nov 2026 10:00:00 +0100, Jörg <joerg@example.org> wrote:\n"
        "> Please answer.\n> Jörg\n"
    )
    assert [mark.kind for mark in outcome.marks] == ["mail"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"subject": "Hi\r\nBcc: evil@example.org"}, "line ends"),
        ({"to": ["a@example.org\nBcc: evil@example.org"]}, "line ends"),
        ({"to": ["a@example.org\x07"]}, "control"),
        ({"to": ["nobody"]}, "no address"),
        ({"to": ["a@example.org", "not an address"]}, "'not an address' is no address"),
        ({"to": ["a b@example.org"]}, "no address"),
        ({"to": ["a@exa mple.org"]}, "no address"),
        ({"attachments": ["missing.pdf"]}, "missing.pdf"),
        ({"attachments": ["."]}, "folder"),
        ({"attachments": ["huge"]}, "bytes together"),
        ({"reply_to": "noise.eml"}, "noise.eml"),
        ({"path": "draft.txt"}, ".eml"),
        ({"path": "there.eml"}, "there already"),
    ],
)
async def test_what_is_no_draft_is_said_and_nothing_is_written(
    call: DocumentCaller, arguments: dict[str, Any], why: str
) -> None:
    call.desk.write("noise.eml", b"\x00\x01\x02" * 100)
    call.desk.write("there.eml", "x")
    with open(call.desk.folder / "huge", "wb") as file:
        file.truncate(26 << 20)
    before = sorted(path.name for path in call.desk.folder.iterdir())
    outcome = await call("email_draft", **{"body": "Hello", "to": ["a@example.org"], **arguments})
    assert not outcome.ok and why in outcome.text and "failed inside" not in outcome.text, outcome.text
    assert sorted(path.name for path in call.desk.folder.iterdir()) == before and not call.desk.asked


async def test_a_hostile_original_adds_no_header(call: DocumentCaller) -> None:
    call.desk.write(
        "evil.eml",
        "From: x@example.org\r\nSubject: =?utf-8?q?Hi=0D=0ABcc:_evil@example.org?=\r\n"
        "Message-ID: <a@b>\r\n bad stuff\r\nReply-To: good@example.org\r\n\r\nText\r\n",
    )
    outcome = await call("email_draft", body="ok", reply_to="evil.eml", path="a.eml")
    assert outcome.ok, outcome.text
    message = read(call.desk.folder / "a.eml")
    assert message["Bcc"] is None and message["To"] == "good@example.org"


async def test_no_means_no_draft(call: DocumentCaller) -> None:
    call.desk.answer = lambda effect: Answer(decision="deny", reason="not now")
    outcome = await call("email_draft", body="x", path="a.eml")
    assert not outcome.ok and "not now" in outcome.text and not (call.desk.folder / "a.eml").exists()

"""The inbox: what waits is listed with its conversation, can be opened late, and goes when it is answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.records import Answer
from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.seen import words
from tests.window.test_talking import point_at


def test_a_question_waits_here_and_goes_when_it_is_answered_elsewhere(
    furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = calls(("write_file", {"path": "notes.md", "content": "hello\n"}))
    with scripted_in_thread(write, says("Written.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        life.window.show_page("inbox")
        page: Any = life.rest.trust.inbox
        assert page.sentence.text() == "Nothing waits for you."
        life.window.show_page("chat")
        life.conversation.set_folder(str(tmp_path))
        furnished.send("Write it")
        furnished.until(lambda: life.questions.waiting(), "the question")
        (question,) = life.questions.waiting()
        for dialog in list(life.questions._dialogs.values()):
            dialog.close()
        life.window.show_page("inbox")
        assert page.sentence.text() == "1 question waits for you."
        assert "Bramble wants to make 1 file" in words(page) and "write_file" in words(page)
        assert life.window.rail._buttons["inbox"].accessibleDescription() == "1 waiting"
        page._rows[0]._review.click()
        assert list(life.questions._dialogs) == [question.id]
        answer = Answer(decision="allow", by="approvals")
        assert furnished.ask(lambda engine: engine.answer(question.id, answer))
        furnished.until(lambda: not life.questions._dialogs, "the dialog to close")
        assert life.rest.toast._words.text() == "The question was answered elsewhere: it is allowed."
        furnished.until(lambda: page.sentence.text() == "Nothing waits for you.", "the row to go")
        life.questions.review(question.id)
        assert life.rest.toast._words.text() == "This question was answered already."
        furnished.until(lambda: not life.conversation.running, "the end")
        assert (tmp_path / "notes.md").read_text() == "hello\n"


def test_a_change_whose_file_changed_under_the_question_is_asked_anew_and_says_so(
    furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.md").write_text("old\n")
    edit = calls(("edit_file", {"path": "notes.md", "old": "old", "new": "new"}))
    with scripted_in_thread(edit, says("Done.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        life.conversation.set_folder(str(tmp_path))
        furnished.send("Edit it")
        furnished.until(lambda: life.questions.waiting(), "the question")
        first = life.questions.waiting()[0].id
        (tmp_path / "notes.md").write_text("old\nby hand\n")
        life.questions.answer(first, Answer(decision="allow", by="window"))
        furnished.until(
            lambda: life.questions.waiting() and life.questions.waiting()[0].id != first, "the next question"
        )
        life.questions.review_next()
        (dialog,) = life.questions._dialogs.values()
        assert "changed meanwhile" in words(dialog)
        life.questions.answer(dialog.approval.id, Answer(decision="allow", by="window"))
        furnished.until(lambda: not life.conversation.running, "the end")
        assert (tmp_path / "notes.md").read_text() == "new\nby hand\n"

"""The second part of `faults.md`: what users of comparable systems met with sign-in, context and attachments
(facts: acceptance cases 1, 9 and 16), what happens here instead, and the test that holds it.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

from app.records import Problem
from ui.words import problem_text

ROOT = Path(__file__).resolve().parents[2]
HEAD = """
## Cases of comparable systems

Sign-in, context and attachments as others met them; each is held by the test that is named, with the real
part (a keyring, a server, files) behind it.

| where it was met | what goes wrong | the person sees | what the session does next | held by |
|---|---|---|---|---|
"""


class Case(NamedTuple):
    """One case. `code` is that of the problem that the person reads, "" where there is nothing to read."""

    source: str
    wrong: str
    code: str
    sees: str
    """Beside the problem's sentence."""
    after: str
    proof: str
    """PATH::TEST below tests/."""

    @property
    def row(self) -> str:
        """The line of the table."""
        text = problem_text(Problem(code=self.code)).title if self.code else ""
        seen = " ".join(filter(None, [text, self.sees]))
        return f"| {self.source} | {self.wrong} | {seen} | {self.after} | `{self.proof}` |"

    def source_of_proof(self) -> str:
        """The text of the test; raises KeyError where there is none of that name."""
        path, _, name = self.proof.partition("::")
        text = (ROOT / "tests" / path).read_text(encoding="utf-8")
        found = {
            node.name: "\n".join(text.splitlines()[_first(node) - 1 : node.end_lineno])
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        return found[name]


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


NOTHING = "nothing: it goes on"

CASES = (
    Case(
        "anthropics/claude-code#41507",
        "many processes share one token that is renewed",
        "",
        NOTHING,
        "one renews, the others take what it got",
        "store/test_secrets_real.py::test_of_many_processes_one_renews",
    ),
    Case(
        "anthropics/claude-code#80085",
        "whoever loses that race overwrites the good one",
        "signed_out",
        "A button leads to the sign-in.",
        "the newer one is read again, and is never replaced by a failure",
        "models/copilot/test_account.py::test_a_failed_renewal_never_replaces_a_newer_token",
    ),
    Case(
        "aaif-goose/goose#5790",
        "the keyring has no collection yet",
        "",
        "an offer to keep the key in a private file instead",
        "the typed key is not lost; it is kept after the yes",
        "store/test_secrets_real.py::test_a_keyring_without_a_collection_leads_on_to_a_file",
    ),
    Case(
        "aaif-goose/goose#4018",
        "the keyring asks at every start, for every key",
        "",
        NOTHING,
        "each key is read once a start",
        "models/test_key_reads.py::test_each_key_is_read_once_a_start",
    ),
    Case(
        "jaraco/keyring#569",
        "no keyring at all, as on a server",
        "",
        "where the key will be kept, and a question about a file",
        "no bus is started for it; the key is read from the file",
        "store/test_secrets_real.py::test_a_bus_without_a_keyring_is_no_keyring",
    ),
    Case(
        "janhq/jan#8356",
        "a program that does not know all settings wipes them",
        "bad_settings",
        "The line that is meant is named.",
        "the file stays as it is, byte for byte",
        "test_settings.py::test_a_fault_in_the_text_names_it_and_changes_nothing",
    ),
    Case(
        "anthropics/claude-code#24179",
        "summaries without end, and no progress",
        "compaction_stuck",
        "",
        "stops after three; the next message is taken",
        "conversation/test_compaction_trouble.py::"
        "test_a_turn_that_reads_the_same_again_and_again_stops_after_three_compactions",
    ),
    Case(
        "openai/codex#31351",
        "hours of summaries and the same work again",
        "",
        "each summary as a line that opens what it stands for",
        "goes on where it was: no file is read twice in 300 rounds",
        "conversation/test_compaction.py::test_a_long_conversation_stays_within_a_small_window",
    ),
    Case(
        "aaif-goose/goose#8642",
        "no room for the summary though the gauge shows some",
        "",
        "the same number in the gauge, in the inspector and for the decision",
        "what is too long for one request is summarised in portions",
        "conversation/test_compaction_trouble.py::"
        "test_a_history_that_is_far_too_long_for_another_model_is_summarised_in_portions",
    ),
    Case(
        "openai/codex#20138",
        "rules of the session are lost in a summary",
        "",
        "the pinned notes above the conversation",
        "each summary carries them word for word",
        "conversation/test_compaction_branch.py::test_pins_are_told_once_and_again_behind_a_summary",
    ),
    Case(
        "anthropics/claude-code#53547",
        "one large picture blocks every later message",
        "",
        "the picture",
        "it is shrunk when it is attached",
        "terminal/test_bad_files.py::test_a_picture_of_20_000_pixels_reaches_the_model_shrunk",
    ),
    Case(
        "anthropics/claude-code#9269",
        "a request that is refused for a picture ruins the session",
        "pictures_refused",
        "This is said once.",
        "the picture stays out from then on, a new one is sent",
        "conversation/test_pictures.py::test_a_refused_picture_is_left_out_from_then_on_and_said_once",
    ),
    Case(
        "nearai/ironclaw#3010",
        "a picture is not found again later",
        "",
        "the picture in its message",
        "it keeps its name and is sent with its message each time",
        "conversation/test_pictures.py::test_a_picture_goes_with_its_message_each_time",
    ),
    Case(
        "openai/codex#46970",
        "a picture appears only after a restart",
        "",
        "the picture as soon as it comes",
        "nothing moves for it",
        "window/transcript/test_attached.py::test_a_picture_is_drawn_when_it_comes_and_moves_nothing",
    ),
    Case(
        "Jeffser/Alpaca#572",
        "what was attached is not seen by the model",
        "",
        "own words above, each attachment below, to be opened as it was sent",
        "the same bytes go to the model",
        "terminal/test_ask.py::test_an_attached_file_goes_with_the_text",
    ),
)


def section() -> str:
    """The part of the table."""
    return HEAD + "\n".join(case.row for case in CASES) + "\n"

"""What is remembered is decided by whose words are in the conversation."""

from __future__ import annotations

import pytest

from app.permissions.decide import decide
from app.permissions.offers import with_offers
from app.permissions.policy import policy
from app.records import Mark, MemoryEffect

FACT = MemoryEffect(act="remember", text="My dog is called Bruno")
GONE = MemoryEffect(act="forget", text="My dog is called Bruno", undoable=False)
WEB = Mark(kind="web", name="example.org")


@pytest.mark.parametrize(
    ("effect", "tool", "allow", "deny", "yes", "marked", "expected"),
    [
        (FACT, "remember", (), (), False, False, ("allow", "own_words")),
        (FACT, "remember", (), ("remember(*)",), False, False, ("deny", "rule_deny")),
        (FACT, "remember", (), ("remember(x)",), True, False, ("deny", "rule_deny")),
        (FACT, "remember", (), ("recall(*)",), False, False, ("allow", "own_words")),
        (FACT, "remember", ("remember(*)",), (), False, True, ("ask", "untrusted")),
        (FACT, "remember", (), (), True, True, ("ask", "untrusted")),
        (FACT, "project_note", (), (), True, True, ("ask", "untrusted")),
        (GONE, "forget", (), (), False, False, ("ask", "forget")),
        (GONE, "forget", ("forget(*)",), (), False, False, ("allow", "rule_allow")),
        (GONE, "forget", ("forget(m1)",), (), False, False, ("ask", "forget")),
        (GONE, "forget", (), (), True, False, ("allow", "yes")),
        (GONE, "forget", ("forget(*)",), (), True, True, ("ask", "untrusted")),
    ],
)
def test_untrusted_words_are_asked_about_whatever_was_allowed(
    effect: MemoryEffect, tool: str, allow: tuple[str, ...], deny: tuple[str, ...], yes: bool, marked: bool,
    expected: tuple[str, str],
) -> None:  # fmt: skip
    import msgspec

    rights = msgspec.structs.replace(policy("/w", allow, deny, yes=yes), marks=(WEB,) if marked else ())
    found = decide(effect, tool, rights)
    assert (found.decision, found.reason) == expected
    assert found.marks == ((WEB,) if marked and found.decision == "ask" else ())


def test_a_rule_is_offered_only_where_it_would_hold() -> None:
    import msgspec

    plain = policy("/w")
    marked = msgspec.structs.replace(plain, marks=(WEB,))
    assert with_offers(GONE, "forget", plain, decide(GONE, "forget", plain)).offers == (("forget(*)",),)
    assert with_offers(FACT, "remember", marked, decide(FACT, "remember", marked)).offers == ()

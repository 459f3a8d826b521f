"""What a person types at a question, taken apart: for how long, which rule, which pieces, why not. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from app.records import Answer, Approval, FileDiff, FilesEffect, Scope
from ui.words import _

_NUMBERS = re.compile(r"\d+(?:\s*[,\s]\s*\d+)*\Z")


@dataclass(frozen=True)
class Draft:
    """The proposal as the person has made it so far: files that they edited, pieces that they leave out."""

    approval: Approval
    files: tuple[FileDiff, ...] = ()
    """Those of the question, an edited one as it would be written now."""
    edited: dict[str, str] | None = None
    rejected: frozenset[tuple[int, int]] = frozenset()

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """The pieces in the order in which they are shown, which numbers them from 1."""
        return [(at, piece) for at, file in enumerate(self.files) for piece in range(len(file.hunks))]

    @property
    def editable(self) -> list[int]:
        """The files whose text can be edited."""
        return [at for at, file in enumerate(self.files) if file.text is not None]

    @property
    def empty(self) -> bool:
        """Whether nothing of the proposal is left."""
        return (
            bool(self.rejected)
            and all(file.hunks for file in self.files)
            and set(self.pieces) <= self.rejected
        )

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """For how long it may be allowed beyond once."""
        if not self.approval.offers:
            return ()
        return ("session", "project", "always") if self.approval.session else ("project", "always")


@dataclass(frozen=True)
class Edit:
    """The person wants to edit file number `file` of the question, from 0."""

    file: int


@dataclass(frozen=True)
class Without:
    """The person leaves these pieces out; none puts all of them back."""

    pieces: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Say:
    """What was typed is no answer here, and why."""

    why: str


Reply = Answer | Edit | Without | Say


def draft_of(approval: Approval) -> Draft:
    """Return a question as it comes."""
    files = approval.effect.files if isinstance(approval.effect, FilesEffect) else ()
    return Draft(approval, files)


def read_reply(text: str, draft: Draft) -> Reply | None:
    """Return what the typed text means, None when it means nothing. An empty line never allows anything."""
    word, _blank, rest = text.strip().partition(" ")
    word, rest = word.rstrip(",.:;").casefold(), rest.strip()
    if word in ("n", "no", _("no").casefold()):
        return Answer(decision="deny", reason=rest, by="terminal")
    if word in ("y", "yes", _("yes").casefold()) and not rest:
        return _allow(draft, "once", ())
    scope = {"s": "session", "p": "project", "a": "always"}.get(word)
    if scope is not None and (not rest or rest.isdecimal()):
        return _for_longer(draft, scope, rest)  # type: ignore[arg-type]
    if word == "e" and (not rest or rest.isdecimal()):
        return _edit(draft, rest)
    if word == "r" and (not rest or _NUMBERS.match(rest)):
        return _without(draft, [int(number) for number in re.findall(r"\d+", rest)])
    return None


def _allow(draft: Draft, scope: Scope, rules: tuple[str, ...]) -> Reply:
    if draft.empty:
        return Say(_("All pieces are left out. n says no; r alone puts them back."))
    return Answer(
        decision="allow",
        scope=scope,
        rules=rules,
        rejected=tuple(sorted(draft.rejected)),
        edited=draft.edited or {},
        by="terminal",
    )


def _for_longer(draft: Draft, scope: Scope, number: str) -> Reply:
    offers = draft.approval.offers
    if not offers:
        return Say(_("No rule can be saved for this, so it can be allowed only once: y."))
    if scope not in draft.scopes:
        return Say(_("This is no conversation, so nothing can hold for it. p and a are possible."))
    place = int(number or "1")
    if not 1 <= place <= len(offers):
        return Say(_("There is no rule with this number."))
    return _allow(draft, scope, offers[place - 1])


def _edit(draft: Draft, number: str) -> Reply:
    if not draft.editable:
        return Say(_("This cannot be edited here."))
    if not number and len(draft.editable) > 1:
        return Say(_("There are several files: e and the number of one."))
    place = int(number) - 1 if number else draft.editable[0]
    return Edit(place) if place in draft.editable else Say(_("This file cannot be edited here."))


def _without(draft: Draft, numbers: Sequence[int]) -> Reply:
    pieces = draft.pieces
    if not pieces:
        return Say(_("There are no pieces that could be left out."))
    if any(not 1 <= number <= len(pieces) for number in numbers):
        return Say(_("There is no piece with this number."))
    return Without(frozenset(pieces[number - 1] for number in numbers))


def with_edit(draft: Draft, at: int, file: FileDiff) -> Draft:
    """Return the draft with a file as the person edited it; pieces of it that were left out are back, since
    they are others now.
    """
    assert file.text is not None
    files = (*draft.files[:at], file, *draft.files[at + 1 :])
    kept = frozenset(piece for piece in draft.rejected if piece[0] != at)
    return Draft(draft.approval, files, {**(draft.edited or {}), file.path: file.text}, kept)


def without(draft: Draft, pieces: frozenset[tuple[int, int]]) -> Draft:
    """Return the draft with just these pieces left out."""
    return Draft(draft.approval, draft.files, draft.edited, pieces)


def shown_approval(draft: Draft) -> Approval:
    """Return the question with the files as they would be written now, to be drawn."""
    effect = draft.approval.effect
    if not isinstance(effect, FilesEffect):
        return draft.approval
    return msgspec.structs.replace(draft.approval, effect=msgspec.structs.replace(effect, files=draft.files))


def choices(draft: Draft) -> str:
    """Return the keys that may be typed now."""
    keys = ["y " + (_("allow once") if draft.scopes else _("allow"))]
    names = {
        "session": "s " + _("this conversation"),
        "project": "p " + _("this folder"),
        "always": "a " + _("always"),
    }
    keys += [names[scope] for scope in draft.scopes]
    keys += ["n " + _("do not allow"), "n " + _("and a few words: say why")]
    if draft.editable:
        keys.append("e " + _("edit"))
    if len(draft.pieces) > 1:
        keys.append("r 1,3 " + _("leave pieces out"))
    return " · ".join(keys)

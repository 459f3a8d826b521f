"""Whatever a branch looks like, what goes to the model is whole, and grows only at its end."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from app.conversation.effective import effective, kept_of
from app.conversation.fence import for_model
from app.conversation.splitting import split
from app.records import Compaction, Message, ToolCall


class Branch:
    """Grows a branch as turns, crashes and summaries do."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.messages = chance, list[Message]()

    def add(self, role: str, **fields: object) -> Message:
        """Append a message."""
        number = len(self.messages)
        parent = self.messages[-1].id if self.messages else None
        given: dict[str, object] = {"text": "word " * self.chance.randrange(60), **fields}
        made = Message(
            id=f"{number:04}", session="s", parent=parent, turn="t", role=role, created=float(number), **given
        )  # type: ignore[arg-type]
        self.messages.append(made)
        return made

    def grow(self) -> None:
        """Add what one step of a conversation adds."""
        if self.chance.random() < 0.25:
            self.add("user")
        calls = tuple(
            ToolCall(id=f"c{len(self.messages)}-{n}", name="read_file")
            for n in range(self.chance.randrange(4))
        )
        answer = self.add("assistant", calls=calls)
        results = list(answer.calls)
        self.chance.shuffle(results)
        if self.chance.random() < 0.1:
            del results[self.chance.randrange(len(results) + 1) :]  # killed in the middle
        for call in results:
            self.add("tool", call=call.id, tool=call.name)
        if self.chance.random() < 0.2:
            self.summarise()

    def summarise(self) -> None:
        """Append a summary as a compaction makes it, now and then one that cannot be used."""
        history = effective(self.messages)
        place = split(history, self.chance.randrange(200), lambda message: len(message.text) // 4 + 4)
        kept = "gone" if self.chance.random() < 0.1 else history[place.kept].id
        text = "" if self.chance.random() < 0.05 else "## Goal\nx"
        self.add("summary", text=text, compaction=Compaction(kept=kept, cut=place.cut))


def usable(branch: list[Message]) -> Iterator[int]:
    """Yield the places of the summaries that count."""
    ids = [message.id for message in branch]
    for at, message in enumerate(branch):
        if message.compaction is not None and message.text and message.compaction.kept in ids[:at]:
            yield at


@pytest.mark.proof("effective", small=60, full=5_000)
def test_what_goes_to_the_model_is_whole_and_grows_only_at_its_end(count: int, seed: int) -> None:
    chance = random.Random(seed)
    for _number in range(count):
        branch = Branch(chance)
        before: list[Message] = []
        last = -1
        for _step in range(chance.randrange(1, 25)):
            branch.grow()
            now = effective(branch.messages)
            declared = [call.id for message in now for call in message.calls]
            assert declared == [message.call for message in now if message.role == "tool"]
            assert all(message.role != "summary" for message in now[1:])
            assert all(message.role in ("user", "assistant", "tool") for message in for_model(now))
            newest = max(usable(branch.messages), default=-1)
            if newest == last:
                assert now[: len(before)] == before, "a request begins with the one before"
            if newest >= 0:
                assert now[0].id == branch.messages[newest].id and 1 < kept_of(now) <= len(now)
                later = [one.id for one in branch.messages[newest + 1 :] if one.role in ("user", "assistant")]
                assert [one.id for one in now if one.id in set(later)] == later
            before, last = now, newest

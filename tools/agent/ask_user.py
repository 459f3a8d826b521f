"""Ask the person of the conversation a question, with choices to pick from."""

from __future__ import annotations

from typing import Annotated, Any

from tools import Choice, ReadContext, ToolFailed, ToolResult, tool

MOST = 9
LONGEST = 2_000


@tool(
    reads=True,
    verb="Ask you",
    main="question",
    keywords=("question", "choice", "decide", "prefer", "which one", "clarify"),
    examples=("ask me which of the two I prefer", "let me choose between the options"),
    accepts={"text": "question", "options": "choices", "multiple": "several"},
)
async def ask_user(
    context: ReadContext,
    question: Annotated[str, "One clear question"],
    choices: Annotated[list[Any] | None, 'Up to 9 answers: texts, or {"text": ..., "detail": ...}'] = None,
    several: Annotated[bool, "More than one may be picked"] = False,
) -> ToolResult:
    """Ask the person a question that only they can answer, with choices to pick from; wait for the reply."""
    if context.person is None:
        raise ToolFailed("Nobody can be asked here.")
    asked = question.strip()
    if not asked or len(asked) > LONGEST:
        raise ToolFailed(f"Give a question of 1 to {LONGEST} characters.")
    offered = [_choice(one) for one in choices or []]
    if len(offered) > MOST:
        raise ToolFailed(f"Give at most {MOST} choices; the person can always write an answer of their own.")
    if len({one.text.casefold() for one in offered}) < len(offered):
        raise ToolFailed("Two of the choices are the same.")
    reply = await context.person.ask(asked, offered, several)
    parts = []
    if reply.picked:
        parts.append(f"Picked: {'; '.join(reply.picked)}.")
    if reply.text:
        parts.append(f"In their words: {reply.text}")
    said = "; ".join(filter(None, (*reply.picked, reply.text)))
    return ToolResult("\n".join(parts) or "They gave an empty answer.", summary=said[:60])


def _choice(given: Any) -> Choice:
    if isinstance(given, dict):
        text, detail = str(given.get("text", given.get("label", ""))), str(given.get("detail", ""))
    else:
        text, detail = str(given), ""
    text, detail = " ".join(text.split()), " ".join(detail.split())
    if not text or len(text) > 200:
        raise ToolFailed("Each choice is a text of 1 to 200 characters.")
    return Choice(text, detail[:300])

"""Translate a text with the model of the conversation."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolFailed, ToolResult, tool


@tool(
    reads=True,
    verb="Translate",
    main="to",
    keywords=("translation", "language", "german", "english", "spanish", "french"),
    examples=("translate this paragraph into Spanish", "what does this mean in English"),
    accepts={"target": "to", "language": "to", "target_language": "to", "from": "source"},
)
async def translate(
    context: ReadContext,
    text: Annotated[str, "Text"],
    to: Annotated[str, "Target language"],
    source: Annotated[str, "Source language"] = "",
) -> ToolResult:
    """Translate text from one language to another."""
    if context.translator is None:
        raise ToolFailed("There is no model here that could translate.")
    wanted, origin = (" ".join(one.split()) for one in (to, source))
    if not wanted or max(len(wanted), len(origin)) > 60:
        raise ToolFailed("Name the language to translate into, such as Spanish or pt-BR.")
    made = await context.translator.translate(text, wanted, origin)
    return ToolResult(f"{made.text}\n[translated by {made.model}, not checked]", summary=wanted)

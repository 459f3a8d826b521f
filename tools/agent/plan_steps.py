"""Keep the model's own checklist for this work, which the person sees as it goes on."""

from __future__ import annotations

from typing import Annotated, Any

from tools import ReadContext, ToolFailed, ToolResult, tool

STATES = ("open", "doing", "done", "dropped")
MOST = 30
LONGEST = 200


@tool(
    reads=True,
    verb="Plan steps",
    keywords=("checklist", "progress", "steps", "task list of the work", "plan"),
    examples=("show the steps of this work as a checklist", "tick off the second step of the plan"),
    accepts={"todos": "steps", "items": "steps"},
)
async def plan_steps(
    context: ReadContext,
    steps: Annotated[
        list[dict[str, Any]], 'The whole list each time: {"text": ..., "state": open|doing|done|dropped}'
    ],
) -> ToolResult:
    """Show the person the steps of longer work as a live checklist; give the whole list at each change."""
    if not 1 <= len(steps) <= MOST:
        raise ToolFailed(f"Give 1 to {MOST} steps.")
    shown = [_step(number, one) for number, one in enumerate(steps, 1)]
    doing = [one for one in shown if one["state"] == "doing"]
    if len(doing) > 1:
        raise ToolFailed("One step at a time is in work (doing).")
    done = sum(one["state"] in ("done", "dropped") for one in shown)
    now = f", now: {doing[0]['text']}" if doing else ""
    return ToolResult(
        f"{done} of {len(shown)} done{now}.",
        summary=f"{done} of {len(shown)} done",
        view="steps",
        data={"steps": shown},
    )


def _step(number: int, given: dict[str, Any]) -> dict[str, str]:
    text = " ".join(str(given.get("text", "")).split())
    state = str(given.get("state", "open"))
    if not text:
        raise ToolFailed(f"Step {number} has no text.")
    if state not in STATES:
        raise ToolFailed(f"Step {number}: the state is one of {', '.join(STATES)}.")
    return {"text": text[:LONGEST], "state": state}

"""Work out arithmetic exactly, and convert units and currencies."""

from __future__ import annotations

from typing import Annotated

from tools import ReadContext, ToolResult, tool


@tool(
    reads=True,
    verb="Calculate",
    main="expression",
    keywords=("arithmetic", "math", "convert", "unit", "currency", "percent", "exchange rate", "sum"),
    examples=("what is 17% of 2,340", "convert 5 miles to km", "how much is 80 dollars in euros"),
    accepts={"formula": "expression", "input": "expression", "query": "expression"},
)
async def calculate(
    context: ReadContext,
    expression: Annotated[str, "Expression such as '5 mi in km'"],
) -> ToolResult:
    """Evaluate arithmetic and convert units or currencies."""
    from tools.utility._answers import answered  # late: what counts exactly takes its time to load

    return await answered(context, expression)

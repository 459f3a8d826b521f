"""Markdown of a realistic mixture, the same in every run."""

from __future__ import annotations

import random

WORDS = [
    *("agent", "window", "session", "stream", "token", "tool", "result", "file", "change", "review"),
    *("approve", "diff", "parser", "layout", "model", "provider", "request", "timeout", "retry", "schedule"),
    *("watch", "routine", "memory", "context", "budget", "cost", "render"),
]
CODE = '''```python
def load(path: Path, limit: int = {n}) -> list[str]:
    """Read at most ``limit`` lines."""
    lines = []
    with path.open(encoding="utf-8") as handle:
        for number, line in enumerate(handle):
            if number >= limit:
                break
            lines.append(line.rstrip("\\n"))
    return lines
```'''


def sentence(rng: random.Random, count: int = 14) -> str:
    """A sentence of at least six words with a bold and a code word."""
    words = [rng.choice(WORDS) for _ in range(count)]
    words[2], words[5] = f"**{words[2]}**", f"`{words[5]}`"
    return " ".join(words).capitalize() + "."


def block(rng: random.Random) -> str:
    """A Markdown block: prose, list, heading, code or table."""
    kind = rng.random()
    if kind < 0.45:
        return " ".join(sentence(rng) for _ in range(3))
    if kind < 0.60:
        return "\n".join(f"- {sentence(rng, 9)}" for _ in range(4))
    if kind < 0.68:
        return f"## {sentence(rng, 6)}"
    if kind < 0.92:
        return CODE.format(n=rng.randrange(999))
    rows = "\n".join(f"| {rng.choice(WORDS)} | `{n}` | {sentence(rng, 6)} |" for n in range(4))
    return f"| name | value | what |\n| --- | --: | --- |\n{rows}"


def reply(size: int, seed: int = 11) -> str:
    """A Markdown answer of `size` characters."""
    rng = random.Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        parts.append(block(rng))
        length += len(parts[-1]) + 2
    return "\n\n".join(parts)[:size]

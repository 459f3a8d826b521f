"""Colours of code as spans, by pygments, for a process of its own: nothing of the window is imported."""

from __future__ import annotations

import json
import sys

ARGUMENT = "--colour-code"
"""What starts this in a packaged program, which has no interpreter: its entry point then calls `main`."""

Span = tuple[int, int, str]
"""Start and length in characters, and the role of a colour: keyword, string, comment or function."""


def spans(code: str, language: str) -> list[Span]:
    """Return the coloured spans of `code`; an unknown language has none."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Token
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return []
    roles = (
        (Token.Comment, "comment"),
        (Token.Literal.String, "string"),
        (Token.Literal.Number, "string"),
        (Token.Keyword, "keyword"),
        (Token.Operator.Word, "keyword"),
        (Token.Name.Tag, "keyword"),
        (Token.Name.Function, "function"),
        (Token.Name.Class, "function"),
        (Token.Name.Builtin, "function"),
        (Token.Name.Decorator, "function"),
        (Token.Name.Attribute, "function"),
        (Token.Generic.Inserted, "string"),
        (Token.Generic.Deleted, "keyword"),
        (Token.Generic.Heading, "function"),
        (Token.Generic.Subheading, "function"),
    )
    found: list[Span] = []
    for at, kind, text in lexer.get_tokens_unprocessed(code):
        role = next((role for parent, role in roles if kind[: len(parent)] == parent), "")
        if not role and kind[:1] == Token.Name and code[at + len(text) : at + len(text) + 1] == "(":
            role = "function"  # a call
        if role and text.strip():
            if found and found[-1][2] == role and found[-1][0] + found[-1][1] == at:
                found[-1] = (found[-1][0], found[-1][1] + len(text), role)
            else:
                found.append((at, len(text), role))
    return found


def main() -> None:
    """Answer one request a line, [language, code] as JSON, until the input ends."""
    for line in sys.stdin.buffer:
        language, code = json.loads(line)
        sys.stdout.write(json.dumps(spans(code, language)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

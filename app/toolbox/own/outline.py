"""What the source of a tool says of it, read without running any of it: words for people, and faults."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.own_tool_records import Problem
from app.platform.plain_text import hides
from app.toolbox.contract import check_source

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
LARGEST = 256 * 1024
"""Bytes of a tool's file."""
_NAMING = "small letters a to z, digits and underscores, 64 at most, a letter first, no word of Python"
_EXAMPLES = 2
_OPENING = ("a", "an", "attribute", "import", "the", "this")


@dataclass(frozen=True)
class Outline:
    """What stands in the source as plain text; the child says the rest."""

    summary: str = ""
    description: str = ""
    verb: str = ""
    reads: bool = False
    examples: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


NOTHING = Outline()


def is_name(name: str) -> bool:
    """Whether a tool, and so its file, can be named like this."""
    return bool(NAME.fullmatch(name)) and not keyword.iskeyword(name)


def text_of(data: bytes) -> tuple[str, tuple[Problem, ...]]:
    """Return a file as text, or what is wrong with it, with its line."""
    if len(data) > LARGEST:
        return "", (_problem(1, f"The file is larger than {LARGEST // 1024} KB."),)
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return "", (_problem(line, "The file is not UTF-8 text."),)
    if "\0" in text:
        return "", (_problem(text[: text.index("\0")].count("\n") + 1, "The file holds the NUL character."),)
    text = text.replace("\r\n", "\n")
    return text, tuple(_hidden(text))


def _hidden(text: str) -> Iterator[Problem]:
    """Yield each line that reads otherwise than it is: whoever trusts a source must see all of it."""
    for number, line in enumerate(text.split("\n"), 1):
        if hides(line) or any(letter < " " and letter not in "\t\f" for letter in line):
            yield _problem(number, "The line holds a character that nobody sees; write it as an escape.")


def outline(source: str, name: str, known: tuple[Problem, ...] = ()) -> Outline:
    """Return what can be read of a tool's source, with all that is wrong with it by its lines; `known` is
    what was found before.
    """
    named = () if is_name(name) else (_problem(1, f"A tool cannot be named {name[:80]!a}: {_NAMING}."),)
    try:
        faults = check_source(source, name)
        found = _function(ast.parse(source), name)
    except (SyntaxError, ValueError):  # the first has said where
        found = None
    except (RecursionError, MemoryError):
        return Outline(problems=(*known, _problem(1, "The file is nested too deeply.")))
    shape = f"the module must hold one async function {name} "
    said = [fault for fault in faults if not named or not fault.message.startswith(shape)]
    problems = [*known, *named, *(_problem(fault.line, _sentence(fault.message)) for fault in said)]
    if found is None:
        return Outline(problems=tuple(sorted(problems, key=lambda one: one.line)))
    mark = _mark(found)
    problems += _words(found, mark)
    text = ast.get_docstring(found) or ""
    reads, verb = mark.get("reads"), mark.get("verb")
    return Outline(
        summary=" ".join(text.partition("\n\n")[0].split()),
        description=" ".join(text.split()),
        verb=verb if isinstance(verb, str) else "",
        reads=reads is True,
        examples=_texts(mark.get("examples")),
        problems=tuple(sorted(problems, key=lambda one: one.line)),
    )


def _function(tree: ast.Module, name: str) -> ast.AsyncFunctionDef | None:
    found = [node for node in tree.body if isinstance(node, ast.AsyncFunctionDef) and node.name == name]
    return found[-1] if found else None


def _mark(function: ast.AsyncFunctionDef) -> dict[str, object]:
    """Return what stands in `@tool(...)` as plain values; what is computed there is None."""
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "tool":
            return {word.arg: _value(word.value) for word in mark.keywords if word.arg}
    return {}


def _value(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _texts(value: object) -> tuple[str, ...]:
    entries = value if isinstance(value, (list, tuple)) else ()
    return tuple(entry for entry in entries if isinstance(entry, str) and entry.strip())


def _words(function: ast.AsyncFunctionDef, mark: dict[str, object]) -> Iterator[Problem]:
    """Yield what the contract asks of a tool's words and signature, as far as the source alone can tell."""
    line = function.lineno
    text = ast.get_docstring(function) or ""
    if not text:
        yield _problem(line, "The tool has no docstring, which is its description.")
    elif not text.partition("\n\n")[0].rstrip().endswith("."):
        yield _problem(line, "The first paragraph of the docstring must be a sentence.")
    if len(set(_texts(mark.get("examples")))) < _EXAMPLES:
        yield _problem(line, f"The tool needs at least {_EXAMPLES} examples of requests.")
    if not isinstance(mark.get("verb"), str) or not str(mark["verb"]).strip():
        yield _problem(line, "The tool has no verb for its row.")
    if not isinstance(mark.get("reads"), bool):
        yield _problem(line, "A tool of your own says reads=True or reads=False.")
        return
    wanted = "ReadContext" if mark["reads"] else "ToolContext"
    first = function.args.args[:1]
    if not first or first[0].arg != "context" or _name(first[0].annotation) != wanted:
        yield _problem(line, f"The first parameter must be `context: {wanted}`.")
    if _name(function.returns) != "ToolResult":
        yield _problem(line, "The tool must return ToolResult.")
    for parameter in function.args.args[1:]:
        if not _explained(parameter.annotation):
            message = f'Parameter {parameter.arg} needs Annotated[..., "text for the model"].'
            yield _problem(parameter.lineno, message)


def _explained(hint: ast.expr | None) -> bool:
    """Whether a text stands beside the type; a name may stand for such a type, as only the child can tell."""
    if isinstance(hint, ast.Name):
        return hint.id not in ("str", "int", "float", "bool", "list", "dict", "tuple", "Any", "object")
    if not isinstance(hint, ast.Subscript) or _name(hint.value) != "Annotated":
        return False
    notes = hint.slice.elts[1:] if isinstance(hint.slice, ast.Tuple) else []
    return any(not isinstance(note, ast.Constant) or str(note.value).strip() for note in notes)


def _name(node: ast.expr | None) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _problem(line: int, message: str) -> Problem:
    return Problem(line=max(1, line), message=message)


def _sentence(text: str) -> str:
    """Return a fault with a capital and a full stop; a name that it begins with stays as it is."""
    text = text if text.endswith((".", "?")) else f"{text}."
    return text[0].upper() + text[1:] if text.partition(" ")[0] in _OPENING else text

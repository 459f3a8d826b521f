"""The same line as tree-sitter-bash reads it: to agree with a plain reading, to find what hides in others.

The tree is tolerant of errors, so that alone it proves nothing: a plain line must give only nodes of a short
list, without an error, whose words stand exactly where the lexer saw them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from app.permissions.shell.lexing import NotPlain
from app.permissions.shell.loosely import known_home, loose_word
from app.permissions.shell.records import Direction, Reading, Redirect, Simple

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_PLAIN = frozenset(
    {
        "program", "list", "pipeline", "command", "command_name", "word", "number", "raw_string", "string",
        "string_content", "concatenation", "redirected_statement", "file_redirect", "file_descriptor",
    }
)  # fmt: skip
_SHORT = 500
"""Bytes that take no time however odd they are."""
_PATIENCE = 0.1
"""Seconds of work, after which a line counts as one that nobody can read; a sound one of ten thousand
characters takes two thousandths."""
MOST_PARTS = 50
"""More commands or redirections than these are asked about always (facts: safety 2.2, 2)."""
_LITERAL = frozenset(["word", "number", "raw_string", "string", "concatenation"])
_CODES = {
    "command_substitution": "substitution", "process_substitution": "substitution",
    "simple_expansion": "expansion", "expansion": "expansion", "arithmetic_expansion": "arithmetic",
    "heredoc_redirect": "heredoc", "herestring_redirect": "heredoc", "subshell": "subshell",
    "compound_statement": "group", "function_definition": "function", "test_command": "test",
    "negated_command": "negation", "variable_assignment": "assignment", "declaration_command": "declaration",
    "unset_command": "declaration", "comment": "comment", "ansi_c_string": "ansi_quotes",
    "translated_string": "expansion", "brace_expression": "brace", "extglob_pattern": "glob",
    "if_statement": "keyword", "for_statement": "keyword", "c_style_for_statement": "keyword",
    "while_statement": "keyword", "case_statement": "keyword",
}  # fmt: skip
_DIRECTIONS: dict[str, Direction] = {
    ">": "write", ">|": "write", "&>": "write", ">&": "write", ">>": "append", "&>>": "append", "<": "read",
    "<>": "both",
}  # fmt: skip


@lru_cache(maxsize=1)
def _language() -> Language:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Language(tree_sitter_bash.language())


def parse(text: str) -> Node | None:
    """Return the root node of a line without surrogates; None when its errors take too long."""
    import tree_sitter

    parser, data = tree_sitter.Parser(_language()), text.encode()
    if len(data) < _SHORT:
        return parser.parse(data).root_node
    until = time.thread_time() + _PATIENCE

    def late(offset: int, error: bool) -> bool:
        return time.thread_time() > until

    try:
        return parser.parse(lambda at, _: data[at:], encoding="utf8", progress_callback=late).root_node
    except ValueError:  # what a parse raises that was broken off
        return None


def words_of(root: Node) -> list[tuple[int, int]]:
    """Return where the words of a plain line stand, as bytes, in their order. Raises NotPlain with the code
    of what the tree shows besides.
    """
    if root.has_error:
        raise NotPlain("unreadable")
    found = []
    for node, above in _every(root):
        if node.is_named and node.type not in _PLAIN:
            raise NotPlain(_CODES.get(node.type, "syntax"))
        if node.is_missing:
            raise NotPlain("unreadable")
        if node.type in _LITERAL and above is not None and above.type != "concatenation":
            if above.type == "file_redirect" and _is_duplicate(above):
                continue
            found.append((node.start_byte, node.end_byte))
    return sorted(found)


def odd_code(root: Node) -> str:
    """Return the code of the first thing in the tree that is not plain, "" when all of it is."""
    try:
        words_of(root)
    except NotPlain as odd:
        return odd.code
    return ""


def read_deep(root: Node, text: str, odd: str) -> Reading:
    """Return the commands and redirections that the tree shows, in any depth, of a line that is not plain."""
    commands: list[Simple] = []
    redirects: list[Redirect] = []
    variables: list[str] = []
    texts: list[str] = []
    data = text.encode()
    whole, home = not root.has_error, known_home(text)
    for node, above in _every(root):
        if node.type in ("command", "declaration_command", "unset_command", "test_command"):
            commands.append(_simple(node, above, data, home))
            if len(commands) > MOST_PARTS:
                whole = False
                break
        elif node.type == "file_redirect":
            redirects += _redirects(node, data, whole, home)
        elif node.type == "variable_assignment" and (name := node.child_by_field_name("name")) is not None:
            variables.append(_slice(name, data))
        elif node.type in ("heredoc_body", "herestring_redirect"):
            texts.append(_slice(node, data).removeprefix("<<<").strip(" '\""))
    if len(commands) > MOST_PARTS or len(redirects) > MOST_PARTS or text.count("<<") > MOST_PARTS:
        odd = "too_many"
    return Reading(
        tuple(commands), tuple(redirects), odd, whole=whole, variables=tuple(variables), texts=tuple(texts)
    )


def _simple(node: Node, above: Node | None, data: bytes, home: str) -> Simple:
    words: list[str | None] = []
    for child in node.children:
        if child.type in ("variable_assignment", "file_redirect", "heredoc_redirect", "herestring_redirect"):
            if node.type == "declaration_command":
                words.append(loose_word(_slice(child, data), home))
            continue
        words.append(loose_word(_slice(child, data), home))
    if above is not None and above.type == "redirected_statement":  # words behind a redirection are its own
        for redirect in above.children_by_field_name("redirect"):
            words += [loose_word(_slice(word, data), home) for word in _destinations(redirect)[1:]]
    return Simple(tuple(words), _slice(node, data))


def _redirects(node: Node, data: bytes, whole: bool, home: str) -> list[Redirect]:
    sign = next((child.type for child in node.children if child.type in _DIRECTIONS), "")
    targets = _destinations(node)
    if not sign or not targets or _is_duplicate(node):
        return []
    direction = _DIRECTIONS[sign] if whole else "both"  # `<>` is an error in this grammar
    return [Redirect(direction, loose_word(_slice(targets[0], data), home), _slice(node, data))]


def _destinations(node: Node) -> list[Node]:
    return node.children_by_field_name("destination") if node.type == "file_redirect" else []


def _is_duplicate(node: Node) -> bool:
    return any(child.type in (">&", "<&") for child in node.children) and all(
        child.type == "number" for child in _destinations(node)
    )


def _every(root: Node) -> Iterator[tuple[Node, Node | None]]:
    """Yield all nodes with what they stand in, each before its children, without recursion: a line may nest
    deep, and a node that is asked for its parent looks for it from the root.
    """
    waiting: list[tuple[Node, Node | None]] = [(root, None)]
    while waiting:
        node, above = waiting.pop()
        yield node, above
        waiting += [(child, node) for child in reversed(node.children)]


def _slice(node: Node, data: bytes) -> str:
    return data[node.start_byte : node.end_byte].decode(errors="replace")

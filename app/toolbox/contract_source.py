"""Refuse names in the source of a tool that lead out of its capabilities: imports, files, frames, evaluation.

A guard against slips and simple tricks in code that people review; it is no sandbox.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

ALLOWED = frozenset(
    {
        "__future__",
        "collections.abc",
        "dataclasses",
        "datetime",
        "decimal",
        "enum",
        "fractions",
        "itertools",
        "json",
        "math",
        "re",
        "textwrap",
        "tools",
        "typing",
    }
)
"""All modules that a tool may import."""
_NAMES = frozenset(
    {
        "open", "eval", "exec", "compile", "globals", "locals", "vars", "dir", "getattr", "setattr",
        "delattr", "input", "print", "breakpoint", "help", "exit", "quit", "license", "credits",
        "copyright",
    }
)  # fmt: skip
"""Built-in names that reach files, the terminal, or what a name hides."""
_PUBLIC = frozenset({"get_type_hints", "ForwardRef", "evaluate_forward_ref", "make_dataclass"})
"""Public names of the allowed modules that evaluate text."""
_ATTRIBUTES = frozenset(
    {
        "f_back", "f_globals", "f_locals", "f_builtins", "f_code", "gi_frame", "cr_frame",
        "ag_frame", "tb_frame", "gi_code", "cr_code", "ag_code", "cr_await", "gi_yieldfrom",
        "ag_await", "tb_next", "format", "format_map", "mro",
    }
)  # fmt: skip
"""Ways from an object to the frames and modules behind it, and formatting that follows attributes."""
_BROAD = frozenset({"Exception", "BaseException"})


@dataclass(frozen=True)
class Fault:
    """What is wrong, and in which line (from 1)."""

    line: int
    message: str


def check_names(tree: ast.Module, category: str) -> list[Fault]:
    """Return each import, name, attribute and annotation that a tool of `category` may not have."""
    walk = _Walk(category)
    walk.visit(tree)
    return walk.faults + list(_hidden_annotations(tree))


class _Walk(ast.NodeVisitor):
    """Collects faults; knows under which names modules were imported."""

    def __init__(self, category: str) -> None:
        self.category = category
        self.faults: list[Fault] = []
        self.modules: dict[str, str] = {}

    def say(self, node: ast.AST, message: str) -> None:
        """Note a fault."""
        self.faults.append(Fault(getattr(node, "lineno", 1), message))

    def visit_Import(self, node: ast.Import) -> None:
        """`import json` and `import json as j`, allowed modules without a dot only."""
        for alias in node.names:
            if alias.name in ALLOWED and "." not in alias.name:
                self.modules[alias.asname or alias.name] = alias.name
            else:
                self.say(node, f"import of {alias.name} is refused")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """`from json import loads`: public names of allowed modules, and the category's own helpers."""
        module = node.module or ""
        helper = module.startswith(f"tools.{self.category}._") and module.count(".") == 2
        if node.level or (module not in ALLOWED and not helper):
            self.say(node, f"import from {'.' * node.level}{module} is refused")
            return
        for alias in node.names:
            if module != "__future__" and not _is_public(module, alias.name):
                self.say(node, f"import of {module}.{alias.name} is refused")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Public attributes only; of an imported module only what it gives to all."""
        if node.attr.startswith("_") or node.attr in _ATTRIBUTES:
            self.say(node, f"attribute {node.attr} is refused")
        if isinstance(node.value, ast.Name) and node.value.id in self.modules:
            if not _is_public(self.modules[node.value.id], node.attr):
                self.say(node, f"{node.value.id}.{node.attr} is refused")
            return
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        """No name that reaches out, and no module as a value."""
        if node.id in _NAMES or node.id.startswith("__"):
            self.say(node, f"{node.id} is refused")
        elif node.id in self.modules:
            self.say(node, f"the module {node.id} may only be used as {node.id}.NAME")

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        """`case object(__globals__=x)` reads an attribute too."""
        for name in node.kwd_attrs:
            if name.startswith("_") or name in _ATTRIBUTES:
                self.say(node, f"attribute {name} is refused")
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """A stop must get through, and the border of the tool call reports what is unexpected."""
        names = (
            {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)} if node.type else _BROAD
        )
        if names & _BROAD:
            self.say(node, "a broad except is refused; name the errors")
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        """Calls run side by side and may not meet in a variable."""
        self.say(node, "global is refused")

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """No metaclass."""
        if any(keyword.arg == "metaclass" for keyword in node.keywords):
            self.say(node, "a metaclass is refused")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """TypedDict("T", {"a": "text"}) would have its texts evaluated."""
        if isinstance(node.func, ast.Name) and node.func.id in ("TypedDict", "NamedTuple"):
            self.say(node, f"{node.func.id} is written as a class")
        self.generic_visit(node)


def _is_public(module: str, name: str) -> bool:
    """Whether a module gives the name to all, and it is no module itself (json.codecs.open opens files)."""
    if name.startswith("_") or name == "*" or name in _PUBLIC:
        return False
    found = importlib.import_module(module)
    listed = getattr(found, "__all__", None)
    value = getattr(found, name, None)
    return value is not None and not isinstance(value, ModuleType) and (listed is None or name in listed)


def _hidden_annotations(tree: ast.Module) -> Iterator[Fault]:
    """Text in annotations and type aliases is evaluated when the schema is made, so none may stand there."""
    for node in ast.walk(tree):
        for hint in _annotations(node):
            for part in _evaluated(hint):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield Fault(part.lineno, "an annotation in quotes is refused")
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value:
            for part in _evaluated(statement.value):
                if isinstance(part, ast.Subscript) and _has_text(part.slice):
                    yield Fault(part.lineno, "a type in quotes is refused")


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns:
        yield node.returns
    if isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation:
        yield node.annotation


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Walk an expression, but not into Literal[...] and the notes of Annotated[...], which stay text."""
    yield node
    children: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Subscript) and _called(node.value) in ("Literal", "Annotated"):
        notes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        children = [notes[0]] if _called(node.value) == "Annotated" else []
    for child in children:
        yield from _evaluated(child)


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _has_text(node: ast.expr) -> bool:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)

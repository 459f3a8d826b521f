"""The translations hold together with the words in the code: known texts only, the same fields in both."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from app.toolbox.registry import load_registry
from ui.catalogue import entries, read_catalogue
from ui.language import CATALOGUES
from ui.notes import NOTES
from ui.slash import COMMANDS
from ui.terminal.accounts import PLACES
from ui.terminal.weights import STEPS

ROOT = Path(__file__).resolve().parent.parent.parent
MARKS = ("_", "later", "L", "plural")


def texts_in_code() -> Iterator[str]:
    """Yield every English text that the code marks for translation; plural ones joined."""
    for path in sorted((ROOT / "ui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                not isinstance(node, ast.Call)
                or not isinstance(node.func, ast.Name)
                or node.func.id not in MARKS
            ):
                continue
            words = [
                part.value
                for part in node.args
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ]
            if words:
                yield "\0".join(words) if node.func.id == "plural" else words[0]
    yield from verbs_of_tools()
    yield from texts_of_app()


def verbs_of_tools() -> Iterator[str]:
    """Yield the verb of every tool, as its decorator has it."""
    for path in sorted((ROOT / "tools").glob("*/[a-z]*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "verb" and isinstance(node.value, ast.Constant):
                yield str(node.value.value)


def texts_of_app() -> Iterator[str]:
    """Yield the sentences of data that are translated where they are shown: weights, providers, checks."""
    weights = tomllib.loads((ROOT / "app" / "models" / "local" / "weights.toml").read_text("utf-8"))
    yield from (entry["note"] for entry in weights["weights"])
    for path in sorted((ROOT / "app" / "models" / "profiles").glob("*.toml")):
        profile = tomllib.loads(path.read_text("utf-8"))
        yield from (profile.get("sends", ""), profile.get("terms", ""))
    for node in ast.walk(ast.parse((ROOT / "app" / "doctor.py").read_text("utf-8"))):
        if isinstance(node, ast.keyword) and node.arg in ("detail", "fix"):
            yield from (
                part.value
                for part in ast.walk(node.value)
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value
            )


def unmarked_tables() -> Iterator[str]:
    """Yield the plain texts of tables whose values are given to `_()` by a key: they must be marked."""
    for path in sorted((ROOT / "ui").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        looked_up = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_":
                given = node.args[0]
                if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute):
                    given = given.func
                if isinstance(given, ast.Subscript | ast.Attribute) and isinstance(given.value, ast.Name):
                    looked_up.add(given.value.id)
        for node in tree.body:
            names = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            table = getattr(node, "value", None)
            if isinstance(table, ast.Dict) and any(getattr(name, "id", "") in looked_up for name in names):
                yield from (
                    f"{path.name}: {value.value}"
                    for value in table.values
                    if isinstance(value, ast.Constant) and value.value
                )


def test_tables_that_are_translated_later_are_marked() -> None:
    assert list(unmarked_tables()) == []


def test_the_verbs_of_all_tools_are_texts() -> None:
    known = set(texts_in_code())
    verbs = {tool.spec.verb for tool in load_registry().tools.values()}
    assert "Read file" in verbs and verbs <= known


def test_words_of_tables_are_texts() -> None:
    known = set(texts_in_code())
    assert {*NOTES.values(), *PLACES.values(), *STEPS.values()} <= known
    assert {command.description for command in COMMANDS} <= known


def test_texts_are_found() -> None:
    texts = set(texts_in_code())
    assert "The model could not be reached." in texts
    assert "{n} file\0{n} files" in texts and "{n} file" not in texts
    assert len(texts) > 200


def test_every_catalogue_fits_the_code() -> None:
    known = set(texts_in_code())
    for path in CATALOGUES.glob("*.po"):
        read_catalogue(path)
        found = entries(path.read_text("utf-8"))
        assert "Plural-Forms:" in found.pop("", ""), path
        assert not set(found) - known, f"{path} holds texts that stand nowhere in the code any more"
        for source, target in found.items():
            for form in target.split("\0"):
                fields = [set(re.findall(r"\{\w+\}", text)) for text in (source, form)]
                assert fields[0] == fields[1] and "!" not in form, (path, source)

"""The translations hold together with the words in the code: known texts only, the same fields in both."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ui.catalogue import entries, read_catalogue
from ui.language import CATALOGUES

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


def test_texts_are_found() -> None:
    texts = set(texts_in_code())
    assert "The model could not be reached." in texts
    assert "{n} file\0{n} files" not in texts
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

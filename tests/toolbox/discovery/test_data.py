"""The texts and tables beside the ranker are whole, in six languages, small, and agree with the tools."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.models.request import ToolSchema
from app.toolbox.discovery import data
from app.toolbox.discovery.layer import NOTHING, is_known, mended
from app.toolbox.discovery.ranker import Ranker
from app.toolbox.discovery.text import words
from app.toolbox.foreign import ForeignTool
from app.toolbox.here import Here
from app.toolbox.registry import load_registry
from tools import ToolResult

ALIASES = data.RESOURCES / "aliases"
FILES = sorted(ALIASES.glob("*.toml"))
BEYOND = {"apply_patch", "copy_file", "edit_lines", "job_input", "job_list", "job_output", "job_stop"} | {
    "mcp_install",
    "mcp_search",
    "forget",
    "git_checkout",
    "git_show",
    "git_sync",
    "image_edit",
    "photo_search",
    "view_image",
}
"""Tools that the catalogue does not list: their aliases are few."""
_BESIDE_RULES = {
    "archive": ("zip up the letters", "zip up my thesis folder"),
    "git_commit": ("commit to the release branch", "commit to develop"),
}
"""What came too close to a rule once."""
CATALOGUE_TOOLS = 69
MOST_BYTES = 5_000_000
RELEASE = "BRAMBLE_RELEASE"


def read(path: Path) -> dict[str, Any]:
    """Return an alias file."""
    return tomllib.loads(path.read_text("utf-8"))


@pytest.fixture(scope="module")
def ours() -> Ranker:
    """The ranking over our own tools."""
    return Ranker(data.entries(load_registry()), data.table())


def test_every_tool_of_the_catalogue_has_aliases_in_six_languages() -> None:
    known = {entry.name for entry in data.entries(load_registry())}
    named = {path.stem for path in FILES}
    assert named <= known and len(named - BEYOND) == CATALOGUE_TOOLS
    for path in FILES:
        if path.stem in BEYOND:
            continue
        counts = {language: len(read(path)[language]["aliases"]) for language in data.LANGUAGES}
        assert counts["en"] >= 12 and all(count >= 7 for count in counts.values()), (path.stem, counts)


def test_hindi_stands_in_both_scripts() -> None:
    for path in FILES:
        aliases = read(path)["hi"]["aliases"]
        assert any(text >= "\u0900" for text in aliases) and any(text.isascii() for text in aliases), (
            path.stem
        )


def test_no_text_stands_twice() -> None:
    seen: dict[str, str] = {}
    for path in FILES:
        parts = read(path)
        for text in [*parts["examples"], *(one for name in data.LANGUAGES for one in parts[name]["aliases"])]:
            other = seen.setdefault(text, path.stem)
            assert other == path.stem, (text, other, path.stem)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_tool_wins_its_own_examples_and_not_those_of_others(ours: Ranker, path: Path) -> None:
    for text in read(path)["examples"]:
        assert [hit.name for hit in ours.rank(text)][:1] == [path.stem], text
    for text in read(path)["not"]:
        assert path.stem not in [hit.name for hit in ours.rank(text)][:1], text


def test_each_tool_is_found_by_the_examples_of_its_module(ours: Ranker) -> None:
    """It comes first, not only among four."""
    lost = []
    for tool in load_registry().tools.values():
        for text in () if tool.name in data.NEVER_FOUND else tool.spec.examples:
            found = [hit.name for hit in ours.rank(text)]
            if found[:1] != [tool.name]:
                lost.append((tool.name, text, found))
    assert lost == []


def test_what_leads_to_tools_is_never_found(ours: Ranker) -> None:
    for text in ("find tools", "use a tool", "load a skill", "find_tools", "load_skill"):
        assert not data.NEVER_FOUND & {hit.name for hit in ours.rank(text, 12)}, text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "\0\0\0",
        "\U0001f600\U0001f680" * 40,
        "\ud800\udfff",
        "weather \ud800 in \0 Oslo",
        "\u202eweather\u202c \u05de\u05d6\u05d2 \u05d0\u05d5\u05d5\u05d9\u05e8",
        "x" * 10_000,
        "qzv " * 2_500,
        "a_b. " * 2_000,
        "1:2 %" * 2_000,
        "rename the file. " * 600,
        "/" * 10_000,
        "'" * 10_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_any_text_is_answered_in_bounded_time(ours: Ranker, text: str) -> None:
    ours.rank(text)

    def once() -> float:
        began = time.perf_counter()
        ours.rank(text)
        return time.perf_counter() - began

    assert min(once() for _ in range(5)) < 0.02
    if not any(map(str.isalnum, text)):
        assert ours.rank(text) == ()


def test_the_trained_layer_is_small_and_knows_every_tool_with_aliases() -> None:
    layer = data.layer()
    assert layer is not None
    assert set(layer.columns) == {NOTHING, *(path.stem for path in FILES)}
    kept = sum(path.stat().st_size for path in (data.RESOURCES / "discovery").iterdir())
    assert kept <= MOST_BYTES
    assert data.packed(layer) == (data.RESOURCES / "discovery" / "layer.bin").read_bytes()


def test_a_plural_without_a_row_of_its_own_is_no_slip_of_the_keyboard() -> None:
    layer = data.layer()
    assert layer is not None
    spared = [f"{word}s" for word in layer.known if f"{word}s" not in layer.known and word.isalpha()]
    assert "sports" in spared and "sports" not in layer.spoken
    assert is_known(layer, "sports") and mended(layer, ["sports"]) == ["sports"]
    assert not is_known(layer, "qzvqzv")


def test_a_file_that_is_no_layer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "layer.bin").write_bytes(b"something else")
    with pytest.raises(ValueError, match="no layer"):
        data.layer(tmp_path / "layer.bin")
    assert data.layer(tmp_path / "none.bin") is None


def test_frames_are_for_tools_that_exist_and_name_only_what_is_filled() -> None:
    read = tomllib.loads((data.RESOURCES / "discovery" / "frames.toml").read_text("utf-8"))
    assert set(read) == {"words", *data.LANGUAGES} and set(read["words"]) == set(data.LANGUAGES)
    known = {entry.name for entry in data.entries(load_registry())} | {"nothing"}
    for language in data.LANGUAGES:
        assert set(read[language]) <= known, language
        for frame in (one for listed in read[language].values() for one in listed):
            assert set(re.findall(r"\{\w*\}", frame)) <= {"{word}", "{task}"}, frame


def test_rules_name_tools_that_exist_and_say_why() -> None:
    known = {entry.name for entry in data.entries(load_registry())}
    for rule in data.rules():
        assert set(rule.tools) <= known and rule.because and 0 <= rule.factor < 1, rule


def test_no_rule_holds_back_what_people_say_to_that_very_tool() -> None:
    """`zip up` a jacket is no archive, but `zip up the letters` is."""
    for rule in data.rules():
        when, unless = re.compile(rule.when), re.compile(rule.unless or r"(?!)")
        for path in (ALIASES / f"{name}.toml" for name in rule.tools):
            parts = read(path) if path.is_file() else {"examples": []}
            told = [text for name in data.LANGUAGES for text in parts.get(name, {}).get("aliases", ())]
            for text in (*parts["examples"], *told, *_BESIDE_RULES.get(path.stem, ())):
                folded = " ".join(words(text))
                assert not when.search(folded) or unless.search(folded), (path.stem, text, rule.because)


def test_planned_tools_do_not_exist_yet() -> None:
    """The list shrinks with each module that comes, and holds all that the catalogue promises beyond them."""
    there = set(load_registry().tools)
    names = {entry.name for entry in data.planned()}
    assert not there & names, "take it out of planned.json"
    rows = json.loads((Path(__file__).parent / "catalogue.json").read_text("utf-8"))
    assert names == {row["name"] for row in rows} - there


def test_a_planned_tool_that_has_come_is_no_longer_planned() -> None:
    registry = load_registry()
    name = data.planned()[0].name if data.planned() else "weather"
    schema = ToolSchema(name=name, description="Here now.", parameters={"type": "object"})

    async def call(here: Here, arguments: dict[str, Any]) -> ToolResult:
        return ToolResult("")

    registry.put("mcp:new", [ForeignTool(name, "new", "mcp:new", schema, call)])
    (entry,) = [one for one in data.entries(registry) if one.name == name]
    assert not entry.planned and entry.description == "Here now."


def test_tools_keep_the_names_categories_and_descriptions_of_the_catalogue() -> None:
    """Those that exist once stood in planned.json; what they are called and say does not change."""
    rows = json.loads((Path(__file__).parent / "catalogue.json").read_text("utf-8"))
    assert len(rows) == CATALOGUE_TOOLS
    tools = load_registry().tools
    planned = {entry.name: entry for entry in data.planned()}
    for row in rows:
        entry = tools.get(row["name"]) or planned[row["name"]]
        assert entry.category == row["category"], row["name"]
        if row["name"] in planned:
            assert planned[row["name"]].description == row["description"], row["name"]
        elif not row["core"]:
            assert tools[row["name"]].summary == row["description"], row["name"]


@pytest.mark.skipif(not os.environ.get(RELEASE), reason="only when a version is released")
def test_a_release_has_no_planned_tool() -> None:
    assert data.planned() == []


def test_asking_loads_no_numpy() -> None:
    script = (
        f"import sys; sys.path[:0] = [{str(data.RESOURCES.parent)!r}]; "
        "from app.toolbox.discovery import data; from app.toolbox.discovery.ranker import Ranker; "
        "from app.toolbox.registry import load_registry; "
        "print(Ranker(data.entries(load_registry()), data.table()).rank('rename a file')[0].name); "
        "assert 'numpy' not in sys.modules and 'tomlkit' not in sys.modules"
    )
    command = [sys.executable, "-P", "-c", script]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.stdout.strip() == "move_file", ran.stderr

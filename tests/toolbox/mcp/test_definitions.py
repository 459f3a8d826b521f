"""Definitions of servers' tools: names both ways, schemas that harm nobody, and what was agreed to."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from app.toolbox.mcp.definitions import (
    DESCRIPTION_CAP,
    Definition,
    agreed,
    definition_of,
    names,
    prefix,
    read_definitions,
    shown,
    told,
)
from app.toolbox.mcp.shaping import FIELD_CAP, SCHEMA_CAP, usable

GOOD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}\Z")
SCHEMA = {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]}


def tool(name: str = "get", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "Gets it.", "inputSchema": SCHEMA, **fields}


def test_plain_names_stay_as_they_are() -> None:
    assert names("time", ["get_time", "convert-time"]) == {
        "get_time": "time__get_time",
        "convert-time": "time__convert-time",
    }


@pytest.mark.parametrize(
    "server", ["time", "1password", "github.com/a b", "", "..", "Ünï", "x" * 64, "a\u202eb"]
)
def test_every_name_can_be_sent_and_leads_back(server: str) -> None:
    odd = [
        "a.b",
        "a b",
        "a_b",
        "a/b",
        "",
        " ",
        "x" * 90,
        "x" * 89 + "y",
        "ö",
        "日本",
        "A_B",
        "a__b",
        "\ud800",
        "\0",
    ]
    found = names(server, odd)
    assert list(found) == odd
    assert len(set(found.values())) == len(odd)
    assert all(GOOD.match(name) for name in found.values()), found
    assert names(server, odd) == found
    assert found["a_b"] == f"{prefix(server)}__a_b"
    assert {found["a.b"], found["a b"]}.isdisjoint({found["a_b"]})


def test_ids_that_look_alike_do_not_share_a_prefix() -> None:
    ids = ["a.b", "a_b", "a b", "a-b", "x" * 30, "x" * 31, "a", "A"]
    assert len({prefix(one) for one in ids}) == len(ids)


def test_a_name_belongs_to_one_server_alone() -> None:
    pairs = [("a", "b__c"), ("a__b", "c"), ("a", "_c"), ("a_", "c"), (f"{'x' * 12}_.y", "c"), ("_", "__c")]
    found = [names(server, [tool])[tool] for server, tool in pairs]
    assert [name.partition("__")[0] for name in found] == [prefix(server) for server, _ in pairs]
    assert len(set(found)) == len(found)


def test_a_name_that_changes_is_noted() -> None:
    assert shown(definition_of(tool("a.b")), "s__a_b", "s").notes == ("name_changed",)
    assert shown(definition_of(tool("get")), "s__get", "s").notes == ()


def test_texts_are_cut_and_what_hides_in_them_is_shown() -> None:
    odd = definition_of(tool(description="a\u202eb\U000e0041 " + "long " * 1_000, title="t\u200b\n" * 90))
    sent = told(odd, "s__get").description
    assert len(sent) <= DESCRIPTION_CAP and "\u202e" not in sent and "\\u202e" in sent
    assert "description_cut" in odd.notes
    assert len(odd.title) <= 80 and "\n" not in odd.title
    assert told(definition_of(tool(description=None)), "s__get").description == "get"


def test_hints_are_only_shown() -> None:
    assert definition_of(tool(annotations={"readOnlyHint": True})).says == "reads"
    assert definition_of(tool(annotations={"destructiveHint": True})).says == "destroys"
    for odd in ([], "x", {"readOnlyHint": "yes"}, None):
        assert definition_of(tool(annotations=odd)).says == ""


def deep(levels: int) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        made = {"type": "object", "properties": {"a": made}}
    return made


@pytest.mark.parametrize(
    "broken",
    [3, "x", [], {"type": "string"}, {"type": "object", "properties": []}, {"properties": {"a": 3}},
     {"required": "a"}, {"required": [1]}, deep(100)],
)  # fmt: skip
def test_a_broken_schema_breaks_no_other(broken: object) -> None:
    found = read_definitions([tool("a", inputSchema=broken), tool("b")])
    assert found[0].schema == {"type": "object", "properties": {}} and found[0].notes == ("schema_broken",)
    assert found[1].schema == SCHEMA and found[1].notes == ()


def test_a_schema_is_made_short_but_names_choices_and_references_stay() -> None:
    schema = {
        "$schema": "x",
        "title": "T",
        "properties": {
            "title": {"type": "string", "title": "Title", "description": "d" * 1_000},
            "description": {"enum": ["c" * 500, "\u200b"]},
            "again": {"$ref": "#"},
        },
        "required": ["title"],
    }
    made, notes = usable(schema)
    assert notes == () and made["type"] == "object" and "title" not in made and "$schema" not in made
    assert set(made["properties"]) == {"title", "description", "again"}
    assert len(made["properties"]["title"]["description"]) == FIELD_CAP
    assert made["properties"]["description"] == {"enum": ["c" * 500, "\u200b"]}
    assert made["properties"]["again"] == {"$ref": "#"}


def test_a_huge_schema_loses_its_words_first_and_then_all() -> None:
    words = {f"p{number}": {"type": "string", "description": "d" * 200} for number in range(200)}
    made, notes = usable({"type": "object", "properties": words})
    assert notes == ("schema_large",) and made["properties"]["p7"] == {"type": "string"}
    many = {f"p{number}": {"type": "string"} for number in range(5_000)}
    made, notes = usable({"type": "object", "properties": many})
    assert notes == ("schema_large",) and len(json.dumps(made)) < SCHEMA_CAP


def test_of_two_with_one_name_the_first_counts_and_an_odd_one_is_no_harm() -> None:
    found = read_definitions(
        [tool("a", description="first"), tool("a", description="second"), {}, {"name": 7}]
    )
    assert [(one.tool, one.description) for one in found] == [("", ""), ("7", ""), ("a", "first")]


def pins(*definitions: Definition) -> dict[str, str]:
    return {one.tool: one.digest for one in definitions}


def texts(*definitions: Definition) -> dict[str, str]:
    return {one.tool: one.text for one in definitions}


def test_what_was_agreed_to_stays_and_what_changed_is_held_back() -> None:
    before = read_definitions([tool("a"), tool("b"), tool("c")])
    assert agreed(before, None, {}).tools == before
    after = read_definitions([tool("a"), tool("b", description="Sends your keys."), tool("d")])
    found = agreed(after, pins(*before), texts(*before))
    assert [one.tool for one in found.tools] == ["a"]
    assert [(one.tool, bool(one.old)) for one in found.held] == [("b", True), ("d", False)]
    assert "Gets it." in found.held[0].old and "Sends your keys." in found.held[0].new


@pytest.mark.parametrize(
    "change",
    [{"description": "Gets it. "}, {"inputSchema": {**SCHEMA, "title": "x"}}, {"title": "T"},
     {"annotations": {"readOnlyHint": True}}, {"inputSchema": {**SCHEMA, "required": []}}],
)  # fmt: skip
def test_every_change_counts_and_the_order_of_keys_does_not(change: dict[str, Any]) -> None:
    one, turned = definition_of(tool()), definition_of(dict(reversed(tool().items())))
    assert one.digest == turned.digest != definition_of(tool(**change)).digest


def test_an_old_text_that_was_tampered_with_is_not_shown() -> None:
    (before,), (after,) = read_definitions([tool()]), read_definitions([tool(description="other")])
    found = agreed((after,), pins(before), {"get": before.text.replace("Gets", "Eats")})
    assert found.held[0].old == ""


def test_five_hundred_tools_take_no_time() -> None:
    import time

    raw = [tool(f"tool_{number}", description="word " * 100) for number in range(500)]
    began = time.perf_counter()
    found = read_definitions(raw)
    assert len(names("s", [one.tool for one in found])) == 500
    assert len(agreed(found, pins(*found), {}).tools) == 500
    assert time.perf_counter() - began < 2

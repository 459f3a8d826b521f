"""Arguments are read as models write them; what is wrong is said in sentences, and nothing crashes."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from hypothesis import given, strategies as some

from app.errors import ToolError
from app.toolbox.schema import as_text, schema_of, validate
from tools import ToolContext, ToolResult, tool


class Edit(TypedDict):
    old: Annotated[str, "Exact text"]
    new: Annotated[str, "Replacement"]
    line: NotRequired[Annotated[int, "Line"]]


@tool(
    reads=False,
    verb="Edit",
    main="path",
    examples=("change it", "ändere es"),
    accepts={"file": "path", "old_text": "edits.old", "new_text": "edits.new", "replacement": "edits.new"},
)
async def edit(
    context: ToolContext,
    path: Annotated[str, "Path"],
    edits: Annotated[list[Edit], "Edits"] = (),  # type: ignore[assignment]
    count: Annotated[int, "Count"] = 3,
    share: Annotated[float, "Share"] = 0.5,
    method: Annotated[Literal["GET", "PUT"], "Method"] = "GET",
    sure: Annotated[bool, "Sure"] = False,
    limit: Annotated[int | None, "Limit"] = None,
    headers: Annotated[dict[str, str] | None, "Headers"] = None,
    names: Annotated[list[str], "Names"] = (),  # type: ignore[assignment]
) -> ToolResult:
    """Edit a file."""
    return ToolResult(path)


DEFAULTS = {
    "edits": (),
    "count": 3,
    "share": 0.5,
    "method": "GET",
    "sure": False,
    "limit": None,
    "headers": None,
    "names": (),
}


def read(text: str | dict[str, Any]) -> dict[str, Any]:
    """Return only what differs from the defaults."""
    values = validate(edit, text)
    assert values.keys() == {"path", *DEFAULTS}
    return {name: value for name, value in values.items() if name == "path" or value != DEFAULTS[name]}


def fault(text: str | dict[str, Any]) -> str:
    with pytest.raises(ToolError) as caught:
        validate(edit, text)
    assert caught.value.code == "bad_arguments"
    message, mark, schema = str(caught.value).partition("\nSchema: ")
    assert mark and schema == as_text(schema_of(edit))
    message.encode()  # it goes into the next request
    return message


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"path": "a"}', {"path": "a"}),
        (' {"path": "a"}\n', {"path": "a"}),
        ('"{\\"path\\": \\"a\\"}"', {"path": "a"}),
        ('{"path": "a\nb"}', {"path": "a\nb"}),
        ('{"path": 5}', {"path": "5"}),
        ('{"path": true}', {"path": "true"}),
        ('{"path": "a", "count": "5"}', {"path": "a", "count": 5}),
        ('{"path": "a", "count": " 5 "}', {"path": "a", "count": 5}),
        ('{"path": "a", "count": 5.0}', {"path": "a", "count": 5}),
        ('{"path": "a", "share": "1.5"}', {"path": "a", "share": 1.5}),
        ('{"path": "a", "sure": "yes"}', {"path": "a", "sure": True}),
        ('{"path": "a", "sure": "True"}', {"path": "a", "sure": True}),
        ('{"path": "a", "sure": 1}', {"path": "a", "sure": True}),
        ('{"path": "a", "method": "put"}', {"path": "a", "method": "PUT"}),
        ('{"path": "a", "count": null, "limit": null, "names": null}', {"path": "a"}),
        ('{"path": "a", "limit": "7"}', {"path": "a", "limit": 7}),
        ('{"path": "a", "names": "one"}', {"path": "a", "names": ["one"]}),
        ('{"path": "a", "names": "[\\"one\\"]"}', {"path": "a", "names": ["one"]}),
        ('{"path": "a", "names": [1, "b"]}', {"path": "a", "names": ["1", "b"]}),
        ('{"path": "a", "headers": "{\\"A\\": 1}"}', {"path": "a", "headers": {"A": "1"}}),
        ('{"file": "a"}', {"path": "a"}),
        ('{"File": "a"}', {"path": "a"}),
        ('{"path": "a", "file": "a"}', {"path": "a"}),
        (
            '{"path": "a", "edits": {"old": "x", "new": "y"}}',
            {"path": "a", "edits": [{"old": "x", "new": "y"}]},
        ),
        (
            '{"path": "a", "edits": "[{\\"old\\": \\"x\\", \\"new\\": \\"y\\"}]"}',
            {"path": "a", "edits": [{"old": "x", "new": "y"}]},
        ),
        (
            '{"path": "a", "edits": [{"oldText": "x", "new_text": "y", "line": null}]}',
            {"path": "a", "edits": [{"old": "x", "new": "y"}]},
        ),
        (
            '{"path": "a", "old_text": "x", "newText": "y"}',
            {"path": "a", "edits": [{"old": "x", "new": "y"}]},
        ),
        (
            '{"path": "a", "edits": [{"old": "1", "new": "2"}], "old_text": "x", "new_text": "y"}',
            {"path": "a", "edits": [{"old": "1", "new": "2"}, {"old": "x", "new": "y"}]},
        ),
        ('{"path": "\\ud83d\\ude00"}', {"path": "😀"}),
        ('{"path": "\ud83d\ude00"}', {"path": "😀"}),
        ({"path": "a", "count": "2"}, {"path": "a", "count": 2}),
    ],
)
def test_slips_are_read_as_meant(text: str | dict[str, Any], meant: dict[str, Any]) -> None:
    assert read(text) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Argument `path` is missing; it must be text."),
        ("null", "Argument `path` is missing"),
        ("{}", "Argument `path` is missing"),
        ('{"path": null}', "Argument `path` is missing"),
        ('{"path": {"a": 1}}', "Argument `path` must be text, not an object."),
        ('{"path": "a", "count": "five"}', "Argument `count` must be a whole number, not the text 'five'."),
        ('{"path": "a", "count": 5.5}', "Argument `count` must be a whole number, not the number 5.5."),
        ('{"path": "a", "limit": []}', "Argument `limit` must be a whole number or null, not a list."),
        ('{"path": "a", "sure": "perhaps"}', "Argument `sure` must be true or false"),
        (
            '{"path": "a", "method": "POST"}',
            "Argument `method` must be one of GET, PUT, not the text 'POST'.",
        ),
        ('{"path": "a", "edits": 3}', "Argument `edits[0]` must be an object"),
        ('{"path": "a", "edits": [{"old": "x"}]}', "`edits[0].new` is missing."),
        (
            '{"path": "a", "edits": [{"old": "x", "new": []}]}',
            "Argument `edits[0].new` must be text, not a list.",
        ),
        (
            '{"path": "a", "edits": [{"old": "x", "new": "y", "z": 1}]}',
            "`edits[0]` has no field `z`; it takes old, new, line.",
        ),
        ('{"path": "a", "colour": 1}', "There is no argument `colour`; edit takes path, edits, count"),
        ('{"path": "a", "file": "b"}', "`file` says the same as `path`; send only `path`."),
        ("[1]", "expected one JSON object, got a list."),
        ("5", "expected one JSON object, got the number 5."),
        ('"text"', "this is not valid JSON"),
        ('{"path": "a",}', "a comma stands before the closing bracket"),
        ('{"path": ["a",]}', "a comma stands before the closing bracket"),
        ('{"path": "a"', "this is not valid JSON"),
        ('{"path": "a"}{"path": "b"}', "extra data (line 1, column 14"),
        ("{'path': 'a'}", "this is not valid JSON"),
        ('```json\n{"path": "a"}\n```', "they stand in a code fence"),
        ('{"path": "a", "share": NaN}', "NaN is not a JSON number"),
        ('{"path": "a", "share": -Infinity}', "-Infinity is not a JSON number"),
        ('{"path": "a", "share": 1e999}', "1e999 is larger than any number that can be kept"),
        ('{"path": -1e999}', "-1e999 is larger than any number that can be kept"),
        ('{"path": "a", "count": ' + "9" * 5000 + "}", "a number has more than 100 digits"),
        ('{"path": "\\ud83d"}', "argument `path` holds half of a character"),
        ('{"path": "\ud83d"}', "argument `path` holds half of a character"),
        ('{"path": "a", "edits": [{"old": "\\udead"}]}', "argument `edits[0].old` holds half of a character"),
        ('{"path": "a\\u0000"}', "argument `path` holds the NUL character"),
        ('{"path": "a\0"}', "argument `path` holds the NUL character"),
        ("[" * 100_000, "nested too deeply"),
        ('{"path":' * 50_000, "nested too deeply"),
        ('{"path": "a", "\ud800": 1}', "There is no argument `\\ud800`"),
        ("\0", "this is not valid JSON"),
        ("\ufeff{}", "this is not valid JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    assert said in fault(text)


def test_all_faults_are_named_at_once() -> None:
    message = fault('{"count": "five", "method": 1, "x": 2}')
    for name in ("path", "count", "method", "x"):
        assert f"`{name}`" in message


def test_a_long_wrong_value_is_not_repeated_whole() -> None:
    assert len(fault(json.dumps({"path": "a", "count": "x" * 100_000, "y" * 100_000: 1}))) < 1_000


def test_defaults_are_not_shared_between_calls() -> None:
    assert validate(edit, '{"path": "a"}')["names"] == ()


@given(some.text(max_size=60))
def test_any_text_gives_arguments_or_sentences(text: str) -> None:
    try:
        validate(edit, text)
    except ToolError as error:
        assert error.code == "bad_arguments" and "\nSchema: " in str(error)


JSON = some.recursive(
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | some.text(some.characters(), max_size=5),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = some.sampled_from(["path", *DEFAULTS, "x"])


@given(some.dictionaries(NAMES, JSON, max_size=6))
def test_any_object_gives_arguments_or_sentences(value: dict[str, Any]) -> None:
    try:
        validate(edit, json.dumps(value))
    except ToolError as error:
        assert error.code == "bad_arguments"
        str(error).encode()

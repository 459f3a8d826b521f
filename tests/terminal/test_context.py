"""`context` adds up to the body byte for byte, and a first request stays small with everything installed."""

from __future__ import annotations

import json
import re
from pathlib import Path

from rs_bpe.bpe import openai

from tests.bench.cost import SERVERS, rows
from tests.terminal.conftest import Bramble, command
from tests.terminal.console import Console

MOST = 1_500
"""Tokens of the first request (product.md 13)."""


def fixture(path: Path) -> str:
    """Write ten servers of twenty tools."""
    path.write_text(json.dumps(rows()))
    return str(path)


def test_a_first_request_is_small_with_everything_installed(bramble: Bramble, tmp_path: Path) -> None:
    options = ("--mcp-fixture", fixture(tmp_path / "tools.json"))
    told = json.loads(bramble("context", "--json", *options).out)
    body = bramble("context", "--raw", *options).out.rstrip("\n")
    assert told["loadable"] >= 200
    assert sum(part["bytes"] for part in told["parts"]) == len(body.encode())
    assert sum(part["tokens"] for part in told["parts"]) == told["total_tokens"] <= MOST
    shown = body.replace(str(tmp_path), "/home/anna")  # where the test stands is none of our tokens
    assert len(openai.o200k_base().encode(shown)) <= MOST
    system = json.loads(body)["messages"][0]["content"]
    assert system.count("- ") >= 20 and all(f"- {server} (server, 20 tools)" in system for server in SERVERS)


def test_a_core_schema_is_small(bramble: Bramble) -> None:
    body = json.loads(bramble("context", "--raw").out)
    sizes = {
        tool["function"]["name"]: len(
            openai.o200k_base().encode(json.dumps(tool["function"], separators=(",", ":")))
        )
        for tool in body["tools"]
    }
    assert max(sizes.values()) <= 90 and sum(sizes.values()) <= 720, sizes


def test_the_parts_are_named(bramble: Bramble, work: Path) -> None:
    told = json.loads(bramble("context", "--json", "--prompt", "Hello there").out)
    parts = {part["name"]: part["bytes"] for part in told["parts"]}
    assert {"system", "catalogue", "skills", "tools", "conversation", "now", "frame"} <= parts.keys()
    assert parts["system"] > 300 and parts["skills"] > 300 and parts["tool results"] == 0
    assert {tool["why"] for tool in told["loaded"]} == {"core"}
    shown = bramble("context").out
    assert "Catalogue of tools" in shown and "estimate" in shown and "always on" in shown


def test_no_number_is_cut_on_a_narrow_terminal(environment: dict[str, str], work: Path) -> None:
    with Console(command("context"), environment, str(work), columns=40) as console:
        shown = console.expect("more tools can be loaded.")
    rows = [line for line in shown.splitlines() if " kB" in line or " bytes" in line]
    assert len(rows) > 5 and all(re.search(r"~[\d.]+k? tokens +[\d.]+ (kB|bytes)$", row) for row in rows), (
        rows
    )


def test_a_bad_file_is_wrong_use(bramble: Bramble, work: Path) -> None:
    (work / "bad.json").write_text("{")
    for words in (("context",), ("tools", "list"), ("tools", "find", "x")):
        ran = bramble(*words, "--mcp-fixture", str(work / "bad.json"))
        assert ran.code == 2 and "bad.json" in ran.err and "JSON list" in ran.err
    (work / "odd.json").write_text('[3, {"server": "s", "name": "a.b", "inputSchema": {}}]')
    ran = bramble("tools", "list", "--json", "--mcp-fixture", str(work / "odd.json"))
    assert ran.code == 0 and "Entry 1" in ran.err
    (one,) = [tool for tool in json.loads(ran.out) if tool["source"] == "mcp:s"]
    assert one["name"].startswith("s__a_b") and one["state"] == "needed" and one["tokens"] > 0

"""Every tool keeps the contract, and the contract refuses what would go around the capabilities."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, get_args, get_type_hints

import pytest

import tools
from app.capabilities.call_site import CallSite
from app.capabilities.gate import Gate
from app.permissions.policy import policy
from app.records import Answer
from app.toolbox.contract import check_helper, check_module, check_source, check_tool
from app.toolbox.registry import CORE, load_registry, tool_modules
from tests.conversation.test_engine import bench, says
from tools import ReadContext, ToolContext, ToolResult, tool

ROOT = Path(__file__).parents[2]
MODULES = tool_modules()
CORE_TOOL_TOKENS = 90
CORE_TOKENS = 720
IMPORT_SECONDS = 0.060
IMPORT_SHARE = 1.2
"""Of what asyncio takes to import, for machines on which everything takes longer; 0.8 was measured."""

IMPORT_ALL = """
import sys, time
sys.path.insert(0, ".")
import importlib, json, pkgutil, re, typing, dataclasses
before, start = set(sys.modules), time.process_time()
import tools
for folder in (found for found in pkgutil.iter_modules(tools.__path__) if found.ispkg):
    category = importlib.import_module(f"tools.{folder.name}")
    for entry in pkgutil.iter_modules(category.__path__):
        if not entry.name.startswith("_"):  # what a tool loads late is loaded when it is called
            importlib.import_module(f"{category.__name__}.{entry.name}")
print(time.process_time() - start)
print(*sorted(set(sys.modules) - before))
"""

IMPORT_ASYNCIO = """
import time
start = time.process_time()
import asyncio
print(time.process_time() - start)
"""

GOOD = '''"""Say a word."""
from __future__ import annotations
import json
from typing import Annotated, Literal
from tools import ReadContext, ToolResult, tool

@tool(reads=True, verb="Say", main="word", examples=("say hello", "sag hallo"))
async def say(
    context: ReadContext, word: Annotated[str, "Word"], how: Annotated[Literal["a"], "How"] = "a"
) -> ToolResult:
    """Say a word."""
    return ToolResult(json.dumps(word))
'''


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_tool_keeps_the_contract(module: ModuleType) -> None:
    assert [f"{fault.line}: {fault.message}" for fault in check_module(module)] == []


def test_helpers_of_tools_keep_the_contract() -> None:
    for folder in (found for found in pkgutil.iter_modules(tools.__path__) if found.ispkg):
        category = importlib.import_module(f"tools.{folder.name}")
        for entry in pkgutil.iter_modules(category.__path__):
            if entry.name.startswith("_"):
                helper = importlib.import_module(f"tools.{folder.name}.{entry.name}")
                assert helper.__doc__, entry.name
                assert check_helper(inspect.getsource(helper), folder.name) == []


def test_every_module_of_the_package_is_found() -> None:
    files = {path.stem for path in (ROOT / "tools").glob("*/*.py") if not path.stem.startswith("_")}
    assert files == set(load_registry().tools)


def test_core_schemas_stay_within_their_tokens() -> None:
    """Product.md 2.2, in o200k_base, over the compact JSON that a request holds."""
    from rs_bpe import openai

    count = openai.o200k_base().count
    core = [entry for entry in load_registry().tools.values() if entry.core]
    assert {entry.name for entry in core} <= CORE
    cost = {
        entry.name: count(
            json.dumps(
                {
                    "name": entry.name,
                    "description": entry.schema.description,
                    "parameters": entry.schema.parameters,
                },
                separators=(",", ":"),
                ensure_ascii=False,
            )
        )
        for entry in core
    }
    assert {name: tokens for name, tokens in cost.items() if tokens > CORE_TOOL_TOKENS} == {}
    assert sum(cost.values()) <= CORE_TOKENS


def test_importing_all_tools_is_quick_and_loads_nothing_heavy() -> None:
    """Product.md 4: in fresh processes, the best of three in CPU time, so that other work does not decide."""
    runs = [_fresh(IMPORT_ALL) for _ in range(3)]
    reference = min(float(_fresh(IMPORT_ASYNCIO)[0]) for _ in range(3))
    assert min(float(run[0]) for run in runs) < max(IMPORT_SECONDS, IMPORT_SHARE * reference)
    loaded = {name.split(".")[0].lstrip("_") for name in runs[0][1].split()}
    assert loaded <= {"future__", "tools", "datetime", "math"}


def _fresh(script: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_the_example_keeps_the_contract() -> None:
    assert check_source(GOOD, "say") == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("import os", "import of os"),
        ("import subprocess as json2", "import of subprocess"),
        ("import collections.abc", "import of collections.abc"),
        ("from pathlib import Path", "import from pathlib"),
        ("from . import other", "import from ."),
        ("from app.errors import ToolError", "import from app.errors"),
        ("from tools.shell._report import report", "import from tools.shell._report"),
        ("from json import *", "import of json.*"),
        ("from json import codecs", "import of json.codecs"),
        ("from typing import sys", "import of typing.sys"),
        ("from typing import get_type_hints", "import of typing.get_type_hints"),
        ("from dataclasses import make_dataclass", "import of dataclasses.make_dataclass"),
        ("import re\nX = re.enum.sys", "re.enum is refused"),
        ("import json\nX = json.codecs", "json.codecs is refused"),
        ("import json\nX = [json]", "the module json may only be used"),
        ("X = open('/etc/passwd')", "open is refused"),
        ("X = eval('1')", "eval is refused"),
        ("X = exec('1')", "exec is refused"),
        ("X = compile('1', '', 'eval')", "compile is refused"),
        ("X = __import__('os')", "__import__ is refused"),
        ("X = __builtins__", "__builtins__ is refused"),
        ("X = globals()", "globals is refused"),
        ("X = getattr(1, 'a')", "getattr is refused"),
        ("X = ().__class__.__base__", "attribute __class__ is refused"),
        ("def f(c):\n    return c.shell._jobs", "attribute _jobs is refused"),
        ("def f(c):\n    return c.cr_frame.f_globals", "attribute cr_frame is refused"),
        ("X = '{0.x}'.format(1)", "attribute format is refused"),
        ("def f(x):\n    match x:\n        case object(__globals__=g):\n            return g", "__globals__"),
        ("def f():\n    try:\n        return 1\n    except Exception:\n        return 2", "broad except"),
        (
            "def f():\n    try:\n        return 1\n    except (ValueError, BaseException):\n        return 2",
            "broad",
        ),
        ("def f():\n    try:\n        return 1\n    except:\n        return 2", "broad except"),
        ("def f():\n    global X\n    X = 1", "global is refused"),
        ("X = list['int']", "a type in quotes"),
        ("def f(x: 'int') -> None: ...", "an annotation in quotes"),
        ("class X(metaclass=abs): ...", "a metaclass"),
        ("from typing import TypedDict\nX = TypedDict('X', {'a': 'int'})", "TypedDict is written as a class"),
        ("for X in (1, 2): ...", "a statement runs"),
        ("print('hello')", "a statement runs"),
        ("def f():\n    print('hello')", "print is refused"),
        ("def f(context):\n    return context.shell.run", "may not reach run"),
        ("def f(context):\n    files = context.files\n    return files.change", "may not reach change"),
        ("def f(context):\n    return context.git.make_commit", "may not reach make_commit"),
        ("def f(context):\n    desktop = context.desktop\n    return desktop.set_clipboard", "set_clipboard"),
        ("def f(context):\n    return context.memory.note", "may not reach note"),
    ],
)
def test_a_way_out_is_refused(line: str, message: str) -> None:
    head, mark, tail = GOOD.partition("\n@tool")
    faults = check_source(f"{head}\n{line}\n{mark}{tail}", "say")
    assert any(message in fault.message for fault in faults), faults


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"""Say a word."""\nfrom __f', "from __f", "no docstring"),
        ("async def say", "def say", "must hold one async function say"),
        ("async def say", "async def tell", "must hold one async function say"),
        ("@tool(reads", "@str(reads", "must hold one async function say"),
        ("return ToolResult(", "return ToolResult((", "this is not Python"),
    ],
)
def test_a_wrong_shape_is_refused(old: str, new: str, message: str) -> None:
    assert old in GOOD
    faults = check_source(GOOD.replace(old, new), "say")
    assert any(message in fault.message for fault in faults), faults


def test_a_second_tool_in_a_module_is_refused() -> None:
    second = GOOD[GOOD.index("@tool") :].replace("def say", "def tell")
    assert any("must hold one" in fault.message for fault in check_source(GOOD + second, "say"))


@pytest.mark.parametrize("source", ["\0", "def", "\ud800", "(" * 300])
def test_source_that_is_no_python_is_a_fault(source: str) -> None:
    told = check_source(source, "say")[0].message
    assert told.startswith("this is not Python") and "unknown" not in told


def _marked(**changes: Any) -> Any:
    return tool(**{"reads": False, "verb": "Do", "examples": ("do it", "mach es"), **changes})


def test_wrong_signatures_are_refused() -> None:
    @_marked()
    async def plain(context: ToolContext, word: str) -> ToolResult:
        """Do it."""
        return ToolResult(word)

    @_marked(reads=True)
    async def too_much(context: ToolContext) -> ToolResult:
        """Do it."""
        return ToolResult("")

    @_marked(main="other", accepts={"a": "b"})
    async def names(context: ToolContext, word: Annotated[str, "Word"]) -> ToolResult:
        """Do it."""
        return ToolResult(word)

    @_marked()
    async def odd(context: ToolContext, word: Annotated[bytes, "Bytes"]) -> ToolResult:
        """Do it."""
        return ToolResult("")

    @_marked()
    async def shared(context: ToolContext, words: Annotated[list[str], "Words"] = []) -> ToolResult:  # noqa: B006
        """Do it."""
        return ToolResult("")

    @_marked(examples=("one",), verb=" ")
    async def bare(context: ToolContext) -> ToolResult:
        return ToolResult("")

    @_marked()
    async def many(context: ToolContext, *words: Annotated[str, "Words"]) -> str:
        """Do it."""
        return ""

    def said(function: Any) -> str:
        return " | ".join(fault.message for fault in check_tool(function))

    assert "parameter word needs Annotated" in said(plain)
    assert "must be `context: ReadContext`" in said(too_much)
    assert "main names other" in said(names) and "accepts maps a to b" in said(names)
    assert "is no type for a tool" in said(odd)
    assert "the default of words could be changed" in said(shared)
    assert "no docstring" in said(bare) and "2 examples" in said(bare) and "no verb" in said(bare)
    assert "plain ones" in said(many) and "must return ToolResult" in said(many)


def test_a_record_that_has_a_field_of_that_name_is_read() -> None:
    head, mark, tail = GOOD.partition("\n@tool")
    assert check_source(f"{head}\ndef f(page):\n    return page.note\n{mark}{tail}", "say") == []


CHANGING = {
    "files": "change",
    "shell": "input run stop",
    "servers": "connect install",
    "memory": "add_todo forget note remember settle_todo",
    "web": "download send",
    "services": "send send_all",
    "git": "change_branch change_stash check_out make_commit sync",
    "processes": "end_processes",
    "desktop": "notify open_app open_url set_brightness set_clipboard set_volume",
    "documents": "edit_table execute save_rows",
    "calendars": "add_event",
    "timers": "cancel_timer start_timer",
}
"""What the capabilities of a changing call have more; a reading one has none of `ONLY_CHANGING` at all."""
ONLY_CHANGING = {"helpers", "pictures", "mail"}


def test_a_reading_context_has_no_changing_method() -> None:
    """By its types, all of which are looked at: one that comes must be put down here."""
    read, change = (_capabilities(kind) for kind in (ReadContext, ToolContext))
    assert set(change) - set(read) == ONLY_CHANGING and set(read) <= set(change)
    more = {name: " ".join(sorted(methods - read[name])) for name, methods in change.items() if name in read}
    assert {name: methods for name, methods in more.items() if methods} == CHANGING


def _capabilities(context: type) -> dict[str, set[str]]:
    return {
        name: {method for method in dir(kind) if not method.startswith("_")}
        for name, hint in get_type_hints(context, vars(tools)).items()
        for kind in (hint, *get_args(hint))
        if getattr(kind, "_is_protocol", False)
    }


def test_a_tool_that_reads_at_times_names_only_what_it_is_given_then() -> None:
    """`timer` with list once failed inside, since only a changing call had timers."""
    sometimes = GOOD.replace("reads=True", "reads=lambda given: True").replace("ReadContext", "ToolContext")
    assert check_source(sometimes, "say") == []
    for reach, faults in (("memory", 0), ("mail", 1)):
        made = check_source(sometimes.replace("json.dumps(word)", f"str(context.{reach})"), "say")
        assert len(made) == faults, made
    assert (
        check_source(
            sometimes.replace("lambda given: True", "False").replace("word)", "context.mail)"), "say"
        )
        == []
    )


async def test_what_a_reading_call_is_given_has_none_either(tmp_path: Path) -> None:
    """The objects of a real engine, whatever their types say."""
    async with bench(tmp_path, says("ok")) as scene:
        gate = Gate("read_file", policy(str(scene.folder)), refusing, "judge")
        site = CallSite("s", "t", "read_file", str(scene.folder), reads=True, progress=print)
        make = scene.engine._parts.contexts.make
        reading = make(gate, site)._asdict()
        changing = make(gate, site._replace(reads=False))._asdict()
    assert not ONLY_CHANGING & set(reading)
    for name, methods in CHANGING.items():
        assert reading[name] is not None and changing[name] is not None, name
        assert [method for method in methods.split() if hasattr(reading[name], method)] == [], name
        assert all(hasattr(changing[name], method) for method in methods.split()), name


async def refusing(effect: object, decision: object) -> Answer:
    return Answer(decision="deny")

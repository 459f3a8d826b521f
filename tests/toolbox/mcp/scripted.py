"""A server of our own over stdio that misbehaves as it is told; run as a program, with plain Python only.

`python scripted.py WORDS...`: each word is a fault or a trait, see `Script`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

ASKED: dict[str, dict[str, Any]] = {
    "roots/list": {},
    "sampling/createMessage": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}],
        "maxTokens": 10,
    },
    "elicitation/create": {
        "message": "Your password?",
        "requestedSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
    },
    "nobody/knows": {},
    "ping": {},
}
"""What a server may ask of a client, with its parameters."""


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def tool(name: str, **fields: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return {"name": name, "description": f"Does {name or 'nothing'}.", "inputSchema": schema, **fields}


def nested(deep: int) -> dict[str, Any]:
    """Return a schema so deep that no parser of the other side follows it."""
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(deep):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def daemon(place: str) -> None:
    """Begin one that left its group, session, parents and environment; it writes its number to a file."""
    begun = "import os, sys, time; open(sys.argv[1], 'w').write(f'{os.getpid()}\\n'); time.sleep(600)"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for number in range(3):
                os.dup2(null, number)
            os.execve(sys.executable, [sys.executable, "-I", "-c", begun, place], {})
        os._exit(0)


class Script:
    """Answers requests; `words` are what it was told."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.changed = False

    def has(self, word: str) -> bool:
        return word in self.words

    def value(self, word: str) -> str:
        return next((one.partition("=")[2] for one in self.words if one.startswith(f"{word}=")), "")

    def begin(self) -> None:
        """What happens before the first message."""
        if self.has("child"):  # a grandchild that left the group and holds every pipe open
            subprocess.Popen(["sleep", "600"], start_new_session=True)
        if place := self.value("daemon"):
            daemon(place)
        if self.has("stubborn"):
            import signal

            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self.has("stderr"):
            sys.stderr.write("line\n" * 40_000 + "the end\n")
        if self.has("hides"):
            sys.stderr.write("\x1b]0;title\x07\x1b[31mred\x1b[0m and \u202ehidden\u200b\n")
        if self.has("dies"):
            sys.exit("it wants the variable TOKEN")
        if self.has("password"):
            import getpass

            getpass.getpass("Password: ")
        if self.has("mute"):
            time.sleep(600)

    def run(self) -> None:
        """Read and answer."""
        print("starting up: a log line on stdout", flush=True)
        print('{"level": "info", "message": "another one"}', flush=True)
        if self.has("floods"):
            while True:
                sys.stdout.write("noise " * 200 + "\n")
        for line in sys.stdin:
            message = json.loads(line)
            if "id" in message and "method" in message:
                self.answer(message["id"], message["method"], message.get("params") or {})
        if self.has("stubborn"):
            time.sleep(600)

    def answer(self, id: Any, method: str, params: dict[str, Any]) -> None:
        if method == "server/discover" and self.has("fragile"):
            sys.exit(3)
        if method == "initialize":
            result: dict[str, Any] = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "scripted", "version": "1.0"},
            }
        elif method == "tools/list":
            result = self.tools(params)
            if self.has("restless"):
                say({"method": "notifications/tools/list_changed"})
        elif method == "tools/call":
            token = (params.get("_meta") or {}).get("progressToken")
            self.call(id, params["name"], {"token": token, **(params.get("arguments") or {})})
            return
        else:
            say({"id": id, "error": {"code": -32601, "message": f"no method {method}"}})
            return
        say({"id": id, "result": result})

    def ask(self, number: int, method: str) -> Any:
        """Ask the other side for something; return its answer."""
        say({"id": f"ask-{number}", "method": method, "params": ASKED[method]})
        return json.loads(sys.stdin.readline())

    def tools(self, params: dict[str, Any]) -> dict[str, Any]:
        if self.has("many"):
            start = int(params.get("cursor") or 0)
            page = [tool(f"tool_{number}") for number in range(start, start + 100)]
            return {"tools": page, **({"nextCursor": str(start + 100)} if start < 400 else {})}
        if self.has("odd"):
            names = ["a.b", "a b", "a_b", "", "x" * 90, "x" * 89 + "y", "ünï"]
            bad = [
                {"name": "no_schema"},
                tool("abyss", inputSchema=nested(300)),
                tool("list_schema", inputSchema=[]),
                tool("round", inputSchema={"type": "object", "properties": {"a": {"$ref": "#"}}}),
                tool("half", description="half \ud800 of a character"),
                "no tool at all",
            ]
            return {"tools": [*map(tool, names), *bad]}
        words = "Says it louder." if self.changed or self.has("louder") else "Says it."
        if self.has("endless"):
            number = int(params.get("cursor") or 0)
            page = [tool(f"big_{number}_{n}") | {"description": "d" * 500_000} for n in range(10)]
            return {"tools": page, "nextCursor": str(number + 1)}
        if self.has("long"):
            return {"tools": [tool("ping"), *(tool(f"{n}" + "n" * 3_000) for n in range(1_900))]}
        found = [
            tool(name) for name in ("ping", "exit", "hang", "change", "huge", "bad", "spam", "image", "fail")
        ]
        schema = {
            "type": "object",
            "properties": {"a": {"pattern": "(a+)+$", "type": "string"}},
            "required": ["b"],
        }
        return {
            "tools": [
                *found,
                tool("echo", description=words, annotations={"readOnlyHint": True}),
                tool("structured", outputSchema=schema),
                *([tool("new")] if self.changed else []),
            ]
        }

    def oddly(self, id: Any, name: str, arguments: dict[str, Any]) -> bool:
        """Answer a call in a way that nobody should; false for a call of another kind."""

        def result(**fields: Any) -> None:
            say({"id": id, "result": {"content": [], **fields}})

        match name:
            case "deaf":
                result()
                time.sleep(600)
            case "asks":
                answers = [self.ask(number, method) for number, method in enumerate(ASKED)]
                result(content=[{"type": "text", "text": json.dumps(answers)}])
            case "error":
                say({"id": id, "error": {"code": -32000, "message": "its own words"}})
            case "deep":
                nested = "[" * 100_000 + "]" * 100_000
                print(f'{{"jsonrpc": "2.0", "id": {id}, "result": {{"content": {nested}}}}}', flush=True)
            case "odd":
                odd = f'{{"a": NaN, "b": {"9" * 5_000}, "c": "half \\ud800"}}'
                structured = f'{{"content": [], "structuredContent": {odd}}}'
                print(f'{{"jsonrpc": "2.0", "id": {id}, "result": {structured}}}', flush=True)
            case "parts":
                result(content=[{"type": "text", "text": "part"}] * 50_000)
            case "values":
                result(structuredContent={"a": [[]] * int(arguments["text"])})
            case _:
                return False
        return True

    def call(self, id: Any, name: str, arguments: dict[str, Any]) -> None:  # noqa: C901 - one case a tool
        def text(words: str, **fields: Any) -> None:
            say({"id": id, "result": {"content": [{"type": "text", "text": words}], **fields}})

        if self.oddly(id, name, arguments):
            return
        match name:
            case "exit":
                sys.exit(int(arguments.get("code", 0)))
            case "hang":
                Path(arguments.get("text") or os.devnull).write_text("begun")
                time.sleep(600)
            case "change":
                self.changed = True
                say({"method": "notifications/tools/list_changed"})
                text("changed")
            case "huge":
                sys.stdout.write('{"jsonrpc": "2.0", "id": ' + json.dumps(id) + ', "result": "')
                while True:
                    sys.stdout.write("x" * 65_536)
            case "bad":
                say({"id": id, "result": {"content": "no list"}})
            case "spam":
                for number in range(800):
                    say({"method": "notifications/message", "params": {"level": "info", "data": number}})
                text("spammed")
            case "hurry":
                for number in range(300):
                    params = {"progressToken": arguments["token"], "progress": number, "message": "p" * 5_000}
                    say({"method": "notifications/progress", "params": params})
                text("hurried")
            case "image":
                content = [{"type": "image", "data": PIXEL, "mimeType": "image/png"}]
                say({"id": id, "result": {"content": content}})
            case "fail":
                text("it is broken", isError=True)
            case "structured":
                say({"id": id, "result": {"content": [], "structuredContent": {"a": "a" * 60 + "!"}}})
            case "ping":
                text(f"pong {os.getpid()}")
            case _:
                text(f"{name}: {arguments.get('text', '')} {os.environ.get('TOKEN', '')}".strip())


if __name__ == "__main__":
    script = Script(sys.argv[1:])
    script.begin()
    script.run()

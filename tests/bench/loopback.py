"""A model server on a loopback socket, in a process of its own, that says what a script tells it.

`python -P loopback.py SCRIPT.json` speaks Chat Completions. It prints its port on the first line, then
`first SECONDS` (unix time) at the first byte of every request and `last SECONDS` at the end of every reply.
SCRIPT is a list of replies, the last one repeated: {"text", "calls": [{"name", "arguments"}], "rate"}. `rate`
counts four-character pieces per second; 0 sends all at once.
"""

from __future__ import annotations

import itertools
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

PIECE = 4


def event(choices: list[dict[str, Any]], **more: Any) -> bytes:
    """One server-sent event."""
    body = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "loopback",
        "choices": choices,
    }
    return b"data: " + json.dumps(body | more).encode() + b"\n\n"


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    """A piece of the answer."""
    return event([{"index": 0, "delta": delta, "finish_reason": finish}])


def usage(reply: dict[str, Any]) -> bytes:
    """The last event: what the request cost, as the reply says it or as most do here."""
    tokens, prompt = len(reply.get("text", "")) // PIECE, reply.get("prompt", 1200)
    counts: dict[str, Any] = {
        "prompt_tokens": prompt,
        "completion_tokens": tokens,
        "total_tokens": prompt + tokens,
    }
    if "cached" in reply:
        counts["prompt_tokens_details"] = {"cached_tokens": reply["cached"]}
    return event([], usage=counts) + b"data: [DONE]\n\n"


def calls_of(reply: dict[str, Any], number: int) -> Iterator[bytes]:
    """The events of a reply's calls."""
    for index, call in enumerate(reply.get("calls", ())):
        function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
        entry = {"index": index, "id": f"call_{number}_{index}", "type": "function", "function": function}
        yield chunk({"tool_calls": [entry]})


def send(connection: socket.socket, data: bytes) -> None:
    """Send one piece of a chunked body."""
    connection.sendall(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def stream(connection: socket.socket, reply: dict[str, Any], number: int) -> None:
    """Send one reply at its rate, and say when its last byte left."""
    text, rate = reply.get("text", ""), reply.get("rate", 0)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    connection.sendall(head)
    send(connection, chunk({"role": "assistant", "content": ""}))
    if rate:
        paced(connection, text, rate)
    elif text:
        send(connection, chunk({"content": text}))
    for call in calls_of(reply, number):
        send(connection, call)
    send(connection, chunk({}, "tool_calls" if reply.get("calls") else "stop") + usage(reply))
    left = time.time()
    connection.sendall(b"0\r\n\r\n")
    print(f"last {left:.6f}", flush=True)


def paced(connection: socket.socket, text: str, rate: float) -> None:
    """Send `rate` pieces a second, each an event of its own, whatever the clock's grain is."""
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    began, sent = time.monotonic(), 0
    while sent < len(pieces):
        due = min(len(pieces), int((time.monotonic() - began) * rate) + 1)
        if due > sent:
            send(connection, b"".join(chunk({"content": piece}) for piece in pieces[sent:due]))
        sent = due
        time.sleep(0.001)


def read_request(file: BinaryIO) -> str:
    """Read one request whole and return its method, "" at the end of the connection."""
    line = file.readline()
    if line:
        print(f"first {time.time():.6f}", flush=True)
    length = 0
    for header in iter(file.readline, b"\r\n"):
        if not header:
            return ""
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    file.read(length)
    return line.split(b" ")[0].decode()


def send_models(connection: socket.socket) -> None:
    """Answer any GET with the list of models."""
    body = b'{"object":"list","data":[{"id":"loopback","object":"model"}]}'
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)


def serve(script: list[dict[str, Any]]) -> None:
    """Answer until killed."""
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    numbers = itertools.count()

    def answer(connection: socket.socket) -> None:
        # A client that leaves early is no error.
        with connection, connection.makefile("rb") as file, suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while method := read_request(file):
                if method != "POST":
                    send_models(connection)
                    continue
                number = next(numbers)
                stream(connection, script[min(number, len(script) - 1)], number)

    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        serve(json.load(file))

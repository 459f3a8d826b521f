"""The child process of the model in the app: loads the weights, serves Chat Completions on loopback, ends
with its parent.

Started as a program of its own: `server.py MODEL WINDOW THREADS FENCED`. Its first line on stdout is the
port, or the reason why it failed.
It lives as long as its standard input is open, so it ends even when the parent is killed.
"""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

FENCE = "```"


def fenced_template(template: str) -> str:
    """Return the model's own template, changed so that a call is asked for and read as a fenced JSON block.

    Small coder models write calls so whatever they are told; measured in the voice facts, section 7.
    """
    told = template.replace("<tool_call></tool_call> XML tags:", "a json code block:")
    return told.replace("<tool_call>", f"{FENCE}json").replace("</tool_call>", FENCE)


def free_port() -> int:
    """Return a port of the loopback interface that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(model: Path, window: int, threads: int, template: str) -> None:
    """Serve until standard input closes."""
    from xllamacpp import CommonParams, Server

    port = free_port()
    settings = CommonParams()
    settings.model.path = str(model)
    settings.hostnames = ["127.0.0.1"] if isinstance(settings.hostnames, list) else "127.0.0.1"
    settings.port = port
    settings.n_ctx = window
    settings.n_parallel = 1
    settings.use_jinja = True
    settings.ui = False
    settings.cpuparams.n_threads = threads
    settings.cpuparams_batch.n_threads = threads
    if template:
        settings.chat_template = template
    server = Server(settings)
    print(json.dumps({"port": port}), flush=True)
    sys.stdin.read()
    del server


def main(arguments: list[str]) -> int:
    """Run with arguments as strings; return the exit code."""
    path, window, threads, fenced = arguments
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    from app.models.local.gguf import text_value

    try:
        own = text_value(Path(path), "tokenizer.chat_template") if fenced == "yes" else ""
        serve(Path(path), int(window), int(threads), fenced_template(own) if own else "")
    except Exception as error:  # the entry point's border: the parent words it
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A Python server without uvx or pipx gets an environment of its own, from a wheel on this disk."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from app.errors import BrambleError
from app.toolbox.mcp.install import pick, plan, secrets_of, spec_of
from app.toolbox.mcp.preparing import prepare
from app.toolbox.mcp.registry_entries import offers
from app.toolbox.mcp.runners import Runners
from tests.servers.mcp_registry import entry, pypi


def wheel(folder: Path, name: str, script: str) -> None:
    """Write a wheel with one program that says hello."""
    module = name.replace("-", "_")
    info = f"{module}-1.2.3.dist-info"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{module}-1.2.3-py3-none-any.whl", "w") as packed:
        packed.writestr(f"{module}.py", "def main():\n    print('hello')\n")
        packed.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2.3\n")
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{info}/entry_points.txt", f"[console_scripts]\n{script} = {module}:main\n")
        packed.writestr(f"{info}/RECORD", "")


async def test_a_package_is_installed_once_in_its_pinned_version_and_runs(tmp_path: Path) -> None:
    wheel(tmp_path / "wheels", "hello-mcp", "hello-mcp-server")
    runners = Runners(python=sys.executable)
    rows = [entry("io.github.a/hello", packages=[pypi("hello-mcp")])]
    found = next(iter(offers({"servers": rows}, runners, str(tmp_path / "servers"))))
    made = plan(found, pick(found), {})
    environ = {"PATH": os.environ["PATH"], "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "wheels")}
    said: list[str] = []
    ready = await prepare(made, environ, said.append)
    assert said[0].endswith(f"-m venv {tmp_path}/servers/hello-mcp-1.2.3") and said[1].endswith(
        "hello-mcp==1.2.3"
    )
    assert ready.command[0].endswith("hello-mcp-1.2.3/bin/hello-mcp-server"), "its program has another name"
    assert subprocess.run(ready.command, capture_output=True, text=True, check=True).stdout == "hello\n"
    assert (spec_of(ready).package, spec_of(ready).version, secrets_of(ready)) == ("hello-mcp", "1.2.3", {})


async def test_a_package_that_is_not_there_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    python = Runners(python="/bin/sh")
    rows = [entry("io.github.a/hello", packages=[pypi("no-such-thing")])]
    found = next(iter(offers({"servers": rows}, python, str(tmp_path / "servers"))))
    with pytest.raises(BrambleError) as failed:
        await prepare(plan(found, pick(found), {}), {"PATH": "/usr/bin:/bin"})
    assert failed.value.code == "install_failed" and failed.value.problem.fields["package"] == "no-such-thing"
    assert list((tmp_path / "servers").iterdir()) == []

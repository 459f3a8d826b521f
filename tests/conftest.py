"""What all tests share: proofs with count and seed, an empty home, and none of the caller's own settings."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

_FIRST = ("whole", "window")
"""Folders whose tests wait long: for a model, for a display."""
FIXED_SEED = 20_260_101
"""The seed where BRAMBLE_SEED names no other, so that a failure in CI is the same failure at home."""

# Set before pytest-qt makes its application: tests draw without a display unless they start one of their own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_ACCESSIBILITY", "0")


# The same examples in every run: what CI sees is seen at home. A busy machine is slow, which is no failure.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("fresh", deadline=None, database=None)
hypothesis.settings.load_profile("fixed" if os.environ.get("BRAMBLE_PROVE", "") in ("", "0") else "fresh")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of proofs."""
    config.addinivalue_line(
        "markers",
        "proof(name, *, small, full): small cases in ./dev test, full in ./dev prove NAME",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what waits longest, so that the two halves of a run end together. In `./dev prove NAME`
    keep only the proofs of that name; BRAMBLE_PROVE holds 1 for all, or a name.
    """
    items.sort(key=_begins)
    wanted = os.environ.get("BRAMBLE_PROVE", "")
    if wanted in ("", "0"):
        return
    kept = [item for item in items if _proof_name(item) and wanted in ("1", _proof_name(item))]
    dropped = [item for item in items if item not in kept]
    config.hook.pytest_deselected(items=dropped)
    items[:] = kept


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave out what is loaded for good by now, so that looking for leaks after each module costs little."""
    gc.collect()
    gc.freeze()


def _begins(item: pytest.Item) -> int:
    """Return the place of a test's folder in the run: the whole product, then real windows, then the rest."""
    return min((at for at, folder in enumerate(_FIRST) if folder in item.path.parts), default=len(_FIRST))


def _proof_name(item: pytest.Item) -> str:
    marker = item.get_closest_marker("proof")
    return str(marker.args[0]) if marker else ""


@pytest.fixture
def count(request: pytest.FixtureRequest) -> int:
    """How many cases this proof tries: its small number, or its full one when BRAMBLE_PROVE is set."""
    marker = request.node.get_closest_marker("proof")
    assert marker is not None, "`count` is for tests marked proof(name, small=N, full=M)"
    full = os.environ.get("BRAMBLE_PROVE", "") not in ("", "0")
    number = int(marker.kwargs["full" if full else "small"])
    request.node.user_properties += [("proof", str(marker.args[0])), ("count", number)]
    return number


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of this proof: BRAMBLE_SEED, or a fixed one. A failure prints it."""
    number = int(os.environ.get("BRAMBLE_SEED") or FIXED_SEED)
    request.node.user_properties.append(("seed", number))
    return number


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say below a failed proof how to run the same cases again."""
    report = yield
    known = dict(item.user_properties)
    if report.failed and "seed" in known:
        text = (
            f"count {known.get('count', '-')}, seed {known['seed']}: repeat with BRAMBLE_SEED={known['seed']}"
        )
        report.sections.append(("proof", text))
    return report


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the caller's settings, keys and proxies out of every test."""
    for name in list(os.environ):
        kept = name in ("BRAMBLE_PROVE", "BRAMBLE_SEED")
        if (name.startswith("BRAMBLE_") and not kept) or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1,localhost,::1")
    for name in ("PYTHONPATH", "PYTHONHOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True, scope="module")
def _own_leaks() -> Iterator[None]:
    """Collect what the tests of a module left open, or it would fail a test of another one later."""
    yield
    gc.collect()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that BRAMBLE_HOME names, so that no test touches a person's own data."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("BRAMBLE_HOME", str(folder))
    return folder

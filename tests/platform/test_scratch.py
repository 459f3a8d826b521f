"""What a kill leaves behind goes, and nothing else."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from app.platform.scratch import LEFT_SECONDS, folder


def test_what_was_left_a_day_ago_goes_and_nothing_else(tmp_path: Path) -> None:
    place = str(tmp_path / "downloads")
    left, fresh = folder("bramble-x-", place), folder("bramble-x-", place)
    Path(left, "download").write_bytes(b"half")
    other, outside = tmp_path / "downloads" / "mine", tmp_path / "precious"
    other.mkdir()
    outside.mkdir()
    (tmp_path / "downloads" / "bramble-x-link").symlink_to(outside)
    old = time.time() - LEFT_SECONDS - 60
    for path in (left, other, outside):
        os.utime(path, (old, old))
    os.utime(tmp_path / "downloads" / "bramble-x-link", (old, old), follow_symlinks=False)
    made = folder("bramble-x-", place)
    assert not Path(left).exists() and all(Path(one).is_dir() for one in (fresh, other, outside, made))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such bits")
def test_nobody_else_looks_into_it(tmp_path: Path) -> None:
    made = folder("bramble-x-", str(tmp_path / "new"))
    assert os.stat(made).st_mode & 0o777 == 0o700 and os.listdir(made) == []

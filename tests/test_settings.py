"""The settings file: what the system refuses is told apart from what is wrong in the text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.errors import SettingsError
from app.settings import load, save


def test_what_is_saved_is_loaded_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\nfont_size = 12\n")
    assert save(path, theme="dark").theme == "dark"
    assert (load(path).theme, load(path).font_size) == ("dark", 12)
    assert path.read_text().startswith("# mine\n")


def test_a_mark_that_an_editor_put_in_front_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xef\xbb\xbf# mine\r\nfont_size = 12\r\n")
    assert load(path).font_size == 12
    assert (save(path, theme="dark").font_size, load(path).theme) == (12, "dark")
    assert "# mine" in path.read_text("utf-8")


@pytest.mark.parametrize(
    "text", [b"font_size = 'x'", b"nonsense = 1", b"[[[", b"model = '\xff'", b"model = " + b"[" * 20_000]
)
def test_a_fault_in_the_text_names_it_and_changes_nothing(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(text)
    for work in (load, lambda path: save(path, theme="dark")):
        with pytest.raises(SettingsError) as caught:
            work(path)
        assert caught.value.code == "bad_settings" and caught.value.problem.fields["why"]
    assert path.read_bytes() == text


def test_a_place_that_cannot_be_written_is_no_fault_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError) as caught:
        save(tmp_path / "file" / "settings.toml", theme="dark")
    assert caught.value.code in ("no_permission", "bad_settings")
    (tmp_path / "home").mkdir()
    target = tmp_path / "home" / "settings.toml"
    (tmp_path / "home" / f".settings.toml.{os.getpid()}").mkdir()
    with pytest.raises(SettingsError) as caught:
        save(target, theme="dark")
    assert caught.value.code == "no_permission" and caught.value.problem.fields["path"] == str(target)
    assert not target.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_as_one(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("font_size = 12\n")
    (tmp_path / f".settings.toml.{os.getpid()}").symlink_to("/dev/full")
    with pytest.raises(SettingsError) as caught:
        save(path, theme="dark")
    assert caught.value.code == "disk_full"
    assert path.read_text() == "font_size = 12\n"

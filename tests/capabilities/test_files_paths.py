"""What a path means, and what is special about it (safety 2.2, cases 22 and 25; product 5.0)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app.capabilities.files_glob import matcher
from app.capabilities.files_paths import holds_key, is_secret, is_system, odd_windows_name, resolve, shown
from app.errors import ToolError


@pytest.mark.parametrize(
    "path",
    [
        "\\\\server\\share\\x",
        "//server/share/x",
        "\\\\?\\C:\\x",
        "\\??\\C:\\x",
        "\\\\.\\PhysicalDrive0",
        "C:x",
        "f.txt:x",
        "C:\\a\\f.txt:stream:$DATA",
        "con",
        "a/NUL.txt",
        "COM1",
        "lpt9.log",
        "com\u00b9",
        "CONIN$",
        "name.",
        "name ",
        "folder./x",
        "a|b",
        "a\tb",
        "what?",
    ],
)
def test_windows_would_read_these_otherwise(path: str) -> None:
    assert odd_windows_name(path)


@pytest.mark.parametrize(
    "path",
    [
        "a.txt",
        "C:\\a\\b.txt",
        "C:/a/b",
        "..\\x",
        ".\\x",
        "console.log",
        "a b.txt",
        ".hidden",
        "comma,.txt",
        "nullable.py",
    ],
)
def test_windows_reads_these_as_they_say(path: str) -> None:
    assert odd_windows_name(path) == ""


def test_odd_names_are_refused_on_windows_only(tmp_path: Path) -> None:
    with pytest.raises(ToolError):
        resolve(str(tmp_path), "con", windows=True)
    if sys.platform != "win32":
        assert resolve(str(tmp_path), "con", windows=False).endswith("/con")


@pytest.mark.parametrize("path", ["", "  ", "a\0b", "\0"])
def test_no_file_can_have_these_names(tmp_path: Path, path: str) -> None:
    with pytest.raises(ToolError) as caught:
        resolve(str(tmp_path), path)
    assert caught.value.code == "bad_arguments"


def test_links_are_followed_also_above_files_that_do_not_exist_yet(tmp_path: Path) -> None:
    inside, outside = tmp_path.resolve() / "in", tmp_path.resolve() / "out"
    inside.mkdir()
    outside.mkdir()
    os.symlink(outside, inside / "link")
    assert resolve(str(inside), "link/new.txt") == str(outside / "new.txt")
    assert resolve(str(inside), "../out/x") == str(outside / "x")
    assert resolve(str(inside), "sub/../y") == str(inside / "y")
    assert resolve(str(inside), "~") == os.path.realpath(os.path.expanduser("~"))


def test_a_folder_whose_name_begins_the_same_is_elsewhere() -> None:
    """CVE-2025-54794: /w/proj is no prefix of /w/proj-evil."""
    assert shown("/w/proj/x", "/w/proj") == "x"
    assert shown("/w/proj-evil/x", "/w/proj") == "/w/proj-evil/x"


@pytest.mark.parametrize("path", ["/proc/self/mem", "/dev/sda", "/sys/power/state", "/dev/null", "/proc"])
def test_system_folders(path: str) -> None:
    assert is_system(path)


@pytest.mark.parametrize("path", ["/process/x", "/home/dev/x", "/home/a/proc/x"])
def test_folders_that_only_sound_like_them(path: str) -> None:
    assert not is_system(path)


@pytest.mark.parametrize(
    "path",
    [
        "/home/a/.ssh/config",
        "/home/a/.ssh",
        "/w/.ssh/id_ed25519",
        "/home/a/.gnupg/x",
        "/home/a/.local/share/keyrings/login.keyring",
        "/home/a/.mozilla/firefox/x/logins.json",
        "/home/a/.config/google-chrome/Default/Login Data",
        "/home/a/.config/BraveSoftware/Brave-Browser/x",
        "/Users/a/Library/Application Support/Firefox/Profiles/x/key4.db",
        "/Users/a/Library/Keychains/login.keychain-db",
        "/w/.env",
        "/w/.env.local",
        "/w/.ENV",
        "/w/.envrc",
        "/w/deploy/id_rsa",
        "/w/vault.kdbx",
        "/w/store.p12",
        "/home/a/.netrc",
        "/home/a/.aws/credentials",
        "/etc/shadow",
        "/proc/self/environ",
    ],
)
def test_secret_places(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        "/w/.env.example",
        "/w/environment.py",
        "/w/id_rsa.pub",
        "/w/chromium/main.cc",
        "/w/src/keyring.py",
        "/w/.github/workflows/ci.yml",
        "/home/a/.config/app/settings.toml",
        "/w/notes.txt",
    ],
)
def test_plain_places(path: str) -> None:
    assert not is_secret(path)


def test_places_of_ours_are_secret() -> None:
    assert is_secret("/data/keys.json", ("/data/keys.json", "/data/journal"))
    assert is_secret("/data/journal/ab/abc", ("/data/journal",))
    assert not is_secret("/data/journals", ("/data/journal",))


def test_private_keys_are_known_by_their_beginning() -> None:
    assert holds_key(b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl")
    assert holds_key(b"Bag Attributes\n-----BEGIN PRIVATE KEY-----\n")
    assert holds_key(b"# made 2026\nAGE-SECRET-KEY-1XYZ")
    assert not holds_key(b"-----BEGIN CERTIFICATE-----\n")
    assert not holds_key(b"KEY = '-----BEGIN PRIVATE KEY-----'")


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.md", "a/b/readme.md", True),
        ("*.MD", "readme.md", True),
        ("**/*.md", "readme.md", True),
        ("**/*.md", "a/b/readme.md", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/sub/a.py", False),
        ("src/**/*.py", "src/sub/deep/a.py", True),
        ("src/**", "src/sub/a.py", True),
        ("./src/*.py", "src/a.py", True),
        ("*.{ts,tsx}", "a/b.tsx", True),
        ("*.{ts,tsx}", "a/b.js", False),
        ("{a,b}/{c,d}.x", "b/d.x", True),
        ("file?.txt", "file1.txt", True),
        ("[ab]*.txt", "beta.txt", True),
        ("[!ab]*.txt", "beta.txt", False),
        ("config", "src/my_Config.toml", True),
        ("src/config", "lib/src/config.py", True),
        ("a.b", "aXb", False),
        ("(x)", "f(x).py", True),
        ("*[*", "a[b", True),
        ("{a", "{a", True),
    ],
)
def test_names_and_patterns(pattern: str, path: str, matches: bool) -> None:
    assert matcher(pattern)(path) is matches

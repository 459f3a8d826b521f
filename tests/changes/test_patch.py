"""Unified diffs as git, diff and models write them."""

from __future__ import annotations

import pytest

from app.changes.patch import FilePatch, apply, new_content, parse
from app.changes.text import decode
from app.errors import ToolError


def _patched(data: bytes, text: str) -> bytes:
    (file,) = parse(text)
    return apply(decode(data), file.hunks, file.new).data


@pytest.mark.parametrize(
    ("data", "hunks", "right"),
    [
        (b"a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c\n", b"a\r\nB\r\nB2\r\nc\r\n"),
        (b"a\r\nb\nc\r\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", b"a\r\nB\nc\r\n"),
        (b"a\nb\nc", "@@ -2,2 +2,2 @@\n b\n-c\n+C\n", b"a\nb\nC"),
        (b"a\nb\nc", "@@ -2,2 +2,3 @@\n b\n c\n+D\n", b"a\nb\nc\nD"),
        (b"b\nc", "@@ -1,2 +1,2 @@\n b\n-c\n\\ No newline at end of file\n+c\n", b"b\nc\n"),
        (b"b\nc\n", "@@ -1,2 +1,2 @@\n b\n-c\n+D\n\\ No newline at end of file\n", b"b\nD"),
        (b"1\n2\n3\n4\n5\n6\n7\n", "@@ -1,3 +1,3 @@\n 5\n-6\n+six\n 7\n", b"1\n2\n3\n4\n5\nsix\n7\n"),
        (b"a\n\nb\nc\n", "@@ -1,4 +1,4 @@\n a\n\n-b\n+B\n c\n", b"a\n\nB\nc\n"),
        (b"a\nb\n", "@@\n-b\n+B\n", b"a\nB\n"),
        (b"a\nb\n", "@@ -1,9 +1,9 @@\n-b\n+B\n", b"a\nB\n"),
        (b"a\nb\nc\n", "@@ -2,0 +3 @@\n+ins\n", b"a\nb\nins\nc\n"),
        (b"a\nb\n", "@@ -0,0 +1 @@\n+first\n", b"first\na\nb\n"),
        (b"a", "@@ -1,0 +2 @@\n+b\n", b"a\nb"),
        (b"caf\xe9\na\n", "@@ -1,2 +1,2 @@\n caf\u00e9\n-a\n+\u00e9\n", b"caf\xe9\n\xe9\n"),
        (b"-- x\nb\n", "@@ -1,2 +1,2 @@\n--- x\n+++ y\n b\n-- \n2.39\n", b"++ y\nb\n"),
    ],
)
def test_hunks(data: bytes, hunks: str, right: bytes) -> None:
    assert _patched(data, "--- a/x\n+++ b/x\n" + hunks) == right


def test_a_patch_with_crlf_of_its_own() -> None:
    assert _patched(b"a\nb\n", "--- a/x\r\n+++ b/x\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+B\r\n") == b"a\nB\n"


@pytest.mark.parametrize(
    ("data", "hunks", "code"),
    [
        (b"a\nb\n", "@@ -1,2 +1,2 @@\n a\n-q\n+B\n", "not_found"),
        (b"a\nb  \n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "not_found"),
        (b"x\ny\nx\ny\n", "@@ -9,1 +9,1 @@\n-y\n+z\n", "not_unique"),
        (b"a\n", "@@ -7,0 +8 @@\n+b\n", "not_found"),
        (b"a\n", "@@\n+b\n", "not_found"),
    ],
)
def test_there_is_no_fuzz(data: bytes, hunks: str, code: str) -> None:
    with pytest.raises(ToolError) as caught:
        _patched(data, "--- a/x\n+++ b/x\n" + hunks)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+x\n", [("", "n.txt", "new", None)]),
        ("--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", [("o", "", "deleted", None)]),
        (
            "diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\n"
            "--- a/o\n+++ b/n\n@@ -1 +1 @@\n-x\n+y\n",
            [("o", "n", "renamed", None)],
        ),
        (
            "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n",
            [("o", "n", "renamed", None)],
        ),
        (
            "diff --git a/run b/run\nnew file mode 100755\nindex 0..1\n"
            "--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+x\n",
            [("", "run", "new", 0o755)],
        ),
        ("diff --git a/e b/e\nnew file mode 100644\nindex 0..e69de29\n", [("", "e", "new", 0o644)]),
        ("diff --git a/run b/run\nold mode 100644\nnew mode 100755\n", [("run", "run", "changed", 0o755)]),
        ("--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", [("x", "x", "changed", None)]),
        (
            '--- "a/\\303\\244.txt"\n+++ "b/\\303\\244.txt"\n@@ -1 +1 @@\n-a\n+b\n',
            [("ä.txt", "ä.txt", "changed", None)],
        ),
        ("--- a/x y\t2020-01-01\n+++ b/x y\t2021\n@@ -1 +1 @@\n-a\n+b\n", [("x y", "x y", "changed", None)]),
        (
            "text before\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
            "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n```\n",
            [("x", "x", "changed", None), ("y", "y", "changed", None)],
        ),
    ],
)
def test_files(text: str, files: list[tuple[str, str, str, int | None]]) -> None:
    assert [(file.old, file.new, file.kind, file.mode) for file in parse(text)] == files


def test_new_files_keep_their_missing_newline() -> None:
    (file,) = parse("--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n")
    assert new_content(file.hunks) == "one\ntwo"


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "",
        "*** Begin Patch\n*** Update File: x\n",
        "@@ -1 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n",
        "diff --git a/p.png b/p.png\nGIT binary patch\n",
        "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n",
    ],
)
def test_what_is_no_patch_is_refused(text: str) -> None:
    with pytest.raises(ToolError) as caught:
        list[FilePatch](parse(text))
    assert caught.value.code == "bad_arguments"

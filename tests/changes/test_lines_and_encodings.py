"""Lines keep their own ends, and the encoding of a text is told or owned up to be unknown."""

from __future__ import annotations

import random

import pytest

from app.changes.encodings import guess
from app.changes.lines import body, ending, majority, split
from app.changes.text import Splice, byte_lines, decode, is_binary, splice
from app.errors import ToolError


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("a\r\nb\n", ["a\r\n", "b\n"]),
        ("a\rb\n", ["a\rb\n"]),
        ("a\rb", ["a\r", "b"]),
        ("\n\n", ["\n", "\n"]),
        ("a\u2028b\x85c\x0b\x0cd\n", ["a\u2028b\x85c\x0b\x0cd\n"]),
    ],
)
def test_lines(text: str, lines: list[str]) -> None:
    assert split(text) == lines
    assert "".join(body(line) + ending(line) for line in lines) == text


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("", "\n"),
        ("a", "\n"),
        ("a\r\nb\nc\r\n", "\r\n"),
        ("a\r\nb\n", "\r\n"),
        ("a\nb\r\n", "\n"),
        ("a\rb\r", "\r"),
    ],
)
def test_most_lines_decide_the_end(text: str, end: str) -> None:
    assert majority(text) == end


@pytest.mark.parametrize(
    ("text", "codec", "told"),
    [
        ("# café\nx = 1\n", "latin-1", "cp1252"),
        ('x = "äöüß"\n', "latin-1", "cp1252"),
        ("Größe ändern für Straße", "latin-1", "cp1252"),
        ("¿Qué año? ¡El niño!", "latin-1", "cp1252"),
        ("Le café où l\u2019élève mange des crêpes à Noël", "cp1252", "cp1252"),
        ("temp 20 °C\n", "latin-1", "cp1252"),
        ("© 2020 ACME\n", "latin-1", "cp1252"),
        ("カフェ", "cp932", "cp932"),
        ("x = 'あ'\n", "cp932", "cp932"),
        ("// 設定\nvalue = 1\n", "cp932", "cp932"),
        ("你好\n", "gbk", "gb18030"),
        ("x = '中文'\n", "gbk", "gb18030"),
        ("# 测试文件\r\nprint(1)\r\n", "gbk", "gb18030"),
        ("繁體中文檔案\uff0c設定\n", "big5", "big5"),
        ("안녕하세요 세계\n", "euc_kr", "euc_kr"),
        ("これは日本語のテキストです。\n", "euc_jp", "euc_jp"),
        ("Привет, мир. Это файл\n", "cp1251", "cp1251"),
        ("Привет, мир. Это файл\n", "koi8_r", "koi8_r"),
        ("Καλημέρα κόσμε, αυτό είναι δοκιμή", "cp1253", "cp1253"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy\n", "cp1250", "cp1250"),
    ],
)
def test_short_samples_are_told(text: str, codec: str, told: str) -> None:
    assert guess(text.encode(codec)) == told


@pytest.mark.parametrize(
    "data", [bytes(range(128, 256)) * 3, b"a\x81\x8d\x90b\xff\n", random.Random(1).randbytes(300)]
)
def test_what_is_no_text_is_unknown(data: bytes) -> None:
    assert guess(data) == ""
    text = decode(data.replace(b"\0", b"x"))
    assert not text.known
    assert text.text.encode("utf-8", "surrogateescape") == text.data


def test_characters_with_two_spellings_keep_their_bytes() -> None:
    """CP932 has two byte pairs for some signs; encoding the text again would change them (NEC row 13)."""
    data = b"\x87\x90 " + "これはテスト、試験。".encode("cp932") + b"\n\x81\xe0 x\n"
    text = decode(data)
    at = text.text.index("x")
    assert splice(text, [Splice(at, at + 1, "試験")]).data == data.replace(b" x\n", " 試験\n".encode("cp932"))


def test_an_edit_that_would_not_read_back_is_refused() -> None:
    """A stateful codec, here in the middle of its double-byte mode."""
    from app.changes.text import Text

    data = "あい".encode("iso2022_jp")
    text = Text(data, data.decode("iso2022_jp"), "iso2022_jp")
    with pytest.raises(ToolError) as caught:
        splice(text, [Splice(1, 1, "x")])
    assert caught.value.code == "encoding"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp932", "gb18030"])
def test_bytes_of_lines_join_to_the_file(codec: str) -> None:
    text = decode("これは一行目です。\r\n二行目はテスト\n\nlast".encode(codec))
    assert text.mark + b"".join(byte_lines(text)) == text.data
    assert len(byte_lines(text)) == 4


def test_binary_is_told_by_nul() -> None:
    assert is_binary(b"\x7fELF\x02\0\0")
    assert not is_binary("plain".encode("utf-16"))
    assert not is_binary("plain words".encode("utf-16-le"))
    assert not is_binary(b"")


def test_large_texts_are_quick() -> None:
    """A guess looks at a sample, so that ten times the size is nowhere near ten times the work."""
    import time

    started = time.process_time()
    decode("zeile äöü\n".encode("latin-1") * 300_000)
    assert time.process_time() - started < 2

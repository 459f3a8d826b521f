"""Files from the web: streamed, held against their hash, put in their place by the journal."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities.web_saving import looks_like, name_of, safe_name
from app.errors import Refused, ToolError
from app.records import SERVER_NAMES, Answer, Effect, FileDiff, FilesEffect, RequestEffect
from tests.capabilities.web_desk import WebDesk, leads, open_web, page
from tests.servers.scripted import Exchange, Script, scripted
from tools import Download, Request

DATA = b"PK\x03\x04" + os.urandom(70_000)
SHA = hashlib.sha256(DATA).hexdigest()
URL = "http://site.example/files/data.zip?v=2"


class Place:
    """A desk beside a server whose script can be changed."""

    def __init__(self, desk: WebDesk, scripts: list[Script]) -> None:
        self.desk, self.scripts, self.said = desk, scripts, list[str]()

    async def bring(
        self, path: str = "", sha256: str = "", url: str = URL, rules: tuple[str, ...] = ()
    ) -> Download:
        gate = self.desk.gate("download_file", *rules, attended=not rules)
        web = self.desk.changer(gate, self.said.append)
        return await web.download(Request(url, most=10_000_000, cut=False, seconds=20), path, sha256)

    @property
    def folder(self) -> Path:
        return self.desk.desk.folder

    def files(self) -> list[str]:
        return sorted(str(one.relative_to(self.folder)) for one in self.folder.rglob("*"))


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    scripts = [page(DATA, "application/zip")]

    async def play(exchange: Exchange) -> None:
        await scripts[min(exchange.number, len(scripts)) - 1](exchange)

    async with scripted(play) as server, open_web(tmp_path, server.port) as desk:
        yield Place(desk, scripts)


async def test_a_file_is_brought_with_one_question_and_verified(place: Place) -> None:
    done = await place.bring()
    assert (place.folder / "data.zip").read_bytes() == DATA
    assert (done.path, done.size, done.sha256, done.kind) == ("data.zip", len(DATA), SHA, "application/zip")
    assert (done.verified, done.replaced, done.expected, done.looks) == (True, False, False, "")
    (asked,) = place.desk.desk.asked
    assert isinstance(asked, RequestEffect) and asked.saves is not None
    assert [(file.path, file.kind) for file in asked.saves.files] == [(str(place.folder / "data.zip"), "new")]
    await place.desk.desk.undo.one(done.undo)
    assert place.files() == []


async def test_rules_for_host_and_place_let_it_happen(place: Place) -> None:
    rules = ("download_file(site.example)", "write_file(**)")
    assert (await place.bring("sub/x.zip", rules=rules)).path == os.path.join("sub", "x.zip")
    assert place.desk.desk.asked == []
    with pytest.raises(Refused):
        await place.bring("sub/y.zip", rules=rules[:1])
    with pytest.raises(Refused):
        await place.bring("sub/y.zip", rules=rules[1:])
    assert place.files() == ["sub", os.path.join("sub", "x.zip")]


async def test_the_hash_is_checked_before_anything_changes(place: Place) -> None:
    assert (await place.bring("a.zip", SHA.upper())).expected
    assert (await place.bring("b.zip", f"sha256:{SHA}")).expected
    with pytest.raises(ToolError) as caught:
        await place.bring("a.zip", "0" * 64)
    assert caught.value.code == "hash_mismatch" and SHA in str(caught.value)
    with pytest.raises(ToolError) as caught:
        await place.bring("c.zip", "abc")
    assert caught.value.code == "bad_arguments"
    assert place.files() == ["a.zip", "b.zip"] and (place.folder / "a.zip").read_bytes() == DATA


async def test_what_it_replaces_goes_to_the_trash_and_comes_back(place: Place) -> None:
    (place.folder / "data.zip").write_bytes(b"mine")
    done = await place.bring("data.zip")
    assert done.replaced and (place.folder / "data.zip").read_bytes() == DATA
    (asked,) = place.desk.desk.asked
    assert isinstance(asked, RequestEffect) and asked.saves is not None
    assert [file.kind for file in asked.saves.files] == ["changed"] and asked.saves.losses
    await place.desk.desk.undo.one(done.undo)
    assert (place.folder / "data.zip").read_bytes() == b"mine"


async def test_without_a_path_nothing_is_replaced(place: Place) -> None:
    (place.folder / "data.zip").write_bytes(b"mine")
    assert (await place.bring()).path == "data (2).zip"
    assert (place.folder / "data.zip").read_bytes() == b"mine"
    (place.folder / "sub").mkdir()
    assert (await place.bring("sub")).path == os.path.join("sub", "data.zip")
    assert (await place.bring("new/")).path == os.path.join("new", "data.zip")


async def test_the_server_names_what_the_address_does_not(place: Place) -> None:
    place.scripts[:] = [
        page(DATA, "application/zip", content_disposition='attachment; filename="r\xe9port 1.zip"')
    ]
    done = await place.bring(url="http://site.example/get?id=1")
    assert done.path == "réport 1.zip" and len(place.desk.desk.asked) == 1
    place.scripts[:] = [
        page(
            DATA,
            "application/zip",
            content_disposition="attachment; filename*=UTF-8''%e2%82%ac.zip; filename=x",
        )
    ]
    assert (await place.bring(url="http://site.example/get?id=2")).path == "€.zip"
    place.scripts[:] = [page(b"a,b", "text/csv")]
    assert (await place.bring(url="http://site.example/")).path == "download.csv"
    place.scripts[:] = [
        page(DATA, "application/zip", content_disposition='attachment; filename="../../.bashrc"')
    ]
    assert (await place.bring(url="http://site.example/x")).path == "bashrc"
    assert len(place.desk.desk.asked) == 4


@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md", "claude.md"])
async def test_a_server_names_no_file_of_instructions(place: Place, name: str) -> None:
    place.scripts[:] = [page(DATA, "text/plain", content_disposition=f'attachment; filename="{name}"')]
    done = await place.bring(url="http://site.example/get?id=1")
    assert (done.path, len(place.desk.desk.asked)) == (f"download-{name}", 1)
    assert place.files() == [f"download-{name}"]


async def test_an_answer_for_a_download_is_none_for_a_file_that_steers(place: Place) -> None:
    """Whatever name the file gets in the end: what is always asked about was not asked about here."""

    def file(name: str, note: str = "") -> FilesEffect:
        path = str(place.folder / name)
        return FilesEffect(files=(FileDiff(path=path, shown=name, kind="new", note=note),))

    gate = place.desk.gate("download_file")
    await gate.permit(
        RequestEffect(method="GET", url="http://a.example/", host="a.example", saves=file("x", SERVER_NAMES))
    )
    await gate.permit(file("y"))
    assert len(place.desk.desk.asked) == 1
    await gate.permit(file("AGENTS.md"))
    assert len(place.desk.desk.asked) == 2


@pytest.mark.parametrize("status", [404, 500, 403, 304])
async def test_an_error_page_is_no_file(place: Place, status: int) -> None:
    place.scripts[:] = [page("<h1>no</h1>", status=status)]
    with pytest.raises(ToolError) as caught:
        await place.bring()
    assert caught.value.code == "no_answer" and str(status) in str(caught.value) and place.files() == []


async def test_what_breaks_off_leaves_nothing(place: Place) -> None:
    async def half(exchange: Exchange) -> None:
        await exchange.head(headers={"content-length": "70000"}, kind="application/zip", chunked=False)
        await exchange.raw(DATA[:5_000])
        exchange.close()

    place.scripts[:] = [half]
    with pytest.raises(ToolError) as caught:
        await place.bring()
    assert caught.value.code == "cut_body" and place.files() == []


async def test_what_is_too_large_is_given_up(place: Place) -> None:
    async def endless(exchange: Exchange) -> None:
        await exchange.head(kind="application/zip")
        try:
            while True:
                await exchange.send(b"x" * 100_000)
        except ConnectionError:
            exchange.over = True

    for script in (page(DATA, content_length="99999999999"), endless):
        place.scripts[:] = [script]
        with pytest.raises(ToolError) as caught:
            await place.bring()
        assert caught.value.code == "too_large" and place.files() == []


async def test_it_tells_how_far_it_is(place: Place) -> None:
    await place.bring()
    assert place.said and place.said[-1].endswith("of 0.1 MB")


async def test_a_redirect_is_followed_and_judged(place: Place) -> None:
    place.scripts[:] = [leads("http://other.example/real.bin"), page(DATA)]
    done = await place.bring(url="http://site.example/latest.zip")
    assert (done.url, done.path) == ("http://other.example/real.bin", "latest.zip")
    assert [one.host for one in place.desk.asked] == ["site.example", "other.example"]
    place.scripts[:] = [leads("http://127.0.0.1/x")]
    with pytest.raises(ToolError) as caught:
        await place.bring(url="http://site.example/latest2.zip")
    assert caught.value.code == "private_address"


async def test_a_no_brings_nothing(place: Place) -> None:
    def no(effect: Effect) -> Answer:
        return Answer(decision="deny", reason="not now", by="test")

    place.desk.desk.answer = no
    with pytest.raises(Refused):
        await place.bring()
    assert place.files() == [] and place.desk.network.connected == []


@pytest.mark.parametrize("path", ["../out.zip", "/etc/out.zip", ".git/config", "~/.ssh/authorized_keys"])
async def test_places_outside_and_protected_ones_are_asked_about(place: Place, path: str) -> None:
    with pytest.raises(Refused):
        await place.bring(path, rules=("download_file(site.example)", "write_file(**)"))
    assert place.files() == [] and place.desk.network.connected == []


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("..", ""),
        ("...", ""),
        (".bashrc", "bashrc"),
        ("a\\b\\c.txt", "c.txt"),
        ("a\0b\n.txt", "ab.txt"),
        ("x\u202egnp.exe", "xgnp.exe"),
        ("a\u200b.txt", "a.txt"),
        ('a<b>:"c|?*.txt', "a_b_c_.txt"),
        ("con", "_con"),
        ("NUL.txt", "_NUL.txt"),
        ("trailing. ", "trailing"),
        ("ä" * 300 + ".tar", None),
        ("x" * 500, None),
    ],
)
def test_a_name_is_one_safe_file(given: str, name: str | None) -> None:
    made = safe_name(given)
    if name is not None:
        assert made == name
    assert len(made.encode()) <= 240 and "/" not in made and made == made.strip(" .")
    assert given[-4:] != ".tar" or made.endswith(".tar")


def test_names_of_addresses() -> None:
    assert name_of("http://a.org/x/%C3%A4%20b.txt?q=/c") == "ä b.txt"
    assert name_of("http://a.org/x/..%2f..%2fpasswd") == "passwd"
    assert [name_of("http://a.org/"), name_of("http://a.org"), name_of("http://[")] == ["", "", ""]


@pytest.mark.parametrize(
    ("name", "beginning", "told"),
    [
        ("a.pdf", b"%PDF-1.4", ""),
        ("a.pdf", b"<!DOCTYPE html><p>sign in", "an HTML page"),
        ("a.zip", b"\n <html>", "an HTML page"),
        ("a.html", b"<html>", ""),
        ("a.docx", b"PK\x03\x04", ""),
        ("a.png", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("a.jpg", b"MZ\x90", "a program"),
        ("a.exe", b"MZ\x90", ""),
        ("a.pdf", b"plain words", "not what a .pdf file begins like"),
        ("a.csv", b"plain,words", ""),
        ("a.tar.gz", b"\x1f\x8b", ""),
        ("noending", b"%PDF-1.4", ""),
        ("a.pdf", b"", ""),
    ],
)
def test_what_a_file_looks_like(name: str, beginning: bytes, told: str) -> None:
    assert looks_like(name, beginning) == told

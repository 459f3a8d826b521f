"""What comes back: sizes, encodings, broken and endless bodies, time; real sockets on loopback."""

from __future__ import annotations

import asyncio
import gzip
import json
import ssl
import subprocess
import sys
import textwrap
import zlib
from pathlib import Path

import pytest

from app.errors import ToolError
from tests.capabilities.web_desk import leads, open_web, page
from tests.servers.certificates import own_certificate, serving
from tests.servers.scripted import Exchange, Script, scripted
from tools import Request, Response

ROOT = Path(__file__).parents[2]
URL = "http://site.example/"


async def got(tmp_path: Path, *scripts: Script, **request: object) -> Response:
    async with scripted(*scripts) as server, open_web(tmp_path, server.port) as desk:
        return await desk.reader().get(Request(URL, **request))  # type: ignore[arg-type]


async def failed(tmp_path: Path, *scripts: Script, **request: object) -> ToolError:
    with pytest.raises(ToolError) as caught:
        await got(tmp_path, *scripts, **request)
    return caught.value


async def endless(exchange: Exchange) -> None:
    await exchange.head(kind="text/plain")
    try:
        while True:
            await exchange.send(b"word " * 10_000)
    except ConnectionError:
        exchange.over = True


async def test_an_endless_body_is_cut_at_the_cap(tmp_path: Path) -> None:
    found = await got(tmp_path, endless, most=300_000)
    assert (len(found.body), found.cut, found.text[:10]) == (300_000, True, "word word ")


async def test_an_endless_body_is_an_error_where_it_may_not_be_cut(tmp_path: Path) -> None:
    assert (await failed(tmp_path, endless, most=300_000, cut=False)).code == "too_large"
    said = page(b"x" * 100, content_length="999999999")
    assert (await failed(tmp_path / "b", said, most=1_000, cut=False)).code == "too_large"


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate"])
async def test_a_packed_body_is_unpacked(tmp_path: Path, encoding: str) -> None:
    data = zlib.compress(b"hello " * 999) if encoding == "deflate" else gzip.compress(b"hello " * 999)
    found = await got(tmp_path, page(data, content_encoding=encoding))
    assert found.body == b"hello " * 999 and not found.cut


async def test_a_bomb_is_cut_at_what_it_may_become(tmp_path: Path) -> None:
    bomb = gzip.compress(b"\0" * 60_000_000)
    assert len(bomb) < 100_000
    found = await got(tmp_path, page(bomb, content_encoding="gzip"))
    assert (len(found.body), found.cut) == (20_000_000, True)
    assert len((await got(tmp_path / "b", page(bomb, content_encoding="gzip"), most=100_000)).body) == 400_000
    error = await failed(tmp_path / "c", page(bomb, content_encoding="gzip"), cut=False)
    assert error.code == "too_large"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "aes"])
async def test_what_nobody_asked_for_is_not_unpacked(tmp_path: Path, encoding: str) -> None:
    error = await failed(tmp_path, page(b"\x28\xb5\x2f\xfd" * 10, content_encoding=encoding))
    assert error.code == "wrong_kind" and encoding in str(error)


async def test_a_damaged_packing_is_an_error(tmp_path: Path) -> None:
    data = gzip.compress(b"hello " * 999)
    damaged = data[:20] + b"\xff\xff\xff" + data[23:]
    assert (await failed(tmp_path, page(damaged, content_encoding="gzip"))).code == "cut_body"


async def test_packed_data_that_ends_in_the_middle_is_no_whole_body(tmp_path: Path) -> None:
    """Where the connection's end is the body's, only the packing tells that something is missing."""
    data = gzip.compress(b"".join(b"%d " % number for number in range(9_999)))

    async def half(exchange: Exchange) -> None:
        await exchange.head(headers={"content-encoding": "gzip"}, kind="text/plain", chunked=False)
        await exchange.raw(data[: len(data) // 2])
        exchange.close()

    assert (await failed(tmp_path, half)).code == "cut_body"
    async with scripted(half) as server, open_web(tmp_path / "b", server.port) as desk:
        with pytest.raises(ToolError, match="broke off"):
            await desk.changer().download(Request(URL + "f.bin"), "f.bin")
        assert list(desk.desk.folder.iterdir()) == []


async def test_packed_data_in_several_parts_is_one_body(tmp_path: Path) -> None:
    data = gzip.compress(b"one ") + gzip.compress(b"two")
    assert (await got(tmp_path, page(data, content_encoding="gzip"))).body == b"one two"


async def test_a_body_that_breaks_off_is_an_error(tmp_path: Path) -> None:
    async def half(exchange: Exchange) -> None:
        await exchange.head(headers={"content-length": "1000"}, kind="text/plain", chunked=False)
        await exchange.raw(b"only this")
        exchange.close()

    async def open_chunk(exchange: Exchange) -> None:
        await exchange.head(kind="text/plain")
        await exchange.send(b"one chunk and no end")
        exchange.close()

    assert (await failed(tmp_path, half)).code == "cut_body"
    assert (await failed(tmp_path / "b", open_chunk)).code == "cut_body"


async def drips(exchange: Exchange) -> None:
    """A byte now and then for ever (slow loris)."""
    await exchange.head(kind="text/plain")
    try:
        while True:
            await exchange.send(b"x")
            await asyncio.sleep(0.01)
    except ConnectionError:
        exchange.over = True


async def test_the_deadline_holds_for_all_of_it(tmp_path: Path) -> None:
    error = await failed(tmp_path, drips, seconds=0.3)
    assert error.code == "timed_out" and "0.3 seconds" in str(error)


async def test_the_deadline_holds_for_a_chain_of_redirects(tmp_path: Path) -> None:
    def slow(to: str) -> Script:
        async def script(exchange: Exchange) -> None:
            await asyncio.sleep(0.15)
            await leads(to)(exchange)

        return script

    error = await failed(tmp_path, slow("/1"), slow("/2"), slow("/3"), slow("/4"), drips, seconds=0.4)
    assert error.code == "timed_out"


async def test_a_server_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    async def silent(exchange: Exchange) -> None:
        await exchange.gone()

    assert (await failed(tmp_path, silent, seconds=0.2)).code == "timed_out"


async def test_a_stop_gets_through_and_closes_the_connection(tmp_path: Path) -> None:
    began, gone = asyncio.Event(), asyncio.Event()

    async def silent(exchange: Exchange) -> None:
        began.set()
        await exchange.gone()
        gone.set()

    async with scripted(silent) as server, open_web(tmp_path, server.port) as desk:
        task = asyncio.create_task(desk.reader().get(Request(URL)))
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(gone.wait(), 5)


@pytest.mark.parametrize(
    "answer",
    [
        b"this is no http\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n",
        b"",
    ],
)
async def test_what_is_no_http_is_an_error_in_words(tmp_path: Path, answer: bytes) -> None:
    async def odd(exchange: Exchange) -> None:
        await exchange.raw(answer)
        exchange.close()

    error = await failed(tmp_path, odd)
    assert error.code in ("no_answer", "cut_body") and str(error).startswith(("No connection", "The answer"))


async def test_a_dead_host_is_told_in_words(tmp_path: Path) -> None:
    async with open_web(tmp_path) as desk:
        with pytest.raises(ToolError) as caught:
            await desk.reader().get(Request("http://gone.example/"))
        assert caught.value.code == "no_host" and "gone.example" in str(caught.value)
        async with scripted(page("x")) as server:
            port = server.port
        with pytest.raises(ToolError) as caught:
            await desk.reader(desk.gate()).get(Request(f"http://127.0.0.1:{port}/"))
        assert caught.value.code == "no_answer" and "127.0.0.1" in str(caught.value)


async def test_tls_is_checked_against_the_name(tmp_path: Path) -> None:
    pair = own_certificate(tmp_path)
    async with (
        scripted(page("safe"), tls=serving(pair)) as server,
        open_web(tmp_path, secure=server.port) as desk,
    ):
        url = f"https://localhost:{server.port}/"
        desk.names.known["localhost"] = ["127.0.0.1"]
        with pytest.raises(ToolError) as caught:
            await desk.reader(desk.gate()).get(Request(url))
        assert caught.value.code == "tls_failed" and "signed by itself" in str(caught.value)
        desk.trust = ssl.create_default_context(cafile=pair[0])
        assert (await desk.reader(desk.gate()).get(Request(url))).text == "safe"
        with pytest.raises(ToolError) as caught:
            await desk.reader().get(Request("https://site.example/"))
        assert "for another name" in str(caught.value)


async def test_a_server_without_tls_is_told_in_words(tmp_path: Path) -> None:
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    listening = await asyncio.start_server(plain, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    async with listening, open_web(tmp_path) as desk:
        with pytest.raises(ToolError) as caught:
            await desk.reader(desk.gate()).get(Request(f"https://127.0.0.1:{port}/"))
    assert caught.value.code == "tls_failed" and "no TLS" in str(caught.value)


@pytest.mark.parametrize(
    ("body", "kind", "text", "charset"),
    [
        ("größe".encode(), "text/plain", "größe", "utf-8"),
        ("größe".encode("latin-1"), "text/plain; charset=iso-8859-1", "größe", "cp1252"),
        ("größe".encode("latin-1"), 'text/html; charset="ISO-8859-1"', "größe", "cp1252"),
        (b"\xef\xbb\xbfa\xc3\xa4", "text/plain; charset=latin-1", "aä", "utf-8"),
        ("\ufeffä".encode("utf-16-le"), "text/plain", "ä", "utf-16-le"),
        ("\ufeffä".encode("utf-16-be"), "text/html; charset=utf-8", "ä", "utf-16-be"),
        ("<meta charset=windows-1251>Привет".encode("cp1251"), "text/html", "Привет", "cp1251"),
        ("<meta charset=windows-1251>Привет".encode(), "text/html; charset=utf-8", "Привет", "utf-8"),
        (
            "<meta http-equiv=c content='text/html; charset=shift_jis'>日本".encode("cp932"),
            "text/html",
            "日本",
            "cp932",
        ),
        ("<?xml version='1.0'?><a>ä</a>".encode(), "application/xml", "<a>ä</a>", "utf-8"),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><a>ä</a>".encode("latin-1"), "text/xml", "ä", "cp1252"),
        ('{"a": "ä"}'.encode(), "application/json", '{"a": "ä"}', "utf-8"),
        (b"a\xffb", "text/plain; charset=utf-8", "a\ufffdb", "utf-8"),
        ("größe".encode(), "text/plain; charset=nonsense", "größe", "utf-8"),
        (b"+AGE-", "text/plain; charset=utf-7", "+AGE-", "utf-8"),
        (b"68656c6c6f", "text/plain; charset=hex", "68656c6c6f", "utf-8"),
        (
            "Съешь же ещё этих мягких французских булок".encode("cp1251"),
            "text/plain",
            "мягких французских",
            "cp1251",
        ),
    ],
)
async def test_the_charset_is_found(tmp_path: Path, body: bytes, kind: str, text: str, charset: str) -> None:
    found = await got(tmp_path, page(body, kind))
    assert text in found.text and found.charset == charset


async def test_bytes_that_are_no_text_have_none(tmp_path: Path) -> None:
    found = await got(tmp_path, page(b"\x89PNG\r\n\x1a\n\0\0", "image/png"))
    assert (found.text, found.kind, len(found.body)) == ("", "image/png", 10)


async def test_a_character_that_the_cap_breaks_is_dropped(tmp_path: Path) -> None:
    assert (await got(tmp_path, page("ää", "text/plain; charset=utf-8"), most=3)).text == "ä"


CHILD = """
import asyncio, json, sys
sys.path.insert(0, ".")
from pathlib import Path
from app.errors import ToolError
from tests.capabilities.web_desk import open_web
from tools import Request

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

async def main(port, folder, what):
    async with open_web(Path(folder), port) as desk:
        reader = desk.reader()
        await reader.page(Request("http://site.example/warm", most=1000))
        before = peak()
        request = Request("http://site.example/" + what)
        try:
            if what in ("page", "pdf"):
                found = await reader.page(request)
                size, cut = found.size, found.cut
            else:
                found = await reader.get(request)
                size, cut = len(found.body), found.cut
        except ToolError as error:
            size, cut = 0, error.code
        print(json.dumps([size, cut, (peak() - before) / 1024]))

if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("bomb", [20_000_000, True]),
        ("wide", [20_000_000, True]),
        ("endless", [5_000_000, True]),
        ("page", [8_000_000, True]),
        ("pdf", [0, "unreadable"]),
    ],
)
async def test_memory_stays_within_the_cap_and_twenty_megabytes(
    tmp_path: Path, what: str, told: list[object]
) -> None:
    """Issue 6: in a process of its own, the rise of the peak over that of a small request before."""
    filling = {"bomb": b"a" * 18, "wide": "a\U0001f600".encode(), "page": b"<p>word word word ", "pdf": b""}
    body = await asyncio.to_thread(gzip.compress, filling.get(what, b"") * (100_000_000 // 18), 1)
    if what == "pdf":
        body = b"%PDF-1.4\n" + bytes(15_900_000)

    async def script(exchange: Exchange) -> None:
        if exchange.request.path == "/warm":
            await page("warm", "text/plain")(exchange)
        elif what == "endless":
            await endless(exchange)
        elif what == "pdf":
            await page(body, "application/pdf")(exchange)
        else:
            kind = "text/html" if what == "page" else "text/plain; charset=utf-8"
            await page(body, kind, content_encoding="gzip")(exchange)

    async with scripted(script) as server:
        words = [sys.executable, "-P", "-c", textwrap.dedent(CHILD), str(server.port), str(tmp_path), what]
        child = await asyncio.create_subprocess_exec(*words, cwd=ROOT, stdout=subprocess.PIPE)
        said, _ = await child.communicate()
    *found, grown = json.loads(said)
    assert found == told
    assert 1 < grown < (5 if what == "endless" else 20) + 20, f"{grown:.0f} MiB"

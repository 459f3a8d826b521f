"""A proxy of our own that lets secure connections through to one server, whatever host they ask for."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Tunnel:
    """The proxy; `asked` are the hosts with ports that were wished for, `refused` counts those without the
    password.
    """

    port: int = 0
    login: str = ""
    """NAME:PASSWORD, "" lets everybody through."""
    asked: list[str] = field(default_factory=list)
    refused: int = 0

    @property
    def url(self) -> str:
        """Its address, with name and password."""
        return f"http://{self.login}{'@' if self.login else ''}127.0.0.1:{self.port}"

    def knows(self, head: str) -> bool:
        """Whether a request holds the password."""
        wanted = f"proxy-authorization: basic {base64.b64encode(self.login.encode()).decode()}"
        return not self.login or wanted.lower() in head.lower()


@contextmanager
def tunnel(to: int, login: str = "") -> Iterator[Tunnel]:
    """Run a proxy in a thread of its own that leads to the port `to` of this computer."""
    proxy, ready, box = Tunnel(login=login), threading.Event(), []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        proxy.asked.append(head.split(" ")[1])
        if not proxy.knows(head):
            proxy.refused += 1
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
            writer.close()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", to)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))

    async def main() -> None:
        stop = asyncio.Event()
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        box.append((asyncio.get_running_loop(), stop))
        ready.set()
        await stop.wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(main()), name="tunnel")
    thread.start()
    assert ready.wait(10)
    try:
        yield proxy
    finally:
        loop, stop = box[0]
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass  # one side left
    finally:
        writer.close()

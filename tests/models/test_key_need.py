"""A key that was kept is sent, also to a server that may do without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.copilot.desk import desk
from tests.servers.copilot import copilot_server
from tests.servers.scripted import says, scripted


@pytest.mark.parametrize(("name", "after"), [("mine", "none"), ("ollama", "not needed")])
async def test_a_kept_key_is_sent_until_it_is_removed(home: Path, name: str, after: str) -> None:
    async with scripted(says("Hello.")) as server:
        table = f'keys_in_file = true\n[profiles.{name}]\nbase_url = "{server.url}"\n'
        with copilot_server() as copilot:
            async with desk(home, copilot, text=table) as at:
                assert (await at.models.info(name)).key == "not needed"
                await at.reply(await at.request(f"{name}/m"))
                assert await at.models.set_key(name, "sk-mine") == "file"
                assert (await at.models.info(name)).key == "file"
                await at.reply(await at.request(f"{name}/m"))
                await at.models.set_key(name, "sk-other")
                await at.reply(await at.request(f"{name}/m"))
                await at.models.forget_key(name)
                assert (await at.models.info(name)).key == after
        sent = [one.headers.get("authorization") for one in server.requests if one.method == "POST"]
    assert sent == [None, "Bearer sk-mine", "Bearer sk-other"]

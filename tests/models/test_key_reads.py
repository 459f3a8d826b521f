"""How often a real keyring is asked: once a key and start, whatever is done meanwhile (product.md 6.3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.store.test_secrets_real import needs_bus, session

__all__ = ["session"]

SCRIPT = '''
import re, subprocess, tempfile, time
from app.engine import Engine
from app.events import SettingsChanged
from tests.servers.copilot import GITHUB_TOKEN, Copilot, copilot_server
from tests.servers.scripted import says, scripted_in_thread

READS = "type='method_call',interface='org.freedesktop.Secret.Item',member='GetSecret'"
LOOKS = "type='method_call',member='SearchItems'"
CHANGE = """
import asyncio, os, sys; sys.path.insert(0, sys.argv[1])
from app.engine import Engine
from app.platform.paths import home

async def main():
    engine = Engine(home(os.environ), os.environ)
    await engine.open()
    if sys.argv[2] == "settings":
        await engine.change_settings(theme="dark")
    else:
        await engine.models.set_key("openai", "sk-the-second")
    await engine.close()

asyncio.run(main())
"""

class Watch:
    """Counts what goes to the Secret Service, as the bus itself sees it."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile("r+")
        self.process = subprocess.Popen(["dbus-monitor", "--session", READS, LOOKS], stdout=self.file)
        while "NameLost" not in self.text():  # it has become a monitor
            time.sleep(0.02)

    def text(self):
        with open(self.file.name) as file:
            return file.read()

    def counted(self):
        text = self.text()
        looked = re.findall(r'string "username"\\n\\s*string "([^"]*)"', text)
        secrets = text.count("member=GetSecret")
        return {"secrets": secrets, "looked": {name: looked.count(name) for name in set(looked)}}

async def changed_elsewhere(engine, what):
    seen = asyncio.Event()
    end = engine.subscribe(lambda event: seen.set() if isinstance(event, SettingsChanged) else None)
    child = await asyncio.create_subprocess_exec(sys.executable, "-P", "-c", CHANGE, sys.argv[1], what)
    assert await child.wait() == 0
    await asyncio.wait_for(seen.wait(), 30)
    end()

async def main():
    os.environ.update(BRAMBLE_HOME=os.environ["BRAMBLE_HOME"])
    for name in ("OPENAI_API_KEY", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN", "BRAMBLE_BASE_URL"):
        os.environ.pop(name, None)
    place = home(os.environ)
    place.make()
    answers = [says("well") for _ in range(20)]
    with copilot_server(Copilot()) as copilot, scripted_in_thread(*answers) as server:
        more = f'[profiles.openai]\\nbase_url = "{server.url}"\\nwire = "chat"\\n'
        place.settings.write_text(copilot.settings(more=more))
        await secrets().set("openai", "sk-the-first")
        await secrets().set("copilot", GITHUB_TOKEN)
        watch = Watch()
        engine = Engine(place, os.environ)
        await engine.open()
        said = []
        end = engine.subscribe(lambda event: said.append(getattr(event, "problem", None)))
        one = (await engine.sessions.create()).id

        async def turn(model):
            await engine.sessions.configure(one, model=model)
            await engine.send(one, "Hello")
            ended = await engine.wait(one)
            assert ended.stop == "done", ended

        for _ in range(4):
            await turn("openai/gpt-5-mini")
            await turn("copilot/gpt-5-mini")
        for _ in range(2):
            await engine.models.list()
            await engine.models.profiles()
            await engine.models.sign_in.quota("copilot")
            await engine.models.sign_in.way("copilot")
            await engine.doctor()
        copilot.short.append("another one is in force")  # the short token is refused and made anew
        await turn("copilot/gpt-5-mini")
        await changed_elsewhere(engine, "settings")
        await turn("openai/gpt-5-mini")
        await turn("copilot/gpt-5-mini")
        first = watch.counted()
        made = len(copilot.asked("/copilot_internal/v2/token"))
        await changed_elsewhere(engine, "key")
        before = watch.counted()
        await turn("openai/gpt-5-mini")
        await turn("openai/gpt-5-mini")
        await turn("copilot/gpt-5-mini")
        after = watch.counted()
        sent = [one.headers["authorization"] for one in server.requests]
        watch.process.terminate()
        watch.process.wait()
        await engine.close()
    print(json.dumps({"first": first, "before": before, "after": after, "made": made, "sent": sent}))
'''


@needs_bus
def test_each_key_is_read_once_a_start(session: Callable[..., Any], home: Path) -> None:
    """Turns, lists of models, the plan, doctor, a new short token, and settings that change elsewhere."""
    found = session(SCRIPT)
    looked = found["first"]["looked"]
    assert looked["openai"] == 1 and looked["copilot"] == 1
    assert max(looked.values()) == 1, "nor is any other profile's key looked for twice"
    assert found["first"]["secrets"] == 2 and found["made"] == 2
    # A key that another process has changed, and that alone, is read again, once.
    assert found["after"]["looked"]["openai"] == found["before"]["looked"]["openai"] + 1
    assert found["after"]["looked"]["copilot"] == found["before"]["looked"]["copilot"] == 1
    assert found["sent"][0] == "Bearer sk-the-first" and found["sent"][-1] == "Bearer sk-the-second"

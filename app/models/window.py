"""The window that a local server really has in force, which is often far smaller than the model's own.

Ollama starts with 4,096 tokens and cuts a longer request from the front without a word, so that the system
prompt and the tools vanish first (facts: providers 1.2, number 20). Below what a profile needs, a request
with tools is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.errors import ModelError
from app.models.connections import Connections
from app.models.learned import Learned
from app.models.profile import Profile
from app.models.profiles import model_data, quirks_of
from app.models.refusal import Asked
from app.models.request import ModelRequest

SECONDS = 2.0
LOADING = 300.0
"""Ollama tells the window only of a model that is loaded; loading a large one takes minutes."""
FRESH = 300.0
"""Seconds after which a server is asked again: it may have been started anew with another setting."""
UNKNOWN = 128_000
"""Tokens that are assumed where nobody says; a server that has less says so by an error."""


def window(profile: Profile, model: str) -> int:
    """Return the window of a model in tokens as the profile's data have it."""
    return model_data(profile, model).window or profile.window or UNKNOWN


class Windows:
    """Asks local servers for their windows, once in a while."""

    def __init__(
        self, connections: Connections, now: Callable[[], float], learned: Learned | None = None
    ) -> None:
        """`learned` keeps what requests taught, over a restart too."""
        self._connections = connections
        self._now = now
        self._learned = learned or Learned(now=now)
        self._known: dict[tuple[str, str], tuple[float, int]] = {}

    def of(self, profile: Profile, model: str) -> int:
        """Return the window in tokens: what the server said last, else what was learned of it since the data
        say what they say, else what the data say.
        """
        said = self._known.get((profile.base_url, model), (0.0, 0))[1]
        if said:
            return said
        listed = window(profile, model)
        return self._learned.window(profile, model, listed) or listed

    def learn(self, profile: Profile, model: str, size: int) -> None:
        """Take down that a request of `size` tokens was too long for the window; where the server itself is
        asked for it now and then, only until then.
        """
        if quirks_of(profile, model).window_from:
            self._known[(profile.base_url, model)] = (self._now(), size)
        else:
            self._learned.learn_window(profile, model, window(profile, model), size)

    def forget(self, profile: Profile, model: str) -> None:
        """Let what was learned go: nothing that could be sent would fit."""
        self._known.pop((profile.base_url, model), None)
        self._learned.learn_window(profile, model, 0, 0)

    async def check(self, request: ModelRequest, asked: Asked, headers: dict[str, str]) -> None:
        """Learn the window where the profile says how. Raises ModelError unsupported when it is too small
        for tools.
        """
        quirks = quirks_of(request.profile, request.model)
        if not quirks.window_from:
            return
        key = (request.profile.base_url, request.model)
        when, size = self._known.get(key, (float("-inf"), 0))
        if self._now() - when > FRESH:
            size = await self._ask(quirks.window_from, request, asked, headers)
            self._known[key] = (self._now(), size)
        if request.tools and 0 < size < quirks.needs_window:
            raise ModelError(
                "unsupported",
                f"{asked.title} runs {request.model} with a window of {size} tokens, too small for tools.",
                detail="",
                status=0,
                retry_after=None,
                feature=f"a window of {quirks.needs_window} tokens (it has {size})",
                window=str(size),
                **asked.fields(),
            )

    async def _ask(self, how: str, request: ModelRequest, asked: Asked, headers: dict[str, str]) -> int:
        """Return the window, 0 when the server does not tell."""
        base = request.profile.base_url
        root = base.removesuffix("/v1")
        try:
            if how == "ollama":
                return await self._ollama(root, request.model, asked, headers)
            if how == "llamacpp":
                props = await self._connections.get_json(f"{root}/props", asked, headers, SECONDS)
                return _number(props.get("default_generation_settings"), "n_ctx")
            path = f"{root}/api/v0/models" if how == "lmstudio" else f"{base}/models"
            listed = await self._connections.get_json(path, asked, headers, SECONDS)
        except (ModelError, AttributeError):
            return 0  # no such address here, or another answer than expected: the request itself will tell
        entry = _entry(listed, "data", "id", request.model)
        return _number(entry, "loaded_context_length" if how == "lmstudio" else "max_model_len")

    async def _ollama(self, root: str, model: str, asked: Asked, headers: dict[str, str]) -> int:
        for attempt in (1, 2):
            running = await self._connections.get_json(f"{root}/api/ps", asked, headers, SECONDS)
            names = (model, f"{model}:latest")
            entry = next(filter(None, (_entry(running, "models", "name", name) for name in names)), None)
            if entry or attempt == 2:
                return _number(entry, "context_length")
            load = {"model": model, "stream": False}  # without a prompt it only loads the model
            await self._connections.post_json(f"{root}/api/generate", asked, headers, LOADING, load)
        return 0


def _entry(payload: Any, items: str, name: str, wanted: str) -> dict[str, Any] | None:
    found = payload.get(items) if isinstance(payload, dict) else None
    for item in found if isinstance(found, list) else ():
        if isinstance(item, dict) and item.get(name) == wanted:
            return item
    return None


def _number(entry: Any, name: str) -> int:
    value = entry.get(name) if isinstance(entry, dict) else None
    return value if isinstance(value, int) and value > 0 else 0

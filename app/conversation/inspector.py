"""What the next request of a conversation holds, part by part, which tools it brings and why, what it costs
anew and what caching saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import msgspec

from app.conversation import pictures, prefix as prefixes
from app.conversation.attaching import own_words, pictures_of
from app.conversation.budget import Gauge, Size
from app.conversation.effective import effective
from app.conversation.offering import PRELOADED, Opening, context_of, joined, opening, way_of
from app.conversation.only import only_of
from app.conversation.prefix import Prefix
from app.conversation.remembering import reminders
from app.conversation.requesting import with_history
from app.errors import BrambleError
from app.memory_records import BEGIN
from app.models import tokens
from app.models.client import body
from app.models.profile import Profile
from app.models.profiles import quirks_of
from app.models.request import ModelRequest, ToolSchema
from app.platform.ids import new_id
from app.records import (
    Caching,
    ContextPart,
    ContextReport,
    LoadedTool,
    Message,
    Mode,
    PrefixUse,
)
from app.store import kept, messages, sessions
from app.toolbox.activation import FIND, Evidence, brought
from app.toolbox.call import Way
from app.toolbox.finder import schema_line
from app.toolbox.registry import CORE
from app.toolbox.schema import cost_of

if TYPE_CHECKING:
    from app.conversation.means import Means

Place = tuple[Profile, str]
"""A profile and the model's own name."""
_FRAME = 0.3
"""Tokens of a byte of what binds the parts."""


async def inspect(means: Means, *, session: str, prompt: str, mode: Mode | None, cwd: str) -> ContextReport:
    """Return the next request of a session (or of a new one) as it would be sent now. Raises BrambleError
    no_session.
    """
    info = await means.store.read(sessions.get, session) if session else None
    if session and info is None:
        raise BrambleError("no_session", f"There is no conversation {session}.", session=session)
    mode = mode or (info.mode if info else means.settings().mode)
    place = await means.preview(info.model if info else "")
    way = way_of(quirks_of(*place))
    branch = await means.store.read(messages.branch, session) if info else []
    history = effective(branch)
    folder = info.cwd if info else cwd
    only = await only_of(means.store, info) if info else None
    begun = await opening(means, session, prompt, mode, folder, quirks_of(*place), only=only, start=False)
    prefix = begun.prefix
    evidence = Evidence()
    evidence.look(history)
    more: tuple[ToolSchema, ...] = ()
    if way == "append":
        more = await joined(means, session, mode, prefix, evidence, keep=False, only=only)
    newest = await _newest(means, begun, history, prompt, mode, folder, session)
    request = ModelRequest(
        profile=place[0],
        model=place[1],
        system=prefix.system,
        tools=(*prefix.tools, *more),
        deferred=prefix.deferred,
        session=session,
    )
    request = with_history(request, (*history, newest))
    images = await pictures.bytes_of(
        means.store, means.pictures, session, f"{place[0].name}/{place[1]}", (*history, newest)
    )
    request = msgspec.structs.replace(request, images=images)
    size = Gauge().size(request, (*history, newest))
    found = report(request, prefix, means.client.windows.of(*place), size)
    kept_keys = await means.store.read(kept.keys, session) if info else []
    return msgspec.structs.replace(
        found,
        loaded=tuple(_loaded(means, prefix, more, history, mode, way)),
        loadable=len(means.calls.registry.loadable(mode, prefix.offered)),
        caching=caching(means, branch),
        prefixes=tuple(_uses(kept_keys, branch, more, way)),
        anew=_anew(kept_keys, branch, prefixes.key(mode, means.settings(), way), place, way),
    )


async def _newest(
    means: Means, begun: Opening, history: list[Message], prompt: str, mode: Mode, folder: str, session: str
) -> Message:
    now = means.clock()
    context, _ = context_of(means, begun, history, mode, folder, now)
    notes = await reminders(means, (session, folder), prompt, begun.prefix, history, own=True)
    return Message(
        id=new_id(now),
        session=session,
        parent=None,
        turn="",
        role="user",
        created=now,
        text=prompt,
        pictures=pictures_of(prompt),
        context="\n".join(filter(None, (context, notes.text))),
    )


# --- sizes -------------------------------------------------------------------------------------------------


def report(request: ModelRequest, prefix: Prefix, window: int, measured: Size) -> ContextReport:
    """Take a request apart by what each part adds to its body: it is built up from the bare one, so the parts
    add up to it byte for byte.
    """
    sizes, last = {}, b""
    for name, step in _steps(request, prefix):
        now = body(step)
        sizes[name] = len(now) - len(last)
        last = now
    text = last.decode()
    rates = {name: _rate(said) for name, said in _texts(request, prefix).items()} | {"deferred": 0.0}
    if sizes.get("deferred", 0) > 0:
        rates["tool results"] += _loads(request) / max(1, sizes["tool results"])
    else:  # this wire sends definitions only when they were found, with the results
        sizes["tools"] += sizes.pop("deferred", 0)
    shares = _shares(
        {name: max(0.0, size * rates.get(name, _FRAME)) for name, size in sizes.items()}, measured.total
    )
    return ContextReport(
        parts=tuple(ContextPart(name=name, tokens=shares[name], bytes=sizes[name]) for name in sizes),
        total_tokens=measured.total,
        window=window,
        tools=tuple(tool.name for tool in request.tools),
        body=text,
        counted=measured.counted,
    )


def _steps(request: ModelRequest, prefix: Prefix) -> Iterator[tuple[str, ModelRequest]]:
    """Yield each part with the request as it is with it and all before."""
    *earlier, newest = request.messages
    talk = [_hollow(message) if message.role == "tool" else message for message in earlier]
    bare = [_bare(message) for message in talk]

    def with_(
        system: str, said: Sequence[Message] = (), *, tools: bool = True, deferred: bool = True
    ) -> ModelRequest:
        return msgspec.structs.replace(
            request,
            system=system,
            tools=request.tools if tools else (),
            deferred=request.deferred if tools and deferred else (),
            messages=tuple(said),
            found={},
        )

    yield "frame", with_("", tools=False)
    yield "system", with_(prefix.base, tools=False)
    yield "catalogue", with_("\n\n".join(filter(None, (prefix.base, prefix.catalogue))), tools=False)
    short = msgspec.structs.replace(prefix, instructions="", memory="")
    yield "skills", with_(short.system, tools=False)
    if prefix.memory:
        yield "memory", with_(msgspec.structs.replace(prefix, instructions="").system, tools=False)
    if prefix.instructions:
        yield "instructions", with_(prefix.system, tools=False)
    yield "tools", with_(prefix.system, deferred=False)
    if request.deferred:
        yield "deferred", with_(prefix.system)
    yield "conversation", with_(prefix.system, [*bare, msgspec.structs.replace(_bare(newest), context="")])
    yield "files", with_(prefix.system, [*talk, msgspec.structs.replace(newest, context="")])
    before, begin, _recalled = newest.context.rpartition(f"\n{BEGIN}\n")
    if begin:
        yield "now", with_(prefix.system, [*talk, msgspec.structs.replace(newest, context=before)])
    yield "recalled" if begin else "now", with_(prefix.system, [*talk, newest])
    yield "tool results", request


def _hollow(result: Message) -> Message:
    """Return a result without what it says; without its result no wire takes a call."""
    return msgspec.structs.replace(result, text="." if result.text else "", pictures=())


def _bare(message: Message) -> Message:
    """Return a message without the files that were put behind it."""
    return (
        msgspec.structs.replace(message, text=own_words(message.text)) if message.role == "user" else message
    )


def _texts(request: ModelRequest, prefix: Prefix) -> dict[str, str]:
    """Return the words of each part, to tell how many tokens its bytes are."""
    *earlier, newest = request.messages
    talk = [message for message in request.messages if message.role != "tool"]
    said = [part for one in talk for part in (own_words(one.text), *(call.arguments for call in one.calls))]
    return {
        "system": prefix.base,
        "catalogue": prefix.catalogue,
        "skills": prefix.skills,
        "instructions": prefix.instructions,
        "tools": "".join(map(schema_line, request.tools)),
        "conversation": "\n".join([*said, *(message.context for message in earlier)]),
        "files": "".join(message.text for message in talk if message.role == "user"),
        "memory": prefix.memory,
        "now": newest.context,
        "recalled": newest.context.rpartition(f"\n{BEGIN}\n")[2],
        "tool results": "".join(message.text for message in earlier if message.role == "tool"),
    }


def _loads(request: ModelRequest) -> int:
    """Return the tokens of the schemas that the provider lays into results; none of those bytes are sent."""
    names = {name for found in request.found.values() for name in found}
    return sum(cost_of(tool) for tool in request.deferred if tool.name in names)


def _rate(text: str) -> float:
    """Return the tokens of a byte of such text."""
    return tokens.estimate(text) / len(text.encode("utf-8", "replace")) if text else _FRAME


def _shares(weights: Mapping[str, float], total: int) -> dict[str, int]:
    """Share `total` out by weight, so that it adds up exactly; the largest part takes what is left."""
    whole = sum(weights.values()) or 1.0
    shares = {name: int(total * weight / whole) for name, weight in weights.items()}
    largest = max(shares, key=lambda name: shares[name])
    shares[largest] += total - sum(shares.values())
    return shares


# --- tools -------------------------------------------------------------------------------------------------


def _loaded(
    means: Means, prefix: Prefix, more: Sequence[ToolSchema], history: Sequence[Message], mode: Mode, way: Way
) -> Iterator[LoadedTool]:
    """Yield the tools whose whole schemas the request holds: the offered ones, then the active ones."""
    pinned = set(means.settings().always_on)
    for offered in prefix.tools:
        yield LoadedTool(name=offered.name, why=_why(offered.name, pinned, way), tokens=cost_of(offered))
    there, loadable = set(prefix.offered), means.calls.registry.loadable(mode, prefix.offered)
    schemas = {tool.name: tool for tool in more}
    for message in history:
        for name in brought(message):
            schema = schemas.get(name) or (loadable[name].schema if name in loadable else None)
            if schema is None or name in there:
                continue
            there.add(name)
            yield LoadedTool(
                name=name,
                why="joined" if name in schemas else "found" if message.tool == FIND else "called",
                tokens=cost_of(schema),
                message=message.id,
                words=message.subject,
            )


def _why(name: str, pinned: set[str], way: Way) -> Literal["core", "pinned", "words"]:
    if way == "preload":
        return "core" if name in PRELOADED else "words"
    return "pinned" if name in pinned and name not in CORE else "core"


# --- what began anew, and what caching saved ---------------------------------------------------------------


def caching(means: Means, history: Sequence[Message]) -> Caching:
    """Return what the provider counted in the answers of a branch, and what its cache saved."""
    found, money = Caching(), 0.0
    known = True
    for message in history:
        usage = message.usage
        if message.role != "assistant" or usage is None or not usage.exact:
            continue
        found = Caching(
            requests=found.requests + 1,
            input=found.input + usage.input,
            cached=found.cached + usage.cached,
            written=found.written + usage.written,
        )
        plain = means.price(message.model, msgspec.structs.replace(usage, cached=0, written=0))
        paid = means.price(message.model, usage)
        known = known and plain is not None and paid is not None
        money += (plain or 0.0) - (paid or 0.0)
    return msgspec.structs.replace(found, money=money if known and found.requests else None)


def _uses(
    keys: Sequence[str], history: Sequence[Message], more: Sequence[ToolSchema], way: Way
) -> Iterator[PrefixUse]:
    """Yield how often the requests began anew, and why. `keys` are what the session keeps."""
    answers = [message.model for message in history if message.role == "assistant" and message.model]
    if not answers:
        return
    yield PrefixUse(why="first", count=1)
    made = [key.split(" ")[1:] for key in keys if key.startswith("prefix ")]
    modes = len({mode for mode, *_ in made})
    counts = {
        "mode": modes - 1,
        "settings": len({(mode, switches) for mode, switches, *_ in made}) - modes,
        "model": sum(one != two for one, two in pairwise(answers)),
        "joined": len(more),
        "picture": sum(key.startswith(pictures.REFUSED) for key in keys),
        "summary": sum(message.role == "summary" for message in history),
        "words": sum(message.role == "user" for message in history) - 1 if way == "preload" else 0,
    }
    yield from (PrefixUse(why=why, count=count) for why, count in counts.items() if count > 0)


def _anew(keys: Sequence[str], history: Sequence[Message], key: str, place: Place, way: Way) -> bool:
    """Whether the next request begins otherwise than those before."""
    last = next((one.model for one in reversed(history) if one.role == "assistant" and one.model), "")
    if not last:
        return False
    return way == "preload" or key not in keys or last != f"{place[0].name}/{place[1]}"

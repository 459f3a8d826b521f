"""Makes the draft of a skill out of a conversation: what was asked, the steps that were taken, how it ended.

Deterministic: no model words it. A person reads and changes it before it is saved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.attachment_records import own_words
from app.logs import without_keys
from app.platform.plain_text import visible
from app.records import Message, SessionInfo
from app.skill_records import SkillDraft
from app.toolbox.skills import writing
from app.toolbox.skills.index import shortened

MOST_STEPS, MOST_NAMED = 40, 5
"""Steps of a draft, and things that one step names."""
_ENDS = ".… "
_TITLE, _REQUEST, _SUBJECT, _END, _DESCRIPTION, _NAME = 80, 1_500, 300, 600, 150, 40
_UNTOLD = frozenset(
    {"load_skill", "find_tools", "use_tool", "recall", "plan_steps", "ask_user", "job_output", "job_list"}
)
"""Tools whose calls are no steps of the work."""
_SECRETS = (
    r"(?P<kept>://)[^/\s:@]+:[^/\s@]+(?=@)"  # https://user:password@host
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?P<flag>--?(?:password|passwd|token|api-key|secret)[ =]+)\S+"
    r"|(?P<set>\b[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)=)[^\s;&|]+"
)


def draft(info: SessionInfo, branch: Sequence[Message], home: Path) -> SkillDraft:
    """Return a skill that does again what the messages of a branch did. `home` is written as `~`."""

    def plain(text: str) -> str:
        return _plain(text, info.cwd, str(home))

    said = [one for one in branch if one.role == "user"]
    request = plain(own_words(said[0].text)) if said else ""
    title = shortened(" ".join((plain(info.title) or request).split()), _TITLE) or "Untitled"
    steps = list(_steps(branch, plain))
    tools = tuple(dict.fromkeys(tool for _, tool in steps if tool))
    ends = [one.text for one in branch if one.role == "assistant" and one.text.strip() and not one.calls]
    parts = [f"# {title}", "What was asked for the first time:", _quote(shortened(request, _REQUEST))]
    parts += ["## Steps", _numbered([text for text, _ in steps])]
    if ends:
        parts += ["## What came of it", _quote(shortened(plain(ends[-1]), _END))]
    return SkillDraft(
        name=_name(title, request),
        description=_description(title, request),
        body="\n\n".join(part for part in parts if part) + "\n",
        tools=tools[:8],
    )


def _plain(text: str, cwd: str, home: str) -> str:
    """Return a text without secrets, and without the places that are only on this machine."""
    text = visible(without_keys(re.sub(_SECRETS, _kept, text))).strip()
    for folder, sign in ((cwd, "."), (home, "~")):
        if len(folder) > 1:
            text = re.sub(re.escape(folder.rstrip("/\\")) + r"(?![\w.-])", sign, text)
    return text


def _kept(found: re.Match[str]) -> str:
    return (found["kept"] or found["flag"] or found["set"] or "") + "[secret]"


def _steps(branch: Sequence[Message], plain: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yield each step with its tool, "" where the person spoke; calls of one kind that follow become one."""
    kind: tuple[str, str] = ("", "")
    named: list[str] = []
    count = -1  # the first message of the person is the request itself
    for message in branch:
        if message.role == "user":
            count += 1
            if named:
                yield _step(kind, named), kind[1]
                named = []
            if count:
                words = shortened(" ".join(plain(own_words(message.text)).split()), _SUBJECT)
                yield f"The person added: “{words}”", ""
        elif message.role == "tool" and message.ok and message.tool not in _UNTOLD:
            now = (message.verb or message.tool, message.tool)
            if named and now != kind:
                yield _step(kind, named), kind[1]
                named = []
            kind = now
            named.append(shortened(plain(message.subject), _SUBJECT))
    if named:
        yield _step(kind, named), kind[1]


def _step(kind: tuple[str, str], named: Sequence[str]) -> str:
    verb, tool = kind
    told = list(dict.fromkeys(name for name in named if name))
    more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
    what = ", ".join(_code(name) for name in told[:MOST_NAMED])
    return f"{verb} with `{tool}`{': ' + what if what else ''}{more}."


def _code(text: str) -> str:
    """Return a text of one line as code of Markdown, whatever backticks it holds."""
    line = " ".join(text.split("\n")).strip()
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"{fence}{line}{fence}"


def _numbered(steps: Sequence[str]) -> str:
    lines = [f"{number}. {text}" for number, text in enumerate(steps[:MOST_STEPS], 1)]
    if len(steps) > MOST_STEPS:
        lines.append(f"{MOST_STEPS + 1}. (And {len(steps) - MOST_STEPS} more steps.)")
    return "\n".join(lines) or "1. Answer from what is known; no tool was needed."


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n")) if text else ""


def _name(title: str, request: str) -> str:
    """Return a plain name of a few words."""
    for text in (title, request):
        words = writing.plain_name(text).split("-")
        name = words[0]
        for word in words[1:]:
            if len(name) + 1 + len(word) > _NAME:
                break
            name += f"-{word}"
        if name:
            return name[:_NAME]
    return "my-skill"


def _description(title: str, request: str) -> str:
    whole = " ".join(request.split())
    name, said = title.rstrip(_ENDS).casefold(), whole.rstrip(_ENDS).casefold()
    if said in ("", name):
        return _sentence(title)
    # A conversation that nobody named is called by the beginning of what was asked for.
    begin = "" if said.startswith(name) else _sentence(title) + " "
    return f"{begin}Use it when asked for something like: {_sentence(shortened(whole, _DESCRIPTION))}"


def _sentence(text: str) -> str:
    """Return a text with one full stop at its end; an ellipsis stands for it."""
    kept = text.rstrip(_ENDS)
    return f"{kept}…" if "…" in text[len(kept) :] else f"{kept}."

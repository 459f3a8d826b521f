"""Frozen records that cross folders and threads: what a session, a message, a change and a question look
like.

Front ends may import this module, `app.events` and `app.engine`, nothing else of `app`. Times are unix
seconds (float, UTC).
Ids are opaque text that sorts by time of creation (`app.platform.ids`).
"""

from __future__ import annotations

from typing import Any, Literal

from app.effects import (
    CREDENTIAL_PARTS as CREDENTIAL_PARTS,
    IMPORTED as IMPORTED,
    SERVER_NAMES as SERVER_NAMES,
    ActionEffect as ActionEffect,
    ActionKind as ActionKind,
    Answer as Answer,
    Approval as Approval,
    CommandEffect as CommandEffect,
    Decision as Decision,
    DecisionKind as DecisionKind,
    DiffLine as DiffLine,
    Effect as Effect,
    FileDiff as FileDiff,
    FilesEffect as FilesEffect,
    Hunk as Hunk,
    InstallEffect as InstallEffect,
    Layer as Layer,
    Loss as Loss,
    Mark as Mark,
    MemoryEffect as MemoryEffect,
    Reach as Reach,
    ReadEffect as ReadEffect,
    RequestEffect as RequestEffect,
    RuleFault as RuleFault,
    RuleInfo as RuleInfo,
    Scope as Scope,
    ServerEffect as ServerEffect,
)
from app.mcp_records import (
    HeldTool as HeldTool,
    ServerInfo as ServerInfo,
    ServerState as ServerState,
    ServerTool as ServerTool,
)
from app.model_records import (
    AccountInfo as AccountInfo,
    LocalServer as LocalServer,
    ModelInfo as ModelInfo,
    ProfileInfo as ProfileInfo,
    Quota as Quota,
    QuotaRow as QuotaRow,
    SignedIn as SignedIn,
    SignInCode as SignInCode,
    SignInWay as SignInWay,
    Spending as Spending,
    Spent as Spent,
    Usage as Usage,
    WeightsInfo as WeightsInfo,
)
from app.record import Record as Record
from app.summary_records import (
    Compaction as Compaction,
    Effort as Effort,
    Pin as Pin,
)
from app.tool_records import (
    Caching as Caching,
    ContextPart as ContextPart,
    ContextReport as ContextReport,
    FixtureFault as FixtureFault,
    FoundTool as FoundTool,
    LoadedTool as LoadedTool,
    LookupCounts as LookupCounts,
    MissedSearch as MissedSearch,
    PictureModel as PictureModel,
    PrefixUse as PrefixUse,
    Reachable as Reachable,
    SearchEngine as SearchEngine,
    ServiceAddress as ServiceAddress,
    ToolInfo as ToolInfo,
    ToolLookups as ToolLookups,
    ToolState as ToolState,
)

Mode = Literal["agent", "plan", "chat"]
Role = Literal["user", "assistant", "tool", "summary"]
MessageState = Literal["streaming", "complete", "stopped", "failed"]
Stop = Literal[
    "done", "stopped", "rounds", "repeat", "budget", "length", "cut", "refused", "failed", "approval"
]


class ToolCall(Record, kw_only=True):
    """A call as the model declared it. `arguments` is its JSON text, unparsed ("" means {})."""

    id: str
    name: str
    arguments: str = "{}"
    extra: dict[str, Any] = {}
    """Provider fields that must go back unchanged with this call (such as `extra_content`)."""


class View(Record, kw_only=True):
    """How a front end may draw a tool result beyond its text, picked by `kind`.

    `diff`: data = {"files": [{"path", "kind", "added", "removed"}]}; `command`: {"command", "cwd", "exit",
    "job"};
    `steps`: {"steps": [{"text", "state"}]} with the states open, doing, done, dropped; `helpers`: {"helpers":
    [{"session", "task", "ok", "rounds"}]};
    `table`: {"columns", "rows"}; `image`: {"path"}, the pictures are the message's own; `links`: {"links":
    [{"title", "url", "text", "date"}]}; `text`: {}. What Git tells has {"listed": as files, "cut"}, and its
    lines in the result's text. "head", for any of them: words above what is drawn.
    """

    kind: Literal["text", "diff", "command", "table", "image", "links", "steps", "helpers"] = "text"
    data: dict[str, Any] = {}


class Picture(Record, kw_only=True):
    """A picture that goes to the model with a message; its bytes stand in the store under `id`."""

    id: str
    """The first 16 hex digits of the SHA-256 of its bytes."""
    media: str
    """`image/png`, `image/jpeg`, `image/webp` or `image/gif`."""
    width: int = 0
    height: int = 0
    name: str = ""
    """What the person knows it by, such as its file."""


class Problem(Record, kw_only=True):
    """What went wrong, as a code with fields; the words for people are made in `ui/words.py`.

    `code` is one of the codes listed in `app/errors.py`. `fields` fill its sentence. `detail` is the
    provider's or system's own
    text, redacted, shown small.
    """

    code: str
    fields: dict[str, str] = {}
    detail: str = ""


class ListState(Record, kw_only=True):
    """The list of models of one provider. Times in unix seconds, 0 = never."""

    profile: str
    title: str
    listed: float
    """When the list that counts now came."""
    failed: float = 0.0
    """When it could not be had anew, since then."""
    problem: Problem | None = None
    """Why."""


class Message(Record, kw_only=True):
    """One node of a session's tree."""

    id: str
    session: str
    parent: str | None
    turn: str
    role: Role
    created: float
    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    call: str = ""
    """Tool messages: the id of the call that this answers."""
    tool: str = ""
    """Tool messages: the name of the tool that ran."""
    ok: bool = True
    verb: str = ""
    """Tool messages: plain words for a row ("Read file"), and in `subject` its main argument ("notes.txt").
    """
    subject: str = ""
    summary: str = ""
    """Tool messages: the result in about five words ("48 files")."""
    view: View = View()
    seconds: float = 0.0
    undo: str = ""
    """Tool messages: the id for `undo`, empty when nothing was changed."""
    state: MessageState = "complete"
    model: str = ""
    """Assistant messages: PROFILE/MODEL that wrote it."""
    mode: Mode | Literal[""] = ""
    """Assistant messages: the mode of its turn."""
    by_model: bool = False
    """User messages: a model wrote it, as the task of a helper; its words grant nothing."""
    extra: dict[str, Any] = {}
    """Provider fields of an assistant message that go back unchanged (reasoning_content, extra_content,
    ...).
    """
    finish: str = ""
    """Assistant messages: how the model ended (stop, calls, length, refused)."""
    usage: Usage | None = None
    cost: float | None = None
    """US dollars, None where no price is known."""
    context: str = ""
    """User messages: the clock, working folder and hints sent with it; stored so that it is sent again
    unchanged.
    """
    told: tuple[str, ...] = ()
    """User messages: what the context told of as come (+) or gone (-) since the conversation began."""
    arguments: str = ""
    """Tool messages: the arguments of the tool that ran, where its call went through use_tool."""
    problem: Problem | None = None
    marks: tuple[Mark, ...] = ()
    """The untrusted sources that this text holds or was made from."""
    pictures: tuple[Picture, ...] = ()
    """User and tool messages: pictures that belong to the text."""
    compaction: Compaction | None = None
    """Summaries: what this text stands for; its `context` goes before it, as with a person's words."""


class SessionInfo(Record, kw_only=True):
    """One line of the session list."""

    id: str
    title: str
    summary: str = ""
    """One line of what it came to: the start of the newest answer."""
    cwd: str
    model: str = ""
    effort: Effort = ""
    mode: Mode = "agent"
    created: float
    updated: float
    """Time of the newest message; viewing never changes it."""
    pinned: bool = False
    archived: bool = False
    deleted: bool = False
    head: str | None = None
    """Id of the newest message of the branch that is shown."""
    running: bool = False
    parent: str = ""
    """The conversation whose helper this one is, "" for one of the person's own; it stands in no list."""
    private: bool = False
    """Without memory: nothing of it is remembered or found from elsewhere, and nothing is told to it."""


class SearchHit(Record, kw_only=True):
    """A message found by full text; `snippet` marks the words by U+2068 and U+2069 around them."""

    session: str
    message: str
    title: str
    snippet: str
    created: float


class HelperInfo(Record, kw_only=True):
    """A conversation that helped another one, as far as it came."""

    session: str
    task: str
    rounds: int
    """Answers of its model."""
    began: float
    ok: bool
    """It ended by itself, with words."""


class Queued(Record, kw_only=True):
    """A message that waits: `steer` enters before the next model request, `next` runs after the turn."""

    id: str
    session: str
    text: str
    kind: Literal["steer", "next"] = "next"


class JobInfo(Record, kw_only=True):
    """A running or ended background command."""

    id: str
    session: str
    command: str
    cwd: str
    started: float
    state: Literal["running", "ended", "stopped"]
    exit: int | None = None
    size: int = 0
    """Bytes of output so far."""
    tail: str = ""
    """The last lines of output, for the Jobs panel."""


class ChangeInfo(Record, kw_only=True):
    """One journaled change, as the Changes panel and `undo list` show it."""

    id: str
    session: str
    turn: str
    tool: str
    made: float
    files: tuple[FileDiff, ...]
    """Without hunks; counts only."""
    undone: bool = False
    undoes: tuple[str, ...] = ()
    """For an undo: the changes that it took back. Taking it back in turn lets them stand again."""
    chosen: bool = False
    """For an undo: a person chose what becomes of files changed since, so that it is no exact way back."""
    marks: tuple[Mark, ...] = ()
    """The untrusted sources of what the conversation held when it was made; its files hold them too."""


class TurnOptions(Record, kw_only=True):
    """How one turn runs; empty fields mean what the session or the settings say."""

    mode: Mode | None = None
    model: str = ""
    effort: Effort | None = None
    max_rounds: int = 0
    yes: bool = False
    """Approve all but what is always asked."""
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    attended: bool = True
    """False: nobody can answer, so what would ask is refused and reported."""
    marks: tuple[Mark, ...] = ()
    """Untrusted sources that count beside those of the conversation."""
    delegated: tuple[str, str] | None = None
    """The session and turn that this one works for: what it does counts as theirs."""


class Sent(Record, kw_only=True):
    """What became of a sent text: the id of the turn that it began, or of its place in the queue."""

    turn: str = ""
    queued: str = ""


class Check(Record, kw_only=True):
    """One line of `doctor`. `detail` and `fix` are English sentences from the check itself."""

    name: str
    state: Literal["ok", "warn", "fail"]
    detail: str
    fix: str = ""


Choice = Literal["mine", "before", "merged"]
"""For a file that was changed since: leave it, put back what was before, or take back only our part."""


class FileConflict(Record, kw_only=True):
    """Why a change cannot be taken back: what it did to a file, and what was done to that file since.

    Together the two are the whole three-way difference: `ours` leads from before to what we made, `since`
    from there to what stands now.
    """

    path: str
    ours: FileDiff
    since: FileDiff
    back: FileDiff | None = None
    """What the choice "before" would do to what stands now; None where there is no content to show."""
    merged: FileDiff | None = None
    """What the choice "merged" would do, None where both changed the same lines."""


class SandboxInfo(Record, kw_only=True):
    """What holds commands on this machine, for a sign and a page. The sentences are English."""

    layer: Layer
    why: str = ""
    """Why it is not a stronger one."""
    details: tuple[str, ...] = ()
    """What it does not hold back."""
    fix: str = ""
    """What a person can do for a stronger one."""

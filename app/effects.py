"""Frozen records of what is about to happen, and of what a person says to it: effects, decisions,
questions, answers, saved rules.
"""

from __future__ import annotations

from typing import Literal

from app.record import Record

DecisionKind = Literal["allow", "ask", "deny"]
Scope = Literal["once", "session", "project", "always"]
"""How long an answer holds. What is longer than once is a rule that is saved."""
Layer = Literal["bubblewrap", "landlock", "none"]
"""What holds a command: each is weaker than the one before it."""
Reach = Literal["folder", "network", "all"]
"""What a command may reach: write in its folder without a network, that with the network, or all of the
computer without a sandbox."""
SourceKind = Literal["file", "web", "mail", "mcp", "watch", "github", "memory", "import", "other"]
"""`import`: a conversation that came in as a file, its user messages too."""


class Mark(Record, kw_only=True):
    """Where text came from that nobody vouches for (product 5.4). `name` is a path, a host or a server."""

    kind: SourceKind
    name: str


IMPORTED = Mark(kind="import", name="conversation")
"""Each message of a conversation that came in as a file: whoever wrote that file wrote the words of its
"user" too."""


class Loss(Record, kw_only=True):
    """What a destructive call would take away below one path. Counts stop at `LOSS_COUNTED`."""

    path: str
    """Absolute, resolved."""
    items: int = 0
    """Files below it, or 1 for a file."""
    untracked: int = 0
    """Those that no Git repository holds, so that nothing but the trash can bring them back."""
    size: int = 0
    """Bytes."""
    sample: tuple[str, ...] = ()
    """A few of the files, relative to `path`."""
    whole: bool = False
    """The home folder, a drive, the system, or the working folder itself."""
    repository: str = ""
    """The root of the Git repository around it, "" for none."""


LOSS_COUNTED = 100_000
"""Files at which counting stops: a person learns no more from a larger number."""


class DiffLine(Record, array_like=True):
    """One drawn line. kind: " " both, "-" removed, "+" added. Numbers count from 1, 0 where the side lacks
    the line.
    """

    kind: str
    old: int
    new: int
    text: str


class Hunk(Record, kw_only=True):
    """One piece that can be accepted or rejected. Starts count from 1; counts may be 0."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[DiffLine, ...]


class FileDiff(Record, kw_only=True):
    """What would happen to one file, ready to draw. Binary files have no hunks."""

    path: str
    """Absolute, resolved."""
    shown: str
    """As people read it: relative to the working folder where possible."""
    kind: Literal["new", "changed", "deleted", "renamed", "copied", "folder"]
    """`folder` is a new, empty folder. `renamed` and `deleted` may be a whole folder: see `items`."""
    old_path: str = ""
    """Where a renamed or copied one comes from."""
    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    removed: int = 0
    binary: bool = False
    language: str = ""
    """A pygments lexer alias, or "" for plain text."""
    note: str = ""
    """A code of what a person should know (such as `no_final_newline`, `hard_link`); "" for nothing."""
    old_mode: int = 0
    new_mode: int = 0
    """Permission bits before and after where they change, both 0 where they stay."""
    items: int = 0
    """Files below it where it is a whole folder, 0 for a file."""
    size: int = 0
    """Bytes, where that says more than lines do: whole folders, binary files, archives."""
    sample: tuple[str, ...] = ()
    """A few of the names below a folder or in an archive."""
    text: str | None = None
    """The whole proposed text with its own line ends, where a person may edit it: see `Answer.edited`."""


SERVER_NAMES = "server_names"
"""The note of a new file whose name the server may choose, in the same folder."""


class FilesEffect(Record, tag="files", kw_only=True):
    """Change, make or delete files."""

    files: tuple[FileDiff, ...]
    undoable: bool = True
    losses: tuple[Loss, ...] = ()
    """What goes to the trash or is replaced whole."""


class CommandEffect(Record, tag="command", kw_only=True):
    """Run a shell command. `cwd` absolute. Undoable when a snapshot of the folder is taken first and the
    sandbox lets it write nowhere else.
    """

    command: str
    cwd: str
    undoable: bool = False
    layer: Layer = "none"
    """What would hold it."""
    reach: Reach = "folder"
    """What the caller wants it to reach; a layer may hold less back than that, never more."""
    job: str = ""
    """For input to, or the end of, a running job: its id."""


class ReadEffect(Record, tag="read", kw_only=True):
    """Read something outside the workspace, or something secret."""

    path: str
    secret: bool = False


CREDENTIAL_PARTS = (
    "authorization", "cookie", "token", "secret", "password", "passwd", "signature", "credential",
    "api-key", "apikey", "access-key", "auth-key", "x-key", "x-auth", "session",
)  # fmt: skip
"""Parts of the names of headers whose values let their bearer in; in lower case."""


class RequestEffect(Record, tag="request", kw_only=True):
    """Send a web request. `host` is ASCII in lower case, without brackets."""

    method: str
    url: str
    host: str
    port: int = 0
    """0 for the usual one of its scheme."""
    headers: tuple[str, ...] = ()
    """"Name: value" of those that the caller sets, values that are credentials masked."""
    body: str = ""
    """All of what is sent."""
    private: Literal["", "named", "found"] = ""
    """The host is this computer or one of the own network: as its name says, or, `found`, where it stands
    though its name could be that of a public host.
    """
    saves: FilesEffect | None = None
    """What the answer would be written to; sizes are not known yet."""
    also: tuple[str, ...] = ()
    """Further hosts that are asked the same within this call."""
    fixed: Literal["", "web", "github"] = ""
    """The hosts are not chosen by the call: they are those of the settings or built in. Says what kind of
    source they are.
    """
    purpose: Literal["", "search"] = ""
    """search: it only asks search engines, which may happen without a rule."""


class ServerEffect(Record, tag="server", kw_only=True):
    """Call a tool of an MCP server, which acts by itself: nothing of it is known but what is sent."""

    server: str
    """Its id."""
    tool: str
    """The server's own name of the tool."""
    arguments: str
    """All that is sent, as indented JSON."""
    says: Literal["", "reads", "destroys"] = ""
    """What the tool says of itself: for the eye, no grant."""


class InstallEffect(Record, tag="install", kw_only=True):
    """Add an MCP server: from then on its program is started, or its address reached, when it is needed."""

    server: str
    """The id it would have."""
    command: tuple[str, ...] = ()
    """The exact words that would be started, never through a shell."""
    url: str = ""
    steps: tuple[tuple[str, ...], ...] = ()
    """Commands that install it first."""
    environment: tuple[str, ...] = ()
    """NAME=value of what it would be given, the name alone for a secret."""
    origin: str = ""
    """The registry's name and version, "" for one that was named by its command or address."""


ActionKind = Literal[
    "git", "end_process", "read_clipboard", "set_clipboard", "screenshot", "notify", "open_app", "open_url",
    "set_volume", "set_brightness",
]  # fmt: skip
"""What is done; both front ends have words for each (`ui/actions.py`)."""


class ActionEffect(Record, tag="action", kw_only=True):
    """Do one thing that is no edit of files, no line for a shell and no request of ours: a command of Git,
    the end of a process, something on the desktop.
    """

    kind: ActionKind
    subject: str
    """What it is done to, in one line; the rule TOOL(SUBJECT) means just this."""
    details: str = ""
    """All of it, word for word, where that is more than the subject."""
    words: tuple[str, ...] = ()
    """The program and its words, where one is run; rules for commands speak about them too."""
    cwd: str = ""
    """Absolute, "" where no folder matters."""
    paths: tuple[str, ...] = ()
    """Files that it would write, as far as they are known; rules that forbid writing them hold here too."""
    host: str = ""
    """The computer that it would reach, "" for none."""
    runs: tuple[str, ...] = ()
    """Programs that it would start and that the person did not choose: the hooks of a repository."""
    loses: bool = False
    """Whether it may throw away what nothing brings back."""
    discloses: bool = False
    """Whether it shows the model what may be private: the clipboard, the screen."""
    undoable: bool = False


class MemoryEffect(Record, tag="memory", kw_only=True):
    """Remember something over conversations, change it, or forget it."""

    act: Literal["remember", "note", "todo", "forget"]
    text: str
    """All of it, word for word; a line each where several are forgotten."""
    place: str = ""
    """The topic, the project or the list that it belongs to."""
    undoable: bool = True


Effect = (
    FilesEffect
    | CommandEffect
    | ReadEffect
    | RequestEffect
    | ServerEffect
    | InstallEffect
    | ActionEffect
    | MemoryEffect
)


class Decision(Record, kw_only=True):
    """A verdict on one effect and how it came about."""

    decision: DecisionKind
    reason: str
    """A code, worded by `ui/words.py` (such as `workspace_read`, `no_rule`, `rule_allow`, `rule_deny`,
    `secret_path`).
    """
    rule: str = ""
    parts: tuple[str, ...] = ()
    """Every simple command, path or request that was judged, as text."""
    outside: tuple[str, ...] = ()
    """Absolute paths outside the workspace that it would write, as far as they can be read from it."""
    losses: tuple[Loss, ...] = ()
    """What a destructive command would take away."""
    offers: tuple[tuple[str, ...], ...] = ()
    """Rules that would allow just this from now on, narrowest first; each offer is the set of rules that
    together cover the call. Empty where none may be saved.
    """
    marks: tuple[Mark, ...] = ()
    """The untrusted sources that kept a rule from counting."""


class Approval(Record, kw_only=True):
    """A waiting question. It lives in the store; any process may answer, its owner acts."""

    id: str
    session: str
    turn: str
    call: str
    tool: str
    effect: Effect
    asked: float
    reason: str = ""
    """The code of the decision that asked."""
    offers: tuple[tuple[str, ...], ...] = ()
    """See Decision. What "session", "project" and "always" may save; none where that is empty."""
    parts: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()
    marks: tuple[Mark, ...] = ()
    cwd: str = ""
    """The working folder of the session."""


class Answer(Record, kw_only=True):
    """A person's answer to an approval."""

    decision: Literal["allow", "deny"]
    scope: Scope = "once"
    rules: tuple[str, ...] = ()
    """For a longer scope: one of the offers, empty for the first of them."""
    reason: str = ""
    """For deny: what the model is told."""
    rejected: tuple[tuple[int, int], ...] = ()
    """(file index, hunk index) of the pieces that are not wanted."""
    edited: dict[str, str] = {}
    """Absolute path -> whole new text, where the person edited the proposal. The hunks in `rejected` of
    such a file count in the edited text.
    """
    by: str = ""
    """Who answered: window, terminal, approvals, tray, voice, policy."""


class RuleInfo(Record, kw_only=True):
    """A saved rule. `id` follows from its words and place, so it stays when the file is edited by hand."""

    id: str
    decision: DecisionKind
    rule: str
    """TOOL(PATTERN), as written."""
    scope: Scope
    place: str = ""
    """The folder of a project rule or the session of a session rule, "" for always."""
    line: int = 0
    """Its line in the file, from 1."""


class RuleFault(Record, kw_only=True):
    """A line of the rules file that cannot be used; all others hold."""

    line: int
    text: str
    why: str
    """A plain English sentence."""

"""The contract of a tool: one async function a module, told to the model by its own signature and docstring.

A tool touches nothing itself. It has the capabilities of its `ToolContext`, each of which takes one whole
effect, judges it, asks the person if needed, keeps a journal, acts, and says what really happened. A reading
tool gets a context without any changing method. This package knows nothing else of ours.

Its records are named tuples: all are made before a request can leave, and a frozen dataclass takes five times
as long.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeVar

from tools._calendars import (
    AddedEvent as AddedEvent,
    Agenda as Agenda,
    AgendaQuery as AgendaQuery,
    CalendarEvent as CalendarEvent,
    ChangeCalendars as ChangeCalendars,
    NewEvent as NewEvent,
    ReadCalendars as ReadCalendars,
)
from tools._desktop import (
    ChangeDesktop as ChangeDesktop,
    Clipboard as Clipboard,
    Done as Done,
    Level as Level,
    Picture as Picture,
    ReadDesktop as ReadDesktop,
    Window as Window,
)
from tools._documents import (
    ChangeDocuments as ChangeDocuments,
    Checksum as Checksum,
    DocumentText as DocumentText,
    ReadDocuments as ReadDocuments,
    SqlChanged as SqlChanged,
    SqlRows as SqlRows,
    Table as Table,
    TableChanged as TableChanged,
    TableEdit as TableEdit,
    TableQuery as TableQuery,
)
from tools._files import (
    Changed as Changed,
    ChangedFile as ChangedFile,
    ChangeFiles as ChangeFiles,
    ChangeSet as ChangeSet,
    Copy as Copy,
    Entry as Entry,
    FileBytes as FileBytes,
    FileText as FileText,
    Found as Found,
    MakeFolder as MakeFolder,
    Match as Match,
    Move as Move,
    Operation as Operation,
    Pack as Pack,
    Patch as Patch,
    ReadFiles as ReadFiles,
    Replace as Replace,
    ReplaceLines as ReplaceLines,
    Restore as Restore,
    Trash as Trash,
    Unpack as Unpack,
    Write as Write,
    WriteBytes as WriteBytes,
)
from tools._finding import (
    FindTools as FindTools,
    ToolTexts as ToolTexts,
)
from tools._git import (
    BlameLine as BlameLine,
    ChangeGit as ChangeGit,
    GitBlame as GitBlame,
    GitChange as GitChange,
    GitCommit as GitCommit,
    GitDiff as GitDiff,
    GitFile as GitFile,
    GitLog as GitLog,
    GitOutcome as GitOutcome,
    GitRef as GitRef,
    GitShown as GitShown,
    GitStash as GitStash,
    GitStatus as GitStatus,
    ReadGit as ReadGit,
)
from tools._helpers import (
    HelperReport as HelperReport,
    Helpers as Helpers,
)
from tools._mail import (
    Draft as Draft,
    Drafted as Drafted,
    DraftMail as DraftMail,
)
from tools._memory import (
    ChangeMemory as ChangeMemory,
    Kept as Kept,
    Memo as Memo,
    NoteKind as NoteKind,
    Past as Past,
    ProjectBrief as ProjectBrief,
    ReadMemory as ReadMemory,
)
from tools._pages import (
    ReadPages as ReadPages,
    Scraped as Scraped,
    Site as Site,
)
from tools._person import (
    AskPerson as AskPerson,
    Choice as Choice,
    Reply as Reply,
    Translate as Translate,
    Translation as Translation,
)
from tools._pictures import (
    MadePicture as MadePicture,
    MakePictures as MakePictures,
)
from tools._processes import (
    EndedProcess as EndedProcess,
    EndProcesses as EndProcesses,
    Listener as Listener,
    Listeners as Listeners,
    Process as Process,
    Processes as Processes,
    ReadProcesses as ReadProcesses,
)
from tools._search import (
    Failure as Failure,
    Hit as Hit,
    Photo as Photo,
    Photographed as Photographed,
    Searched as Searched,
    SearchWeb as SearchWeb,
)
from tools._servers import (
    ChangeServers as ChangeServers,
    Need as Need,
    Offer as Offer,
    ReadServers as ReadServers,
    Server as Server,
)
from tools._services import (
    ChangeServices as ChangeServices,
    ReadServices as ReadServices,
    ServiceChange as ServiceChange,
    ServiceReply as ServiceReply,
)
from tools._shell import (
    Command as Command,
    CommandResult as CommandResult,
    Job as Job,
    ReadShell as ReadShell,
    RunShell as RunShell,
)
from tools._skills import (
    ReadSkills as ReadSkills,
    SkillTexts as SkillTexts,
)
from tools._timers import (
    ReadTimers as ReadTimers,
    Timer as Timer,
    Timers as Timers,
)
from tools._web import (
    ChangeWeb as ChangeWeb,
    Download as Download,
    Feed as Feed,
    FeedEntry as FeedEntry,
    Page as Page,
    ReadWeb as ReadWeb,
    Request as Request,
    Response as Response,
)
from tools._wording import (
    checked as checked,
    plural as plural,
    shortened as shortened,
)

ViewKind = Literal["text", "diff", "command", "table", "image", "links", "steps", "helpers"]


class ToolResult(NamedTuple):
    """What the model reads (`text`), what a person sees in a row (`summary`, about five words), and how a
    window may draw it.
    """

    text: str
    summary: str = ""
    ok: bool = True
    view: ViewKind = "text"
    data: Mapping[str, Any] = MappingProxyType({})
    undo: str = ""
    images: tuple[bytes, ...] = ()
    """Pictures for models that can see, as PNG or JPEG bytes."""


# --- the context -------------------------------------------------------------------------------------------


class ReadContext(NamedTuple):
    """What a reading tool may use. `cwd` is absolute; `progress` shows a line in the tool's row while it
    runs.
    """

    cwd: str
    files: ReadFiles
    shell: ReadShell
    progress: Callable[[str], None] = lambda text: None
    skills: ReadSkills | None = None
    """None where there are none, as in the child process of a tool of the person's own."""
    find: FindTools | None = None
    servers: ReadServers | None = None
    memory: ReadMemory | None = None
    web: ReadWeb | None = None
    search: SearchWeb | None = None
    services: ReadServices | None = None
    pages: ReadPages | None = None
    git: ReadGit | None = None
    processes: ReadProcesses | None = None
    desktop: ReadDesktop | None = None
    documents: ReadDocuments | None = None
    calendars: ReadCalendars | None = None
    person: AskPerson | None = None
    translator: Translate | None = None
    timers: ReadTimers | None = None


class ToolContext(NamedTuple):
    """What a changing tool may use."""

    cwd: str
    files: ChangeFiles
    shell: RunShell
    progress: Callable[[str], None] = lambda text: None
    skills: ReadSkills | None = None
    find: FindTools | None = None
    servers: ChangeServers | None = None
    helpers: Helpers | None = None
    memory: ChangeMemory | None = None
    web: ChangeWeb | None = None
    search: SearchWeb | None = None
    services: ChangeServices | None = None
    pictures: MakePictures | None = None
    pages: ReadPages | None = None
    git: ChangeGit | None = None
    processes: EndProcesses | None = None
    desktop: ChangeDesktop | None = None
    documents: ChangeDocuments | None = None
    calendars: ChangeCalendars | None = None
    mail: DraftMail | None = None
    person: AskPerson | None = None
    translator: Translate | None = None
    timers: Timers | None = None


class ToolFailed(Exception):
    """Raised by a tool for a failure of its own; the text is what the model reads."""


Function = Callable[..., Awaitable[ToolResult]]
F = TypeVar("F", bound=Function)


class ToolSpec(NamedTuple):
    """What `@tool` says about a function. `reads` may be a function of the arguments."""

    reads: bool | Callable[[Mapping[str, Any]], bool]
    keywords: tuple[str, ...]
    examples: tuple[str, ...]
    verb: str
    """Plain words for a person's eye ("Read file"); translated by the front ends."""
    main: str
    """The argument that a row shows, "" for none."""
    accepts: Mapping[str, str]
    """Other spellings of arguments that are read as well: {"old_text": "old"}; never told to the model."""
    whole: bool = False
    """Its results hold themselves short, so that nothing may be cut out of them."""


def tool(
    *,
    reads: bool | Callable[[Mapping[str, Any]], bool],
    verb: str,
    main: str = "",
    keywords: Sequence[str] = (),
    examples: Sequence[str] = (),
    accepts: Mapping[str, str] | None = None,
    whole: bool = False,
) -> Callable[[F], F]:
    """Mark a function as a tool. The registry checks signature, docstring, examples and imports when it
    loads the module.
    """

    def mark(function: F) -> F:
        function.__tool__ = ToolSpec(  # type: ignore[attr-defined]
            reads=reads,
            keywords=tuple(keywords),
            examples=tuple(examples),
            verb=verb,
            main=main,
            accepts=dict(accepts or {}),
            whole=whole,
        )
        return function

    return mark

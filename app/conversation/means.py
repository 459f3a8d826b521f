"""What every conversation of a process shares: the store, the client, the tools, the rules, the clock."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from app.capabilities.questions import Questions
from app.conversation.instructions import Instructions
from app.events import Event
from app.memory.memory import Memory
from app.models.client import ModelClient
from app.models.profile import Profile
from app.permissions.facade import Rules
from app.permissions.policy import Rights
from app.records import Record, Usage
from app.settings import Settings
from app.store.database import Store
from app.toolbox.call import ToolCalls
from app.toolbox.finder import Finder
from app.toolbox.skills.facade import Skills


class Means(Record):
    """What every conversation of a process shares."""

    store: Store
    emit: Callable[[Event], None]
    client: ModelClient
    calls: ToolCalls
    finder: Finder
    skills: Skills
    pictures: Path
    """The folder of the pictures that go to models."""
    instructions: Instructions
    called: Callable[[str], None]
    """Told of a call of a tool that was loaded when it was needed (product.md 2.8)."""
    questions: Questions
    memory: Memory
    settings: Callable[[], Settings]
    resolve: Callable[[str], Awaitable[tuple[Profile, str]]]
    """PROFILE/MODEL to its profile and the model. Raises ModelError (no_model, no_profile)."""
    preview: Callable[[str], Awaitable[tuple[Profile, str]]]
    """The same without its key and without starting anything; a nameless model where none is set."""
    price: Callable[[str, Usage], float | None]
    """US dollars for a usage of PROFILE/MODEL, None where no price is known."""
    used: Callable[[str, str], None]
    """Called with profile and model whenever a piece of an answer comes."""
    stopped: Callable[[str], Awaitable[None]]
    """Called with a session whose turn was stopped: ends what its commands left running."""
    rights: Rights
    rules: Rules
    clock: Callable[[], float]
    look: Callable[[], Awaitable[object]]
    """Lets the registry have the tools of servers, which it starts, and the person's own as they are now;
    before each turn and single call.
    """
    peek: Callable[[], Awaitable[object]]
    """Lets it have what is known of them now, and starts nothing; for who only looks or judges."""

"""What went wrong with memory, in plain sentences: a part of `ui.problems`."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

MEMORY: dict[str, Row] = {
    "no_memory": Row(
        L("Nothing is remembered under that number."),
        L("Look at the list: it may be forgotten already."),
        "none",
        L("Nothing is remembered under {ref}."),
    ),
    "nothing_to_remember": Row(
        L("There is nothing to remember in that."), L("Say it in a short sentence."), "none"
    ),
    "memory_too_long": Row(
        L("That is too long to remember."),
        L("Say the one thing to remember in a sentence."),
        "none",
        L("That is {length} characters; one item holds {most}."),
    ),
    "memory_full": Row(
        L("Memory is full."), L("Forget what is no longer needed."), "none", L("Memory holds {most} items.")
    ),
    "looks_like_key": Row(
        L("That looks like a key or a password, so it was not stored."),
        L("What is remembered is sent to models. Keep it in a password manager."),
        "none",
    ),
    "memory_off": Row(
        L("Memory is switched off."), L("Switch it on in the settings to use it."), "open_settings"
    ),
    "memory_private": Row(
        L("This conversation is private: it neither uses memory nor adds to it."),
        L("Start an ordinary conversation for that."),
        "none",
    ),
    "memory_changed": Row(
        L("It was changed or forgotten since, so nothing was taken back."),
        L("Look at what is remembered now."),
        "none",
    ),
    "no_project": Row(
        L("This conversation works in no project."), L("Choose its folder, or name a project."), "pick_folder"
    ),
    "too_many_pinned": Row(
        L("No more facts can be pinned."),
        L("Unpin one first: what is pinned goes with every conversation."),
        "none",
        L("{most} facts are pinned, which is all there can be."),
    ),
    "not_vouched": Row(
        L("It comes from text that nobody vouches for, so it cannot be pinned."),
        L("Read it, and confirm it first if it is right."),
        "none",
    ),
}

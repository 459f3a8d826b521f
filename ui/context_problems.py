"""What went wrong with the room of a conversation in its model's window, as rows of `ui/problems.py`."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

CONTEXT: dict[str, Row] = {
    "compaction_stuck": Row(
        L("The conversation fills the model's window again and again without getting on."),
        L(
            "Say in a few words what to do next, in smaller steps, or start a new conversation, take off "
            "long pinned notes, or choose a model with a larger window. Everything is kept."
        ),
        "new_session",
    ),
    "does_not_fit": Row(
        L("This is more than the model can read at once, and it cannot be made shorter."),
        L("Start a new conversation, say less at once, or choose a model with a larger window. All is kept."),
        "pick_model",
    ),
    "compaction_failed": Row(
        L("The model gave no useful summary."),
        L("Nothing was changed. Try it again, or choose another model for it."),
        "pick_model",
    ),
    "nothing_to_compact": Row(
        L("This conversation is still too short to be summarised."),
        L("Nothing has to be done: it fits as it is."),
        "none",
    ),
    "summary_refused": Row(
        L("The model gave no useful summary of the earlier messages."),
        L("They are only listed for the model now, and it goes on. You still have all of them above."),
        "none",
    ),
    "fell_back": Row(
        L("Another model answers, since the provider asks to wait."),
        L("It is the fall-back model of your settings. The next message goes to the chosen model again."),
        "none",
        L("{model} answers, since the provider asks to wait."),
    ),
    "empty_pin": Row(
        L("There is nothing to pin."),
        L("Write what is to be kept in mind behind /pin, or pin a message that says something."),
        "none",
    ),
    "no_plan": Row(
        L("No plan waits in this conversation."),
        L("Choose the mode Plan and ask for one."),
        "none",
    ),
    "pin_too_long": Row(
        L("That is too long to be pinned."),
        L("Pin the part that matters. Pinned notes go to the model word for word, again and again."),
        "none",
        L("A pinned note holds up to {most} characters, all notes of a conversation {all}."),
    ),
}

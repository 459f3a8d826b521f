"""What went wrong with Git, processes and the desktop, and what to do about it."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

ACTION_PROBLEMS: dict[str, Row] = {
    "no_program": Row(
        L("A program that this needs is not installed here."),
        L("Install it with your system's package manager, then try again."),
        "none",
        L("{what} is not installed here."),
    ),
    "too_slow": Row(
        L("A program did not end in time and was stopped."),
        L("Try again, or run it yourself in a terminal."),
        "none",
        L("{what} did not end within {seconds} seconds and was stopped."),
    ),
    "git_failed": Row(
        L("Git could not do that."),
        L("The message of Git says why."),
    ),
    "no_process": Row(
        L("There is no such process."),
        L("It may have ended by itself."),
    ),
    "not_ended": Row(
        L("This process is not ended from here."),
        L("Bramble ends neither itself nor what it runs in."),
    ),
    "no_desktop": Row(
        L("This computer or this session cannot do that."),
        L("The message says what is missing."),
    ),
}

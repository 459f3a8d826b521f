"""What went wrong with routines and their schedules, in plain sentences: a part of `ui.problems`."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

ROUTINES: dict[str, Row] = {
    "schedule_unreadable": Row(
        L("The schedule cannot be read."),
        L("Write it like “every weekday at 7:30”, “in 20 minutes” or “first Monday of the month at 9”."),
        "none",
        L("“{part}” cannot be read as a part of a schedule."),
    ),
    "schedule_ambiguous": Row(
        L("The schedule can be read in two ways."),
        L("Write it so that it can only be read in one way."),
        "none",
        L("“{part}” can mean “{one}” or “{other}”. Write the one you mean."),
    ),
    "schedule_no_time": Row(
        L("The schedule names no time."),
        L("Add one, such as “at 8:00” or “every 30 minutes”."),
        "none",
        L("“{part}” names no time."),
    ),
    "schedule_past": Row(
        L("That time is over."),
        L("Name one that is still to come."),
        "none",
        L("{time} is over."),
    ),
    "schedule_never": Row(
        L("That time never comes."),
        L("Check the day and the month."),
        "none",
        L("“{part}” never comes."),
    ),
    "schedule_too_often": Row(
        L("A routine runs at most once a minute."),
        L("Choose a minute or more."),
    ),
    "bad_cron": Row(
        L("The cron expression cannot be read."),
        L("It has five fields: minute, hour, day of the month, month and weekday, as in “30 7 * * 1-5”."),
        "none",
        L("“{part}” cannot be read as the {field} of a cron expression."),
    ),
    "bad_zone": Row(
        L("There is no such time zone."),
        L("Use a name such as Europe/Berlin, or leave it out to follow this computer."),
        "none",
        L("There is no time zone “{zone}”."),
    ),
    "no_routine": Row(
        L("There is no such routine."),
        L("Look at the list of routines."),
    ),
    "routine_changed": Row(
        L("The routine was changed meanwhile."),
        L("Look at it again, then change it."),
        "none",
        L("The routine {routine} was changed meanwhile."),
    ),
}

"""Exit codes of the commands, and which problem and which end of a turn leads to which."""

from __future__ import annotations

DONE = 0
FAILED = 1
WRONG_USE = 2
NO_APPROVAL = 3
NO_MODEL = 4
CUT_OFF = 5
INTERRUPTED = 130

_OF_PROBLEM = {
    "no_model": NO_MODEL,
    "no_key": NO_MODEL,
    "bad_key": NO_MODEL,
    "no_profile": NO_MODEL,
    "model_gone": NO_MODEL,
    "unusable_key": NO_MODEL,
    "no_sign_in": NO_MODEL,
    "signed_out": NO_MODEL,
    "terms_open": NO_MODEL,
    "no_client_id": NO_MODEL,
    "model_terms": NO_MODEL,
    "model_off": NO_MODEL,
    "no_seat": NO_MODEL,
    "not_a_key": WRONG_USE,
    "local_missing": NO_MODEL,
    "needs_consent": NO_MODEL,
    "cut_stream": CUT_OFF,
    "stalled": CUT_OFF,
    "endless": CUT_OFF,
    "refused": NO_APPROVAL,
    "own_approval": NO_APPROVAL,
    "bad_arguments": WRONG_USE,
    "unknown_tool": WRONG_USE,
    "bad_tool_name": WRONG_USE,
    "bad_rule": WRONG_USE,
    "bad_fixture": WRONG_USE,
    "bad_import": WRONG_USE,
    "file_exists": WRONG_USE,
}

_OF_STOP = {
    "done": DONE,
    "stopped": INTERRUPTED,
    "rounds": CUT_OFF,
    "repeat": CUT_OFF,
    "budget": CUT_OFF,
    "length": CUT_OFF,
    "cut": CUT_OFF,
    "approval": NO_APPROVAL,
    "refused": FAILED,
    "failed": FAILED,
}


def of_problem(code: str) -> int:
    """Return the exit code of a command that ended with this problem."""
    return _OF_PROBLEM.get(code, FAILED)


def of_turn(stop: str, problem: str = "", *, unanswered: bool = False) -> int:
    """Return the exit code of a turn; `unanswered` says that a call needed an approval that nobody gave."""
    if stop == "failed" and problem:
        return of_problem(problem)
    code = _OF_STOP.get(stop, FAILED)
    return NO_APPROVAL if unanswered and code == DONE else code

"""Typed errors that cross folders; each says what happened as a code with fields, so that both front ends
word it alike.

Codes in use (the sentence and the remedy for each stand in `ui/problems.py`, a test holds the two together):

no_model, no_key, bad_key, no_credit, no_network, rate_limit, rate_limit_other,
server_error, bad_reply, empty_answer, endless, budget, model_gone, proxy_failed,
overloaded, unusable_key, no_endpoint, web_page,
no_price, cut_stream, stalled, overflow, unsupported,
content_refused, tls, open_address, not_a_key,
no_sign_in, signed_out, no_client_id, bad_client_id, device_flow_off, code_expired, code_denied, code_refused,
terms_open, no_seat, app_refused, forbidden_by_policy, no_gh, model_terms, model_off,
store_corrupt, store_readonly, store_full, store_locked, store_newer, bad_backup,
no_session, session_busy, no_folder, bad_folder,
bad_settings, no_profile, unknown_tool, bad_arguments, mode_forbids, refused, denied, not_found, not_unique,
attachment_locked, attachment_empty, attachment_unknown, too_many_pictures, pictures_refused, effort_refused,
region_refused,
compaction_stuck, does_not_fit, compaction_failed, nothing_to_compact, summary_refused, fell_back,
empty_pin, no_plan,
pin_too_long, changed_since, binary, no_trash,
encoding, outside, protected, too_large, no_permission, disk_full, not_text, no_job, no_sandbox,
less_sandbox, local_missing,
local_failed, needs_consent,
download_failed, hash_mismatch, undo_conflict, no_change, taken_back,
bad_rule, bad_rules, no_rule, rules_busy,
rule_not_saved, rule_faults, not_offered, no_approval, own_approval,
no_instructions, instructions_changed,
no_skill, bad_skill, skill_exists, no_project_skills, skills_changed, skills_too_large, nothing_done,
no_own_tool, bad_own_tool, own_tool_exists, own_tool_changed, bad_tool_name,
no_server, server_exists, bad_server, bad_servers, servers_busy, registry_failed,
registry_unreachable, install_failed, bad_fixture, bad_import,
file_exists,
server_changed, server_failed, sign_in_failed,
bad_address, private_address, no_host, no_answer, tls_failed, timed_out, too_many_redirects, cut_body,
wrong_kind, unreadable,
no_account, account_refused, service_missing, service_limited, service_failed, no_engine, bad_expression,
not_rendered, no_image_model,
no_memory, nothing_to_remember, memory_too_long, memory_full, looks_like_key, memory_off, memory_private,
memory_changed, no_project, too_many_pinned, not_vouched,
no_program, too_slow, git_failed, no_process, not_ended, no_desktop,
schedule_unreadable, schedule_ambiguous, schedule_no_time, schedule_past, schedule_never,
schedule_too_often, bad_cron, bad_zone, no_routine, routine_changed,
internal.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.records import FileConflict, Problem


class BrambleError(Exception):
    """Base of all errors that a person may see. `str(error)` is plain English for logs and for the model."""

    def __init__(self, code: str, message: str = "", *, detail: str = "", **fields: str) -> None:
        super().__init__(message or code)
        self.problem = Problem(code=code, fields=fields, detail=detail)

    @property
    def code(self) -> str:
        """The code of the problem."""
        return self.problem.code


class ModelError(BrambleError):
    """A model request failed. `retry_after` is in seconds, None when the server named none; `status` is the
    HTTP status or 0.
    """

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        detail: str = "",
        status: int = 0,
        retry_after: float | None = None,
        **fields: str,
    ) -> None:
        super().__init__(code, message, detail=detail, **fields)
        self.status = status
        self.retry_after = retry_after
        self.said = ""
        """The codes that the server itself gave, such as `model_not_supported`; never shown as they are."""


class StoreError(BrambleError):
    """The database cannot do what was asked."""


class SettingsError(BrambleError):
    """settings.toml cannot be used as it stands; the message names the line or key."""


class RulesError(BrambleError):
    """The file of rules cannot be read or written; it stands as it was."""


class RoutineError(BrambleError):
    """A schedule cannot be read, or a routine cannot be what was asked; the field `part` names the words."""


class ToolError(BrambleError):
    """A tool or capability cannot do what was asked; the message is written for the model."""


class Refused(ToolError):
    """An effect was not permitted: denied by a rule or a person, or nobody was there to ask (`code` refused
    or denied).
    """


class UndoConflict(ToolError):
    """Files are no longer as a change left them (code undo_conflict).

    `conflicts` holds the whole three-way difference of each; `rest` tells whether something besides them
    would be taken back.
    """

    def __init__(self, conflicts: Sequence[FileConflict], rest: bool = False) -> None:
        names = ", ".join(conflict.path for conflict in conflicts)
        super().__init__(
            "undo_conflict",
            f"Changed since, so nothing was taken back: {names}.",
            path=names,
            count=str(len(conflicts)),
        )
        self.conflicts, self.rest = tuple(conflicts), rest

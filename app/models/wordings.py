"""How servers word what went wrong, as regular expressions; case is ignored."""

from __future__ import annotations

OVERFLOW = (
    r"prompt is too long",
    r"request_too_large",
    r"input is too long",
    r"exceeds? context limit",
    r"exceeds the context window",
    r"context[_ ]length[_ ]exceeded",
    r"input token count.{0,40}exceeds the maximum",
    r"maximum prompt length is \d+",
    r"reduce the length of the (messages|prompt)",
    r"maximum context length (is|of) \d+",
    r"exceeds the maximum allowed input length",
    r"longer than the model.{0,3}s? context length",
    r"exceeds the limit of \d+",
    r"exceeds the available context size",
    r"(greater|larger|longer) than the context (length|window)",
    r"context window exceeds limit",
    r"exceeded model token limit",
    r"too large for model with \d+ maximum context",
    r"model_context_window_exceeded",
    r"exceeded (max(imum)? )?context length",
    r"token limit exceeded",
    r"max_prompt_tokens_exceeded",
)
"""How servers say that the conversation is longer than the window (facts: providers 1.1, and 1.2 number
27).
"""

NO_CREDIT = (
    r"insufficient_quota",
    r"insufficient (balance|credit|fund)",
    r"quota_exceeded",
    r"credit balance is too low",
    r"(out of|no more|no) credits?\b",
    r"billing_hard_limit",
    r"billing_not_active",
    r"payment required",
)
REGION = (
    r"(country|region|location|territory).{0,40}not (currently )?(supported|available|allowed)",
    r"not (currently )?(supported|available|allowed) in (your|this) (country|region|location)",
    r"unsupported_country|user location is not supported",
)
"""A provider that does not answer people where they are, by 400 (Gemini) or 403 (OpenAI)."""
BAD_KEY = (
    r"invalid[_ ]api[_ ]key",
    r"incorrect api key",
    r"api key (is )?(not valid|invalid|expired)",
    r"authentication_error",
)
FILTERED = (
    r"content_policy_violation",
    r"content[_ ]filter",
    r"content management policy",
    r"data_inspection_failed",
    r"moderation",
    r"flagged",
)
GONE = (
    r"model_not_found",
    r"does not exist",
    r"not[_ ]found",
    r"no such model",
    r"unknown model",
    r"not a valid model",
    r"decommissioned",
    r"deprecated",
    r"no longer (available|supported|served)",
)
"""How servers say that they have no such model, in words that name it."""
BUSY = (r"overloaded(?!_rate)", r"over capacity", r"at capacity", r"server is busy", r"high demand")
"""How servers say that they have too much to do, whoever asks."""
PAGE = (r"<(!doctype|html|head|body)\b",)
RATE = (r"rate[_ ]limit", r"too many requests", r"overloaded_rate", r"resource_exhausted")

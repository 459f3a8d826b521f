"""What is known of a provider, as data: where it is, how its dialect differs, what its models can and
cost.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

WireName = Literal["chat", "responses", "messages"]


class Quirks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one server differs from the others of its wire; each field has a wire test.

    The defaults are what most servers take. A profile's TOML sets what differs, a model's entry may set it
    again.
    """

    max_tokens_field: str = "max_tokens"
    """The name of the output limit: `max_tokens`, or `max_completion_tokens` (OpenAI)."""
    system_role: Literal["system", "developer"] = "system"
    stream_options: bool = True
    """Ask for usage by `stream_options`; refused by some."""
    call_ids: Literal["any", "forty", "nine"] = "any"
    """Call ids: any text, at most 40 plain characters (OpenAI), exactly nine letters or digits (Mistral)."""
    tool_name: bool = False
    """Tool messages must carry `name`."""
    assistant_after_tool: bool = False
    """A user message may not follow a tool message: an assistant message goes between."""
    empty_tools: bool = False
    """`tools` must be there, even empty, when the history holds calls (LiteLLM in front of Anthropic)."""
    null_content: bool = True
    """An assistant message with calls and without text has `content: null`; false sends ""."""
    echo: tuple[str, ...] = ()
    """Fields of an assistant message that go back unchanged to the model that sent them."""
    echo_only_with_calls: bool = False
    """Those fields go back only on messages that hold calls."""
    echo_calls: bool = True
    """Unknown fields of a call (`extra_content`) go back unchanged to the model that sent them."""
    reasoning_required: bool = False
    """`reasoning_content` must stand on every message with calls, whatever model wrote it (DeepSeek)."""
    text_or_reasoning: bool = False
    """With calls, a message may hold text or reasoning, not both (gpt-oss templates in llama.cpp)."""
    foreign_call: dict[str, Any] = {}
    """Fields that a call of another model needs to be accepted (Gemini's thought signature)."""
    cache_marks: bool = False
    """Carry `cache_control`: system text and the last two messages (Anthropic behind OpenRouter); on the
    Messages wire also the tools."""
    cache_key: bool = False
    """Send `prompt_cache_key`, one per session."""
    effort: Literal["", "reasoning_effort", "reasoning", "thinking", "adaptive", "budget"] = ""
    """How effort is asked for: not at all, by name, as OpenRouter's object, or as DeepSeek's switch; on the
    Messages wire by a word beside adaptive thinking, or by a budget of tokens."""
    efforts: dict[str, str] = {}
    """Our words for effort (off, low, medium, high) in the words of this model; "" sends none."""
    effort_with_tools: str = ""
    """The only effort that this model takes in a request with tools, always sent then (GPT-5.4 and later)."""
    thinking: dict[str, Any] = {}
    """Further fields of `thinking` where it is adaptive (Messages wire)."""
    thinking_off: Literal["", "disabled", "between_tools"] = "disabled"
    """The kind of `thinking` that stands for none; "" where this model cannot do without."""
    text_calls: bool = False
    """Calls written as text are read as calls when name and required arguments fit."""
    calling: Literal["", "bridge", "native", "append", "preload"] = ""
    """How tools beyond the offered ones are called (product.md 2.5); "" is `bridge`, for small local models
    `preload`. A wire that cannot defer takes `native` for `bridge`."""
    summary: str = ""
    """How a summary of the reasoning is asked for on the Responses wire ("auto"); "" asks for none."""
    encrypted: bool = True
    """Ask for reasoning that can be sent back to the model (Responses wire)."""
    result_pictures: bool = False
    """A tool's result may hold pictures on the Responses wire; else they follow it as a person's message."""
    small_local: bool = False
    """The last answer of a turn is asked for by a fresh request without tools."""
    window_from: Literal["", "ollama", "llamacpp", "lmstudio", "models"] = ""
    """Where the server tells the window that is really in force."""
    needs_window: int = 0
    """Tokens of window below which a request with tools is refused: the server would cut it silently."""
    overflow: tuple[str, ...] = ()
    """Further wordings of this server for a full context (regular expressions, case ignored)."""
    unsupported: tuple[str, ...] = ()
    """Wordings of this server's 5xx for something that it cannot do, which no retry mends."""


class ImageData(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a provider makes pictures. Paths stand below the base URL; "" = it cannot do that."""

    model: str = ""
    """The one that is taken where none is named."""
    generate: str = "/images/generations"
    edit: str = "/images/edits"
    edit_as: Literal["form", "json"] = "form"
    """Pictures go along as parts of a form, or as data URLs in JSON."""
    sizes: dict[str, str] = {}
    """What square, wide and tall are called there."""
    size_field: str = "size"
    formats: dict[str, str] = {}
    """Endings of files and their `output_format`."""
    ending: str = ".png"
    """Of a picture whose name nobody gave."""
    body: dict[str, Any] = {}
    """Further fields."""
    seconds: float = 240.0


class ModelData(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of one model. `id` may hold `*`. Prices in US dollars per million tokens, None =
    unknown.
    """

    id: str
    title: str = ""
    window: int = 0
    """Tokens of prompt and answer together, 0 = unknown."""
    max_output: int = 0
    input: float | None = None
    output: float | None = None
    cached: float | None = None
    """Price of prompt tokens read from a cache; None = as `input`."""
    written: float | None = None
    """Price of prompt tokens written into a cache; None = as `input`."""
    priced: str = ""
    """The day of these prices, ISO, where it is not the profile's: its provider has told them."""
    gone: bool = False
    """Its provider lists its models, and this one no longer."""
    abilities: tuple[str, ...] = ()
    """tools, vision, reasoning, audio, ..."""
    wire: WireName | Literal[""] = ""
    """The wire that this model is reached by, where it is not the profile's."""
    wires: tuple[WireName, ...] = ()
    """All wires by which its provider says that it can be reached, the best first; () = it does not say."""
    state: Literal["", "terms", "off"] = ""
    """Why it cannot be asked now: its own terms are not accepted yet, or it was switched off."""
    terms: str = ""
    """Those terms, in the provider's own words."""
    multiplier: float | None = None
    """How many of the plan's requests one request counts as; None = the provider does not say."""
    quirks: dict[str, Any] = {}
    """Fields of `Quirks` that differ from the profile's."""


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One provider or server. `base_url` ends where a wire's path (such as `/chat/completions`) begins."""

    name: str
    title: str = ""
    base_url: str = ""
    wire: WireName = "chat"
    """For models that name none of their own; `profiles.wire_for` tells."""
    key_names: tuple[str, ...] = ()
    """Environment variables that may hold the key, first match wins."""
    needs_key: bool = True
    key_header: str = "authorization"
    key_prefix: str = "Bearer "
    headers: dict[str, str] = {}
    body: dict[str, Any] = {}
    """Fields that go with every request."""
    tool_fields: dict[str, Any] = {}
    """Fields that go with every function of `tools`."""
    quirks: Quirks = Quirks()
    models: tuple[ModelData, ...] = ()
    model: str = ""
    """The model that is taken when only the profile is named."""
    images: ImageData | None = None
    """None: it makes no pictures, as far as is known."""
    window: int = 0
    """Tokens of window for models that are not listed."""
    connect: float = 0.0
    """Seconds to wait for the connection; below for the first byte and each next one; 0 = as for all."""
    first_byte: float = 0.0
    between: float = 0.0
    retries: int | None = None
    """How often to try again after 5xx and cut streams, and below after being told to wait; None = as for
    all.
    """
    rate_retries: int | None = None
    at_once: int = 0
    """Requests that may run at the same time in one process, 0 = any number; 1 holds for all processes of a
    home.
    """
    unattended: bool = True
    """May answer where nobody watches without having been picked for that."""
    sign_in: Literal["key", "copilot"] = "key"
    """How a person gets in: with a key, or by a sign-in with GitHub (`app.models.copilot`)."""
    github: str = ""
    """Copilot: where a person signs in, and below the programs' side of it; "" = of the setting's domain."""
    github_api: str = ""
    terms: str = ""
    """What a person has to know and agree to before the first use, in plain English; "" = nothing."""
    lists: bool = True
    """`/models` below the base URL says what there is."""
    leave_out: tuple[str, ...] = ()
    """Patterns of listed models that do not chat, where the list does not say so itself."""
    keyless: tuple[str, ...] = ()
    """Patterns of the models that answer without a key; () = all or none, as `needs_key` says."""
    hidden: bool = False
    """Its wire's data are here, and it cannot be signed in to yet: it is neither listed nor taken."""
    live: bool = False
    """A server of the person's own: its `/models` says what there is."""
    keys_page: str = ""
    """Where a person gets a key."""
    sends: str = ""
    """What is sent where, in one plain English sentence."""
    priced: str = ""
    """The day of the prices, ISO."""

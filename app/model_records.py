"""Frozen records of models, providers, what they cost and the sign-in with them, as front ends see them."""

from __future__ import annotations

from typing import Literal

from app.record import Record
from app.summary_records import Effort


class Usage(Record, kw_only=True):
    """Tokens of one or several model requests. `exact` is false when any of it is our own estimate."""

    input: int = 0
    """Prompt tokens, those read from a cache included."""
    output: int = 0
    """Answer tokens, reasoning included."""
    cached: int = 0
    written: int = 0
    reasoning: int = 0
    exact: bool = True

    def plus(self, other: Usage) -> Usage:
        """Return the sum; exact only when both are."""
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            written=self.written + other.written,
            reasoning=self.reasoning + other.reasoning,
            exact=self.exact and other.exact,
        )


class Spent(Record):
    """What a day or a session has used. `cost` in US dollars; `unpriced` counts the requests whose price is
    not known, `uncounted` the answers that broke off before anybody told what they used.
    """

    requests: int
    usage: Usage
    cost: float
    unpriced: int
    uncounted: int = 0

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.usage.input + self.usage.output


class Spending(Record, kw_only=True):
    """What a session has used, over all of its branches and with its helpers, and what all used today."""

    session: Spent
    today: Spent


class ModelInfo(Record, kw_only=True):
    """A model that can be picked. `name` is PROFILE/MODEL. Prices in US dollars per million tokens, None =
    unknown.
    """

    name: str
    profile: str
    model: str
    title: str = ""
    window: int = 0
    input_price: float | None = None
    output_price: float | None = None
    multiplier: float | None = None
    """How many of the plan's requests one request counts as."""
    priced: str = ""
    """The day of the prices, ISO; "" where they have none."""
    provider: str = ""
    """The profile's title."""
    abilities: tuple[str, ...] = ()
    efforts: tuple[Effort, ...] = ()
    """How much it can be asked to reason, beside as much as it likes."""
    gone: bool = False
    """Its provider listed its models a while ago, and this one no longer."""
    ready: bool = True
    """False when a key, a download or an agreement is missing."""
    why: str = ""
    """The code of the problem that it would be."""
    terms: str = ""
    """Terms of the model itself that wait for the person, in the provider's own words."""
    unattended: bool = True
    """May answer where nobody watches without having been picked for that."""


class ProfileInfo(Record, kw_only=True):
    """A named profile as the settings page shows it. `key` says where its key is: none, environment,
    keyring, file, not needed.
    """

    name: str
    title: str
    base_url: str
    key: Literal["none", "environment", "keyring", "file", "not needed"]
    sends: str = ""
    """What is sent where, one plain English sentence from the profile's data."""
    sign_in: Literal["key", "copilot"] = "key"
    """How a person gets in: with a key, or by a sign-in (`models.sign_in_way`)."""
    open_address: bool = False
    """What is sent there can be read on its way."""
    keyless: bool = False
    """A server of somebody else that answers without a key."""
    terms: str = ""
    """What a person has to know and agree to before the first use, in plain English; "" = nothing."""
    agreed: bool = True
    keys_page: str = ""
    """The web page where a key is made, "" where none is needed."""


class AccountInfo(Record, kw_only=True):
    """An account whose key tools use, such as GitHub. `key` says where it is: keyring, environment, file, gh
    (GitHub's own program), or "" for none.
    """

    name: str
    title: str
    page: str
    """The web page where a key is made."""
    about: str
    """What it is for, one plain English sentence."""
    key: str = ""


class LocalServer(Record, kw_only=True):
    """A model server that answers on this computer, under the profile that reaches it; `models` as it names
    them, empty when it has none yet.
    """

    profile: str
    title: str
    base_url: str
    models: tuple[str, ...] = ()
    wires: tuple[str, ...] = ()
    """Of a server by its address: the wires (chat, responses, messages) that it knows, the best first."""


class WeightsInfo(Record, kw_only=True):
    """Weights for the model in the app, and what a person agrees to before they are fetched. Sizes in
    bytes.
    """

    name: str
    title: str
    size: int
    license: str
    source: str
    sha256: str
    installed: bool
    note: str = ""


class SignInWay(Record, kw_only=True):
    """What a person needs to know before they sign in, and which ways there are."""

    profile: str
    title: str
    sends: str
    """What is sent where, one plain English sentence from the profile's data."""
    terms: str
    """What its terms say of programs such as this one, in plain English."""
    agreed: bool
    """The person has agreed to that."""
    client_id: str
    """The OAuth App of the person, "" where none is set."""
    host: str
    """Where they sign in, such as github.com."""
    apps_page: str
    """The page on which an OAuth App is made."""
    variable: str = ""
    """The variable of the environment that holds a token, "" where none does."""
    gh: bool = False
    """GitHub's own program is here, and may have a sign-in to take."""
    kept: str = ""
    """Where a token is: environment, keyring, file, or ""."""


class SignInCode(Record, kw_only=True):
    """A sign-in that has begun: the person enters `code` at `url` before `expires` (unix seconds)."""

    id: str
    profile: str
    code: str
    url: str
    expires: float


class SignedIn(Record, kw_only=True):
    """A sign-in that is done. `kept` is keyring, file or environment."""

    profile: str
    kept: str
    models: int = 0
    """How many models it opens, 0 when that could not be asked now."""


class QuotaRow(Record, kw_only=True):
    """What is left of one allowance. `kind` is the provider's word (chat,
    completions, premium_interactions).
    """

    kind: str
    entitlement: float = 0.0
    remaining: float = 0.0
    percent: float | None = None
    """Of it that is left."""
    unlimited: bool = False
    more: bool = False
    """Going on beyond it is allowed, and paid for."""


class Quota(Record, kw_only=True):
    """What is left of a plan."""

    plan: str = ""
    resets: str = ""
    """A date in ISO form, "" when it is not said."""
    rows: tuple[QuotaRow, ...] = ()

"""Frozen records of models, providers and the sign-in with them, as front ends see them."""

from __future__ import annotations

from typing import Literal

from app.record import Record


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
    abilities: tuple[str, ...] = ()
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


class LocalServer(Record, kw_only=True):
    """A model server that answers on this computer, under the profile that reaches it; `models` as it names
    them, empty when it has none yet.
    """

    profile: str
    title: str
    base_url: str
    models: tuple[str, ...] = ()


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

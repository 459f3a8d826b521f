"""What went wrong with a sign-in, a key or the way to a provider, in plain sentences: a part of
`ui.problems`.
"""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

SIGN_IN: dict[str, Row] = {
    "not_a_key": Row(
        L("This is no key: it is empty or holds other characters than letters, digits and signs."),
        L("Copy it again, in one line and without blanks. Nothing was kept."),
        "open_settings_key",
    ),
    "open_address": Row(
        L("What is sent to this server can be read on its way: its address begins with http, not https."),
        L("Write https if the server offers it. Until then your key and your messages travel unprotected."),
        "open_settings",
        L("What is sent to {host} can be read on its way: its address begins with http, not https."),
    ),
    "no_sign_in": Row(
        L("You are not signed in yet."),
        L("Sign in first, then send the message again. Nothing was sent."),
        "sign_in",
        L("You are not signed in to {title} yet."),
    ),
    "signed_out": Row(
        L("GitHub does not accept the sign-in any more."),
        L("It was taken back, or it has expired. Sign in again."),
        "sign_in",
    ),
    "terms_open": Row(
        L("You have not agreed yet to what the use of this provider means."),
        L("Read it where you sign in, and agree to it. Nothing was sent."),
        "sign_in",
        L("You have not agreed yet to what the use of {title} means."),
    ),
    "no_client_id": Row(
        L("Bramble has no client id for the sign-in with GitHub yet."),
        L(
            "Make an OAuth App in the developer settings of your GitHub account, with its device flow on. "
            "Give its client id to Bramble, or use the sign-in of gh or a token from the environment."
        ),
        "sign_in",
    ),
    "bad_client_id": Row(
        L("GitHub does not know this client id."),
        L("Copy it again from the page of your OAuth App."),
        "sign_in",
    ),
    "device_flow_off": Row(
        L("The device flow of this OAuth App is switched off."),
        L("Switch it on at the page of the app on GitHub, save, and sign in again."),
        "sign_in",
    ),
    "code_expired": Row(
        L("The code has run out before it was entered."),
        L("Begin again; the new code holds for about 15 minutes."),
        "sign_in",
    ),
    "code_denied": Row(
        L("The sign-in was turned down at GitHub."),
        L("Begin again if you did not mean that. Nothing was kept."),
        "sign_in",
    ),
    "code_refused": Row(
        L("GitHub did not go on with the sign-in."),
        L("Begin again. If it stays, check the client id and the address of GitHub in the settings."),
        "sign_in",
        L("GitHub did not go on with the sign-in ({why})."),
    ),
    "no_seat": Row(
        L("This GitHub account has no Copilot."),
        L("Get a plan for it, ask who manages it for a seat, or sign in with another account."),
        "sign_in",
    ),
    "app_refused": Row(
        L("GitHub lets this kind of sign-in not use Copilot."),
        L("A GitHub App is always refused. Make an OAuth App instead, and use its client id."),
        "sign_in",
    ),
    "forbidden_by_policy": Row(
        L("A rule of your organisation does not allow this use of Copilot."),
        L("Ask who manages Copilot there, or choose another model."),
        "pick_model",
    ),
    "no_gh": Row(
        L("There is no sign-in of gh to take."),
        L("Install GitHub's own program gh and run gh auth login, or sign in here."),
        "sign_in",
    ),
    "model_terms": Row(
        L("This model has terms of its own that you have not accepted yet."),
        L("Read them in the list of models and accept them, or choose another model."),
        "pick_model",
        L("{model} has terms of its own that you have not accepted yet."),
    ),
    "model_off": Row(
        L("This model is switched off for your account."),
        L("Who manages the account can switch it on. Choose another model."),
        "pick_model",
        L("{model} is switched off for your account."),
    ),
}

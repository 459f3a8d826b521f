"""What went wrong between us and a model, with keys, sign-in and budgets, as rows of `ui/problems.py`."""

from __future__ import annotations

from ui.context_problems import CONTEXT
from ui.language import later as L
from ui.problem import Row

MODELS: dict[str, Row] = {
    **CONTEXT,
    "no_model": Row(
        L("No model is chosen yet."),
        L("Choose a model, or sign in to a provider, and send the message again. Nothing was sent."),
        "pick_model",
    ),
    "no_key": Row(
        L("There is no key for this model yet."),
        L("Enter the key of your account. It is kept in the keyring of this computer. Your message is kept."),
        "open_settings_key",
        L("There is no key for {profile} yet."),
    ),
    "bad_key": Row(
        L("The provider did not accept the key."),
        L("Check that the key is whole and still valid, then enter it again."),
        "open_settings_key",
        L("{profile} did not accept the key."),
    ),
    "unusable_key": Row(
        L("The key holds a line break or another sign that no key has, so it was not sent."),
        L("Copy the key again, whole and in one line, and enter it."),
        "open_settings_key",
    ),
    "no_credit": Row(
        L("The account has no credit left."),
        L("Add credit at the provider, or choose another model."),
        "pick_model",
        L("The account at {profile} has no credit left."),
    ),
    "no_network": Row(
        L("The model could not be reached."),
        L("Check the connection and the address of the server, then run it again. Your message is kept."),
        "run_again",
        L("{host} could not be reached."),
    ),
    "rate_limit": Row(
        L("The provider asks to wait: too many requests for now."),
        L("Wait that long and run it again, or choose another model. Your message is kept."),
        "wait",
        L("The provider asks to wait {time}: too many requests for now."),
    ),
    "rate_limit_other": Row(
        L("The provider asks to wait: too many requests for now."),
        L("Wait that long and run it again, or let the other model of your settings answer. All is kept."),
        "use_fallback",
        L("The provider asks to wait. {fallback} can answer instead."),
    ),
    "server_error": Row(
        L("The model's server had an error of its own."),
        L("Run it again in a moment, or choose another model. Your message is kept."),
        "run_again",
        L("The model's server had an error of its own ({status})."),
    ),
    "overloaded": Row(
        L("The model's server has too much to do for now."),
        L("Run it again in a moment, or choose another model. Your message is kept."),
        "run_again",
    ),
    "web_page": Row(
        L("The server sent a web page in place of an answer."),
        L("If your network asks for a sign-in, open any page in your browser first. Else check the address."),
        "open_settings",
        L("{host} sent a web page in place of an answer."),
    ),
    "no_endpoint": Row(
        L("The server does not know the address that was asked."),
        L("Check its address in the settings, and by which protocol (wire) it speaks. Your message is kept."),
        "open_settings",
        L("{host} does not know the address {path}."),
    ),
    "bad_reply": Row(
        L("The server answered with something that is no answer of a model."),
        L("Check that the address of the server is right; it often ends in /v1."),
        "open_settings",
        L("{host} answered with something that is no answer of a model."),
    ),
    "empty_answer": Row(
        L("The model ended without a word."),
        L("Run it again, or choose another model. Your message is kept."),
        "run_again",
    ),
    "endless": Row(
        L("The answer went on and on, so Bramble stopped reading it."),
        L("What arrived is kept. Ask for less at once, or choose another model."),
        "run_again",
    ),
    "cut_stream": Row(
        L("The answer broke off before its end."),
        L("What arrived is kept and marked. No half-received call was run. Run it again."),
        "run_again",
    ),
    "stalled": Row(
        L("The model sent nothing for a long time, so Bramble stopped waiting."),
        L("What arrived is kept. Run it again, or choose another model."),
        "run_again",
    ),
    "overflow": Row(
        L("The conversation is longer than this model can read."),
        L("Start a new conversation, or choose a model with a larger window."),
        "new_session",
    ),
    "pictures_refused": Row(
        L("The provider refused a picture, so the answer was made without pictures."),
        L("Choose a model that takes pictures, or attach a smaller one."),
        "pick_model",
        L("{profile} refused a picture, so the answer was made without pictures."),
    ),
    "region_refused": Row(
        L("The provider does not answer people where you are."),
        L("Choose a model of another provider. Your message is kept."),
        "pick_model",
        L("{profile} does not answer people where you are."),
    ),
    "effort_refused": Row(
        L("The model refused to be asked for reasoning, so the answer was made without that."),
        L("It is left out for this model from now on; /effort tries it again."),
        "none",
        L("{model} refused to be asked for “{effort}” reasoning, so the answer was made without that."),
    ),
    "unsupported": Row(
        L("This model or server does not offer what was asked of it."),
        L("Choose another model. Your message is kept."),
        "pick_model",
        L("This model or server does not offer {feature}."),
    ),
    "model_gone": Row(
        L("The provider does not have this model, or no longer."),
        L("Choose another model and send the message again. Your message is kept."),
        "pick_model",
        L("{host} does not have the model {model}, or no longer."),
    ),
    "proxy_failed": Row(
        L("The proxy did not let the request through."),
        L("Check the proxy of the settings or of the environment, then run it again. Your message is kept."),
        "open_settings",
        L("The proxy {proxy} did not let the request through."),
    ),
    "content_refused": Row(
        L("The provider's filter did not let this through."),
        L("Say it in other words, or choose another model."),
        "pick_model",
    ),
    "tls": Row(
        L("The connection is not secure: the server's certificate was not accepted."),
        L(
            "Check the address and the clock of this computer. For a server of your own, name the file of "
            "its certificate in the settings (ca_file). Nothing was sent."
        ),
        "open_settings",
        L("The connection to {host} is not secure: its certificate was not accepted."),
    ),
    "no_profile": Row(
        L("There is no provider with this name."),
        L("Choose one from the list of models."),
        "pick_model",
        L("There is no provider named {profile}."),
    ),
    # --- the model in the app
    "local_missing": Row(
        L("The model for this computer is not installed yet."),
        L("It can be fetched once and then works without a network and without a key."),
        "install_local",
    ),
    "local_failed": Row(
        L("The model on this computer did not start."),
        L("Run it again. If it stays, choose another model."),
        "run_again",
    ),
    "needs_consent": Row(
        L("Bramble needs your agreement first."),
        L("Read what would be done, and agree to it. Nothing has been done yet."),
        "open_settings",
    ),
    "download_failed": Row(
        L("The download did not come through."),
        L("Run it again; it goes on where it stopped."),
        "run_again",
        L("The download of {name} did not come through."),
    ),
    "hash_mismatch": Row(
        L("The downloaded file is not the one that was expected, so it was thrown away."),
        L("Run it again. If it stays, the file was changed at its source."),
        "run_again",
    ),
    "budget": Row(
        L("The spending limit that you set is reached, so the turn ended here."),
        L(
            "Raise it in the settings. A limit of a turn begins anew with your next message, that of a "
            "day tomorrow."
        ),
        "open_settings",
    ),
    "no_price": Row(
        L("The price of this model is not known, so your spending limit cannot be kept."),
        L("Tokens are counted all the same. Set a limit in tokens instead."),
        "open_settings",
    ),
}

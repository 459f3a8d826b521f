"""What goes wrong with services, search engines, pages in a browser and pictures, in plain sentences."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

SERVICES: dict[str, Row] = {
    "no_account": Row(
        L("This needs a sign-in."),
        L("Sign in with `bramble login {account}`, or put a token into the environment."),
        "none",
    ),
    "account_refused": Row(
        L("The sign-in was refused."),
        L("The token may have expired, or lack the right for this. Sign in again with one that has it."),
        "none",
    ),
    "service_missing": Row(
        L("The service has nothing there."),
        L("Look whether the name is written right. What a sign-in may not see looks the same."),
        "none",
    ),
    "service_limited": Row(
        L("The service takes no more requests for now."), L("Wait a while and try again."), "none"
    ),
    "service_failed": Row(L("The service gave no answer that can be used."), L("Try again later."), "none"),
    "no_engine": Row(
        L("No search engine can answer this."),
        L("Search without a span of time or a site, or set up an engine that knows them."),
        "none",
    ),
    "bad_expression": Row(
        L("What should be taken out of the page cannot be read."),
        L("It must be CSS or XPath."),
        "none",
    ),
    "not_rendered": Row(L("The browser could not show the page."), L("Try again."), "none"),
    "no_image_model": Row(
        L("No model that makes pictures is set up."),
        L("Enter a key of a provider that makes pictures, such as OpenAI, or set image_model."),
        "none",
    ),
}

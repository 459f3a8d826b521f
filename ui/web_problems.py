"""What went wrong with a request to the web, in plain sentences: a part of `ui.problems`."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

WEB: dict[str, Row] = {
    "bad_address": Row(L("This web address cannot be used."), L("Look whether it is written right."), "none"),
    "private_address": Row(
        L("This address is one of your own network or none of a public host, so nothing was sent."),
        L("Name the host and port yourself, or save a rule for it, if you want it to be reached."),
        "show_rules",
        L("{host} stands at {address}, which no public host has, so nothing was sent."),
    ),
    "no_host": Row(
        L("There is no such host."),
        L("Look whether the address is written right, and whether this computer is online."),
        "none",
        L("There is no host {host}."),
    ),
    "no_answer": Row(
        L("The host gave no answer that can be used."),
        L("Try again later."),
        "none",
        L("{host} gave no answer that can be used: {why}."),
    ),
    "tls_failed": Row(
        L("No safe connection could be made."),
        L("Do not send anything there. The owner of the site can mend its certificate."),
        "none",
        L("No safe connection to {host}: {why}."),
    ),
    "timed_out": Row(
        L("The host took too long to answer."),
        L("Try again later."),
        "none",
        L("{host} took too long to answer."),
    ),
    "too_many_redirects": Row(
        L("The site sends from address to address without an end."), L("Try another address."), "none"
    ),
    "cut_body": Row(L("The answer broke off or is damaged."), L("Try again."), "none"),
    "wrong_kind": Row(L("This is no page that can be read."), L("Ask for it as a file instead."), "none"),
    "unreadable": Row(L("The page cannot be read."), L("Ask for it as a file and open it yourself."), "none"),
}

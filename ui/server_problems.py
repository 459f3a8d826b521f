"""What went wrong with MCP servers and their registry, in plain sentences: a part of `ui.problems`."""

from __future__ import annotations

from ui.language import later as L
from ui.problem import Row

SERVERS: dict[str, Row] = {
    "no_server": Row(
        L("There is no such server."),
        L("Look at the list of servers."),
        "show_servers",
        L("There is no server {server}."),
    ),
    "server_exists": Row(
        L("There is a server of this name already."),
        L("Choose another name, or remove that server first."),
        "show_servers",
        L("There is a server {server} already."),
    ),
    "bad_server": Row(
        L("The server cannot be used as it is written."),
        L("Correct it, or remove it and add it again."),
        "show_servers",
        L("The server {server} cannot be used: {why}"),
    ),
    "bad_servers": Row(
        L("The file of servers cannot be read, so no server is started."),
        L("Correct it, or rename it to start without servers. It was left as it is."),
        "show_servers",
        L("The file of servers cannot be read, so no server is started: {why}"),
    ),
    "servers_busy": Row(
        L("Another process is changing the servers just now, so nothing was changed."),
        L("Run it again."),
        "run_again",
    ),
    "server_changed": Row(
        L("The server is not what was shown any more, so nothing was approved."),
        L("Look at it again before you approve it."),
        "show_servers",
    ),
    "server_failed": Row(
        L("The server could not do it."),
        L("Look at what it wrote, or start it again."),
        "show_servers",
        L("The server {server} could not do it: {why}"),
    ),
    "sign_in_failed": Row(
        L("The sign-in did not work."),
        L("Try again."),
        "show_servers",
        L("The sign-in to {server} did not work: {why}"),
    ),
    "registry_unreachable": Row(
        L("The registry of servers cannot be reached."),
        L("Check the network. A server can be added by its command or address without the registry."),
        "run_again",
        L("The registry of servers at {host} cannot be reached."),
    ),
    "registry_failed": Row(
        L("The registry of servers did not answer as it should."),
        L("That says nothing about what it holds. Run it again later, or add the server by its command."),
        "run_again",
    ),
    "install_failed": Row(
        L("The package could not be installed. Nothing of it was kept."),
        L("Read what was said below. A network, or free space, may be missing."),
        "run_again",
        L("{package} could not be installed. Nothing of it was kept."),
    ),
}

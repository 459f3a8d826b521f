"""Words about the next request for both front ends: its parts, why a tool is in it, why it began anew."""

from __future__ import annotations

from app.records import ContextReport, FixtureFault, LoadedTool, LookupCounts
from ui.amounts import money, tokens
from ui.language import _, later as L, plural

PARTS = {
    "frame": L("Frame of the request"),
    "system": L("Instructions"),
    "catalogue": L("Catalogue of tools"),
    "skills": L("Skills"),
    "tools": L("Tools"),
    "deferred": L("Tools not loaded, sent along"),
    "memory": L("Memory"),
    "conversation": L("Conversation"),
    "files": L("Attached files"),
    "now": L("Time, folder and news"),
    "recalled": L("Recalled from memory"),
    "instructions": L("Project instructions"),
    "tool results": L("Tool results"),
}
WHY = {
    "core": L("always on"),
    "pinned": L("always on, by your choice"),
    "words": L("chosen by your words"),
    "found": L("found by: {words}"),
    "called": L("was called: {words}"),
    "joined": L("joined the list of tools"),
}
ANEW = {
    "first": L("the first request"),
    "mode": L("another mode"),
    "settings": L("other tools always on"),
    "model": L("another model"),
    "joined": L("a tool joined the list"),
    "picture": L("a picture was refused"),
    "words": L("tools chosen anew for each message"),
    "summary": L("earlier messages were summarised"),
}
FAULTS = {
    "no_object": L("is no object"),
    "no_server": L("names no server"),
    "no_name": L("has no name"),
    "same_name": L("has the name of an earlier one of its server"),
    "too_many": L("is beyond what one server may bring"),
    "clash": L("has the name of another tool"),
    "schema_broken": L("has a schema that cannot be used; it is taken without one"),
    "schema_large": L("has a schema that is too long; it is taken shortened"),
}


def part_name(name: str) -> str:
    """Return the words for a part of the request."""
    return _(PARTS[name]) if name in PARTS else name.replace("_", " ").capitalize()


def why_loaded(tool: LoadedTool) -> str:
    """Return why a tool is in the request."""
    return _(WHY[tool.why]).replace("{words}", tool.words or tool.name)


def anew_text(why: str) -> str:
    """Return why requests began anew."""
    return _(ANEW[why]) if why in ANEW else why


def saving_lines(found: ContextReport) -> list[str]:
    """Return what caching saved and how often requests began anew, a sentence a line."""
    lines, saved = [], found.caching
    if saved.requests:
        words = _("Of {all} sent so far, {cached} came from the provider's cache.")
        lines.append(words.replace("{all}", tokens(saved.input)).replace("{cached}", tokens(saved.cached)))
    if saved.money:
        lines.append(_("That saved {amount}.").replace("{amount}", money(saved.money)))
    begun = sum(use.count for use in found.prefixes)
    if begun > 1:
        why = ", ".join(f"{anew_text(use.why)} {use.count}" for use in found.prefixes if use.why != "first")
        words = plural("The requests began {n} time:", "The requests began {n} different ways:", begun)
        lines.append(f"{words} {why}.")
    if found.anew:
        lines.append(_("The next request begins anew, so all of it is paid for in full once."))
    return lines


def fault_text(fault: FixtureFault) -> str:
    """Return what is wrong with one entry of a file of tools."""
    where = _("Entry {n}").replace("{n}", str(fault.entry)) if fault.entry else ""
    name = ".".join(filter(None, (fault.server, fault.name)))
    return " ".join(filter(None, (where, f"({name})" if name else "", _(FAULTS[fault.code])))) + "."


def searches_text(counts: LookupCounts) -> str:
    """Return what came of all searches for tools in one sentence."""
    if not counts.searched:
        return _("No model has searched for a tool here yet.")
    words = plural(
        "{searched} search for a tool, {missed} of them found none.",
        "{searched} searches for a tool, {missed} of them found none.",
        counts.searched,
    )
    return words.replace("{searched}", f"{counts.searched:,}").replace("{missed}", f"{counts.missed:,}")

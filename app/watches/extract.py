"""What a watch looks at in what was fetched: text to compare, or a value; else the named reason why there is
none.

Meant for a process of its own: pages and expressions may run for ever.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from app.documents.charsets import Form, decode
from app.documents.failing import Unreadable
from app.documents.fields import BadExpression, elements, is_xpath, take
from app.documents.kinds import kind_of
from app.documents.web_feeds import is_feed, read_feed
from app.documents.web_html import parse, plain, read_html
from app.documents.web_pages import Given, form_of, is_binary, read
from app.watch_records import Look, Seen, SeenWhy
from app.watches import json_path
from app.watches.amounts import written
from app.watches.noise import lines_of
from app.watches.pruning import without_banners, without_links
from app.watches.walls import Front, by_status, wall

MOST_TEXT = 1_000_000
"""Characters that are kept and compared."""
MOST_MATCHES = 5_000


class Fetched(NamedTuple):
    """What came: the address that was asked for, where it was found, the media type and charset that the
    server named, and whether the body broke off at its cap.
    """

    asked: str
    url: str
    status: int
    media: str
    charset: str
    body: bytes
    cut: bool = False


def see(fetched: Fetched, look: Look) -> Seen:
    """Return what a watch sees. Never raises for what came: that is a state of what is seen."""
    if fetched.cut:
        return _failed("too_large", f"more than {len(fetched.body):,} bytes")
    failure = by_status(fetched.status)
    if not fetched.body.strip():
        return failure or Seen(state="empty", why="empty")
    form, text = _decoded(fetched)
    if form == "html" and not is_feed(text):
        return _see_page(fetched, look, text)
    if failure is not None:
        return failure
    try:
        return _see_other(fetched, look, form, text)
    except BadExpression as error:
        return _failed("bad_expression", str(error))
    except Unreadable as error:
        why: SeenWhy = "wrong_kind" if error.why == "unknown" else "unreadable"
        return _failed(why, error.detail)


def _decoded(fetched: Fetched) -> tuple[Form, str]:
    """Return how the body is written, and its text, "" where it is none."""
    if kind_of(fetched.body) not in ("text", "html") or is_binary(fetched.body, _given(fetched)):
        return "text", ""
    form = form_of(fetched.body, _given(fetched))
    return form, decode(fetched.body, fetched.charset, form)[0]


def _given(fetched: Fetched) -> Given:
    return Given(fetched.url, fetched.media, fetched.charset, fetched.cut)


def _see_other(fetched: Fetched, look: Look, form: Form, text: str) -> Seen:
    """Return what is seen in what is no page: a feed, JSON, XML, plain text, a document."""
    if look.kind == "feed" or (look.kind == "text" and text and is_feed(text)):
        return _feed(text, fetched.url)
    if form == "json" and look.kind in ("text", "json_path"):
        return _json(text, look)
    if form == "xml" and look.kind in ("css", "xpath"):
        return _selected(text, fetched.url, look)
    if look.kind not in ("text", "regex"):
        return _failed("wrong_kind", f"{fetched.media or 'of no named kind'}")
    found = read(fetched.body, _given(fetched))
    shown = Seen(text=_joined(found.text), title=found.title, language=found.language)
    return _matches(shown, look.expression) if look.kind == "regex" else _with_text(shown)


def _see_page(fetched: Fetched, look: Look, markup: str) -> Seen:
    tree = parse(markup)
    if tree is None:
        return Seen(state="empty", why="empty")
    page = Seen(title=_title(tree), language=str(tree.get("lang") or "")[:20])
    banner = without_banners(tree)
    without_links(tree)
    text = _joined(plain(tree)) or _joined(read_html(markup, fetched.url).text)
    password, beside = _password(tree, text)
    before = wall(
        Front(fetched.status, fetched.asked, fetched.url, page.title, text, markup, password, beside)
    )
    if before is not None:
        return msgspec.structs.replace(before, title=page.title)
    try:
        seen = _looked(fetched, look, markup, tree, msgspec.structs.replace(page, text=text))
    except BadExpression as error:
        return _failed("bad_expression", str(error))
    if seen.state == "ok" or text:
        return seen
    return _nothing(page, banner=banner, scripts="<script" in markup[:400_000].lower())


def _password(tree: Any, text: str) -> tuple[bool, int]:
    """Return whether a page asks for a password, and how much text it has outside the form that does."""
    fields = tree.xpath("//input[@type='password']")
    forms = {form for field in fields for form in field.iterancestors("form")}
    return bool(fields), len(text) - sum(len(" ".join(form.text_content().split())) for form in forms)


def _nothing(page: Seen, *, banner: bool, scripts: bool) -> Seen:
    """Return why a page has no text: behind a banner, made by its scripts, or really none."""
    if banner:
        return Seen(state="blocked", why="consent", title=page.title)
    return Seen(state="empty", why="needs_script" if scripts else "empty", title=page.title)


def _looked(fetched: Fetched, look: Look, markup: str, tree: Any, page: Seen) -> Seen:
    """Return what is looked at of a page that was the one that was meant; `page` has all of its text."""
    if look.kind in ("price", "stock"):
        return _offer(look, markup, tree, page)
    if look.kind in ("feed", "json_path"):
        named = read_html(markup, fetched.url).feed if look.kind == "feed" else ""
        return _failed("wrong_kind", f"a page, whose feed is {named}" if named else "a page")
    if look.kind in ("css", "xpath"):
        found = _selected(_pruned(markup, look.without), fetched.url, look)
        return msgspec.structs.replace(found, title=page.title, language=page.language)
    if look.without:
        _take_out(tree, look.without)
        page = msgspec.structs.replace(page, text=_joined(plain(tree)))
    return _matches(page, look.expression) if look.kind == "regex" else _with_text(page)


def _offer(look: Look, markup: str, tree: Any, page: Seen) -> Seen:
    from app.watches.offers import price_in, stock_in
    from app.watches.schema_org import told

    whole = parse(markup, hidden=True)
    _take_out(whole, look.without)
    _take_out(tree, look.without)
    metadata = told(whole, _names(whole), page.language)
    if look.kind == "stock":
        stock = stock_in(tree, metadata)
        return msgspec.structs.replace(page, text=stock, value=stock)
    price = price_in(tree, metadata, page.language)
    if price is None:
        return _failed("no_price")
    value = written(price.number)
    text = f"{value} {price.currency}".rstrip()
    return msgspec.structs.replace(page, text=text, value=value, currency=price.currency)


def _selected(markup: str, url: str, look: Look) -> Seen:
    """Return the text of what a selector finds, a line for each block. Raises BadExpression."""
    expression = look.expression.strip()
    if not expression:
        raise BadExpression("There is no selector.")
    attribute = not is_xpath(expression) and re.search(r"@[A-Za-z_][\w:.-]*\Z", expression)
    found = None if attribute else take(markup, url, expression, ())
    text = found.text if found is not None else ""
    if found is None or not found.total:
        values = take(markup, url, "", [expression]).rows[0][0] if attribute or is_xpath(expression) else ()
        if not values:
            return _failed("no_match", expression[:200])
        text = "\n".join(values)
    return _with_text(Seen(text=_joined(text)))


def _matches(page: Seen, expression: str) -> Seen:
    """Return a line for each match: its groups where it has some. Raises BadExpression."""
    try:
        pattern = re.compile(expression, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadExpression(f"{expression!r} is no regular expression: {error}") from None
    lines: list[str] = []
    for found in pattern.finditer(page.text):
        lines.append(" ".join(part for part in found.groups() if part) or found[0])
        if len(lines) == MOST_MATCHES:
            break
    if not any(line.strip() for line in lines):
        return _failed("no_match", expression[:200])
    return msgspec.structs.replace(page, text=_joined("\n".join(lines)))


def _feed(text: str, url: str) -> Seen:
    """Return the entries of a feed by title, link and id: dates and the order of the file are no matter."""
    found = read_feed(text, url)
    lines = []
    for entry in found.entries:
        named = entry.id if entry.id and entry.id != entry.link else ""
        parts = (" ".join(entry.title.split()), entry.link, f"[{named}]" if named else "")
        lines.append(" ".join(filter(None, parts)))
    return Seen(text=_joined("\n".join(sorted(set(lines)))), title=found.title)


def _json(text: str, look: Look) -> Seen:
    """Return JSON with its keys in order, or what a path finds in it, a line for each."""
    try:
        value = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        return _failed("unreadable", str(error)[:200])
    if look.kind == "text":
        return _with_text(Seen(text=_joined(_pretty(value))))
    found = json_path.find(value, look.expression)
    if not found:
        return _failed("no_match", look.expression[:200])
    number = found[0] if len(found) == 1 else None
    plain_number = isinstance(number, (int, Decimal)) and not isinstance(number, bool)
    shown = "\n".join(one if isinstance(one, str) else _pretty(one) for one in found)
    return Seen(
        text=_joined(shown), value=written(Decimal(number)) if plain_number and number is not None else ""
    )


def _pretty(value: Any) -> str:
    if isinstance(value, Decimal):
        return written(value)
    try:
        return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, default=float)
    except (RecursionError, OverflowError):
        return str(value)[:MOST_TEXT]


def _pruned(markup: str, without: tuple[str, ...]) -> str:
    if not without:
        return markup
    from lxml import etree

    tree = parse(markup, hidden=True)
    _take_out(tree, without)
    return str(etree.tostring(tree, encoding="unicode", method="html"))


def _take_out(tree: Any, without: tuple[str, ...]) -> None:
    """Take out of a tree what a person does not want to see. Raises BadExpression."""
    for expression in without:
        for one in elements(tree, expression):
            if one.getparent() is not None:
                one.drop_tree()


def _title(tree: Any) -> str:
    return next((" ".join(one.text_content().split())[:300] for one in tree.iter("title")), "")


def _names(tree: Any) -> str:
    """Return what a page calls itself: its title, its headings and what it tells of itself, folded."""
    heads = [one.text_content() for one in tree.iter("title", "h1")]
    heads += [one.get("content") or "" for one in tree.iter("meta") if one.get("property") == "og:title"]
    return " ".join(" ".join(heads)[:3_000].split()).casefold()


def _with_text(seen: Seen) -> Seen:
    if seen.text:
        return seen
    return Seen(state="empty", why="empty", title=seen.title)


def _joined(text: str) -> str:
    return "\n".join(lines_of(text))[:MOST_TEXT]


def _failed(why: SeenWhy, detail: str = "") -> Seen:
    return Seen(state="error", why=why, detail=detail)

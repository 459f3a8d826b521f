"""What is looked at: text, selections, JSON, feeds; and the named failures of what cannot be looked at."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings, strategies as st

from app.capabilities.files_work import in_process
from app.watch_records import Look, Noise, Seen
from app.watches.compare import difference_of
from app.watches.extract import Fetched, see
from tests.watches import pages
from tests.watches.pages import STORY, fetched, page

TEXT = Look()


def css(expression: str, *without: str) -> Look:
    return Look(kind="css", expression=expression, without=without)


def test_the_whole_text_without_what_nobody_reads() -> None:
    seen = see(
        fetched(
            page(
                f"{pages.BANNER}{pages.ADVERT}<nav><a href='/?sid=1'>Home</a></nav><h1>The  lamp</h1>"
                "<p style='display:none'>hidden</p><script>var n = 1</script><p>It&nbsp;glows.\u200b</p>"
            )
        ),
        TEXT,
    )
    assert seen == Seen(text="Home\n# The lamp\nIt glows.", title="The lamp", language="en")


def test_banners_ads_tokens_and_blanks_are_no_change() -> None:
    old = page("<p>One</p><a href='https://shop.example/?s=1'>Two</a><script nonce=a1>1</script>")
    new = page(
        f"{pages.BANNER}{pages.ADVERT}<p>\n One\u00a0 </p><a href='https://shop.example/?s=2'>Two</a>"
        "<script nonce=b2>2</script>"
    )
    assert see(fetched(old), TEXT) == see(fetched(new), TEXT)


@pytest.mark.parametrize(
    "banner",
    [
        "<p>We use cookies to improve. <button>Accept all</button></p>",
        "<div class='x1'><p>Wir nutzen Cookies.</p><div><a>Mehr</a><a>Akzeptieren</a></div></div>",
        "<div class=cookie>This site uses cookies.</div>",
        "<div id='CybotCookiebotDialog'>Cookies?</div>",
        "<aside class='my-cookie-notice-bottom'>Cookies!</aside>",
    ],
)
def test_a_banner_is_known_by_its_name_or_its_words(banner: str) -> None:
    assert see(fetched(page(f"<p>Bread 2 €</p>{banner}")), TEXT).text == "Bread 2 €"


def test_a_class_that_sounds_like_a_banner_does_not_empty_a_page() -> None:
    seen = see(fetched(page(f"<div class='advert'><p>{STORY}</p></div><p>End</p>")), TEXT)
    assert STORY in seen.text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (".price", "19.99 €"),
        ("ul > li", "a\nb"),
        ("meta[name=v]@content", "7"),
        ("//ul/li[2]", "b"),
        ("//meta[@name='v']/@content", "7"),
        ("count(//li)", "2"),
        ("string(//h1)", "Head"),
    ],
)
def test_selections(expression: str, text: str) -> None:
    markup = page(
        "<h1>Head</h1><p class=price>19.99&nbsp;€</p><ul><li>a<li>b</ul>", "<meta name=v content=7>"
    )
    kind = "xpath" if expression.startswith(("/", "count", "string")) else "css"
    assert see(fetched(markup), Look(kind=kind, expression=expression)).text == text  # type: ignore[arg-type]


def test_what_is_left_out_goes_first() -> None:
    markup = page("<div id=m><p>Keep</p><p class=clock>12:01</p></div>")
    assert see(fetched(markup), css("#m", ".clock")).text == "Keep"
    assert see(fetched(markup), Look(without=("//p[@class='clock']",))).text == "Keep"


@pytest.mark.parametrize(
    ("look", "state", "why"),
    [
        (css(".gone"), "error", "no_match"),
        (css("p["), "error", "bad_expression"),
        (css(""), "error", "bad_expression"),
        (css("p", "p["), "error", "bad_expression"),
        (Look(kind="xpath", expression="//p["), "error", "bad_expression"),
        (Look(kind="regex", expression="(unclosed"), "error", "bad_expression"),
        (Look(kind="regex", expression="nothing like it"), "error", "no_match"),
        (Look(kind="json_path", expression="$.a"), "error", "wrong_kind"),
        (Look(kind="feed"), "error", "wrong_kind"),
        (Look(kind="price"), "error", "no_price"),
        (css("#void"), "empty", "empty"),
    ],
)
def test_what_finds_nothing_is_a_failure_with_a_name(look: Look, state: str, why: str) -> None:
    seen = see(fetched(page("<p>Hello there</p><b id=void></b>")), look)
    assert (seen.state, seen.why, seen.text) == (state, why, "")


@pytest.mark.parametrize(
    ("body", "status", "state", "why"),
    [
        (pages.CLOUDFLARE, 200, "blocked", "bot_wall"),
        (pages.CLOUDFLARE, 403, "blocked", "bot_wall"),
        (pages.CLOUDFLARE, 503, "blocked", "bot_wall"),
        (pages.AKAMAI, 403, "blocked", "bot_wall"),
        (pages.CAPTCHA, 200, "blocked", "captcha"),
        (pages.LOGIN, 200, "blocked", "login"),
        (pages.LOGIN, 401, "blocked", "login"),
        (pages.CONSENT, 200, "blocked", "consent"),
        (page(pages.BANNER), 200, "blocked", "consent"),
        (pages.APP_SHELL, 200, "empty", "needs_script"),
        (pages.NOSCRIPT, 200, "empty", "needs_script"),
        (pages.MAINTENANCE, 200, "error", "maintenance"),
        (pages.MAINTENANCE, 503, "error", "server_error"),
        (pages.SOFT_404, 200, "error", "gone"),
        (page("<p>Hello"), 404, "error", "gone"),
        (page("<p>Hello"), 429, "error", "too_many_requests"),
        (page("<p>Hello"), 500, "error", "server_error"),
        (page("<p>Hello"), 302, "error", "bad_status"),
        ("", 200, "empty", "empty"),
        (" \r\n ", 200, "empty", "empty"),
        (page(" "), 200, "empty", "empty"),
        ("", 429, "error", "too_many_requests"),
    ],
)
def test_walls_errors_and_empty_pages_have_names(body: str, status: int, state: str, why: str) -> None:
    seen = see(fetched(body, status=status), TEXT)
    assert (seen.state, seen.why, seen.text) == (state, why, "")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("<h1>Access denied</h1><p>Please complete the CAPTCHA to continue.</p>", "captcha"),
        ("<h1>Robot or human?</h1><p>Hold the button to confirm that you're human.</p>", "captcha"),
        ("<div class='h-captcha'></div>", "captcha"),
        ("<p>Please verify you are a human</p>", "bot_wall"),
        ("<h1>Are you a robot?</h1>", "bot_wall"),
        ("<h1>Please enable cookies.</h1><h2>Sorry, you have been blocked</h2>", "bot_wall"),
        ("<iframe src='https://geo.captcha-delivery.com/x'></iframe>", "bot_wall"),
        ("<h1>Please log in</h1><p>You must log in to see this page.</p>", "login"),
        ("<h1>503 Service Unavailable</h1>", "server_error"),
        ("<h1>502 Bad Gateway</h1><hr><center>nginx</center>", "server_error"),
        ("<h1>Page not found</h1>", "gone"),
        ("<p>Too many requests</p>", "too_many_requests"),
        ("<p>Loading...</p><script src=a.js></script>", "needs_script"),
    ],
)
def test_a_page_that_is_only_a_message_is_no_content(body: str, why: str) -> None:
    seen = see(fetched(f"<html><body>{body}</body></html>"), TEXT)
    assert (seen.state != "ok", seen.why, seen.text) == (True, why, "")


def test_a_redirect_to_a_sign_in_or_consent_page_is_no_content() -> None:
    body = page(f"<p>{STORY}</p><input type=password>", title="Welcome")
    assert see(fetched(body, url="https://shop.example/account/login?next=/lamp"), TEXT).why == "login"
    assert see(fetched(body, url="https://consent.example/m?continue=x"), TEXT).why == "consent"


@pytest.mark.parametrize(
    "body",
    [
        page(f"<p>{STORY}</p><form><div class=g-recaptcha></div>I am not a robot</form>", title="Contact"),
        page(f"<p>{STORY}</p><form><input type=password></form>", title="The lamp"),
        page("<h1>How to log in</h1><p>First open the app, then press the button.</p>", title="Help"),
        page("<p>The lamp is temporarily unavailable.</p>"),
        page("<p>Status: 3 incidents. Incident ID 12.</p>", title="Status"),
        page(f"<h1>How we enable JavaScript</h1><p>{STORY}</p>"),
        page("<h1>Captcha</h1><p>A captcha tells people from machines.</p>", title="Encyclopedia"),
        page("<h1>Rates</h1><p>The rate limit is 60 a minute.</p>", title="API"),
        page("<p>Chapter 404</p><p>And 503 more of them.</p>", title="Book"),
        page("<p>We use cookies. <a>Privacy</a></p><p>Bread 2 €</p><p>Butter 3 €</p>"),
        page(
            "<form><input type=password><button>Sign in</button></form>" + "<p>Bread and butter 2 €</p>" * 9
        ),
        page("<p>We serve bread with butter and cheese.</p><footer>Accept cookies in our shop</footer>" * 5),
    ],
)
def test_pages_that_only_speak_of_such_things_are_content(body: str) -> None:
    assert see(fetched(body), TEXT).state == "ok"


def test_what_broke_off_or_is_binary_is_a_failure() -> None:
    assert see(fetched(page("<p>Hello"), cut=True), TEXT).why == "too_large"
    assert see(fetched(b"\x89PNG\r\n\x1a\n" + bytes(100), "image/png"), TEXT).why == "wrong_kind"
    assert see(fetched(bytes(range(32)) * 50, "text/html"), TEXT).state == "error"


def test_a_regular_expression_gives_its_groups() -> None:
    markup = page("<p>Version 1.2 of 3 May</p><p>Version 1.3 of 4 June</p>")
    assert see(fetched(markup), Look(kind="regex", expression=r"Version (\S+)")).text == "1.2\n1.3"
    assert see(fetched(markup), Look(kind="regex", expression=r"\d+ \w+$")).text == "3 May\n4 June"


def test_json() -> None:
    one, other = '{"b": 1, "a": [{"p": 19.90}, {"p": "x"}]}', '{"a":[{"p":19.90},{"p":"x"}],"b":1}'
    seen = see(fetched(one, "application/json"), TEXT)
    assert seen.state == "ok" and seen == see(fetched(other, "application/json"), TEXT)

    def path(expression: str) -> Seen:
        return see(fetched(one, "application/json"), Look(kind="json_path", expression=expression))

    assert (path("$.a[0].p").value, path("$.a[0].p").text) == ("19.90", "19.90")
    assert path("a[1].p").text == "x" and path("a[-1]['p']").value == ""
    assert path("$..p").text == "19.90\nx"
    assert path("$.a[*].p") == path("$.a[0:2].p") == path("$..p")
    assert path("$.c").why == "no_match"
    assert path("$.a[?(@.p)]").why == "bad_expression"
    assert see(fetched("{broken", "application/json"), TEXT).why == "unreadable"


RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<lastBuildDate>BUILT</lastBuildDate>{}</channel></rss>"""
ITEM = (
    "<item><title>{0}</title><link>https://news.example/{0}</link><guid>{0}</guid>"
    "<pubDate>{1}</pubDate></item>"
)


def test_a_feed_is_its_entries_not_its_dates_or_order() -> None:
    def feed(*items: str, built: str = "1") -> Seen:
        made = RSS.replace("BUILT", built).format("".join(items))
        return see(fetched(made, "application/rss+xml"), Look(kind="feed"))

    old = feed(ITEM.format("a", "Mon, 30 Nov 2026 10:00:00 GMT"), ITEM.format("b", ""))
    again = feed(ITEM.format("b", ""), ITEM.format("a", "Tue, 01 Dec 2026 10:00:00 GMT"), built="2")
    assert old.state == "ok" and old == again
    new = feed(ITEM.format("c", ""), ITEM.format("a", ""), ITEM.format("b", ""))
    assert difference_of(old, new).added == ("c https://news.example/c [c]",)
    assert difference_of(old, new).removed == ()


def test_the_charset_of_a_page_is_found() -> None:
    body = '<html><head><meta charset="windows-1252"><title>x</title></head><body>Größe 5 €</body></html>'
    came = Fetched(pages.URL, pages.URL, 200, "text/html", "", body.encode("cp1252"))
    assert see(came, TEXT).text == "Größe 5 €"


async def test_it_runs_in_a_process_of_its_own_that_can_be_ended() -> None:
    came = fetched(page("<p>One"))
    assert await in_process(see, came, TEXT, seconds=60.0) == see(came, TEXT)
    endless = fetched(page("<p>" + "a" * 64 + "!"))
    with pytest.raises(TimeoutError):
        await in_process(see, endless, Look(kind="regex", expression=r"(a+)+$"), seconds=1.0)


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=300), st.sampled_from(["text", "css", "price", "stock", "regex", "feed", "json_path"])
)
def test_any_page_is_seen_or_fails_with_a_name(body: str, kind: str) -> None:
    seen = see(fetched(page(body)), Look(kind=kind, expression="p"))  # type: ignore[arg-type]
    assert (seen.state == "ok") == (seen.why == "")
    assert seen.state == "ok" or not seen.text


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["One", "Two 2", "Größe", "漢字", "ﬁ"]), max_size=8), st.randoms())
def test_blanks_never_are_a_change(words: list[str], chance: object) -> None:
    blanks = [" ", "\n", "\t ", "\u00a0", "\u2009", " \u200b"]
    spread = "".join(
        f"<p>{blanks[len(word) % 6]}{word}{blanks[(len(word) * 7) % 6]}</p>\n\n" for word in words
    )
    plain = "".join(f"<p>{word}</p>" for word in words)
    assert see(fetched(page(spread)), TEXT) == see(fetched(page(plain)), TEXT)


@pytest.mark.parametrize(
    "body",
    [
        "<p>Word 12 and a price of 1,234.50 € here</p>" * 30_000,
        "<div class='price old ad'>" * 50_000,
        "<p>" + "1 " * 1_000_000,
        "<li>3 minutes ago" * 40_000,
        "x" * 3_000_000,
    ],
)
def test_huge_pages_take_bounded_time(body: str) -> None:
    for look in (TEXT, Look(kind="price"), Look(kind="stock")):
        began = time.process_time()
        seen = see(fetched(page(body)), look)
        difference_of(seen, Seen(text="Word"), Noise(digits=True))
        assert time.process_time() - began < 20.0

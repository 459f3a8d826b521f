"""Pages as shops, news sites and walls make them, small but with what misleads a reader."""

from __future__ import annotations

from app.watches.extract import Fetched

URL = "https://shop.example/lamp"
STORY = " ".join(["Several words of a long story that goes on for quite a while."] * 40)


def fetched(
    body: str | bytes, media: str = "text/html", status: int = 200, url: str = URL, cut: bool = False
) -> Fetched:
    """Return what came for URL."""
    data = body.encode() if isinstance(body, str) else body
    return Fetched(URL, url, status, media, "utf-8" if isinstance(body, str) else "", data, cut)


def page(body: str, head: str = "", title: str = "The lamp", lang: str = "en") -> str:
    """Return a page around a body."""
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'
        f"<body>{body}</body></html>"
    )


def ld(text: str) -> str:
    """Return a script of JSON-LD."""
    return f'<script type="application/ld+json">{text}</script>'


CLOUDFLARE = page(
    '<div class="main-wrapper"><h1>shop.example</h1><p>Verify you are human by completing the action.</p>'
    "<p>shop.example needs to review the security of your connection before proceeding.</p>"
    "<p>Ray ID: 8f0c2a</p></div><script src='/cdn-cgi/challenge-platform/h/b/orchestrate'></script>",
    title="Just a moment...",
)
AKAMAI = page(
    "<h1>Access Denied</h1>You don't have permission to access this server.<p>Reference #18.2d351",
    title="Access Denied",
)
CAPTCHA = page(
    '<form><p>Enter the characters you see below</p><img src="x"><input name="field-keywords">'
    "<div class='g-recaptcha'></div></form>",
    title="shop.example",
)
LOGIN = page(
    "<form><label>Name <input name=u></label><label>Password <input type=password></label>"
    "<button>Sign in</button></form>",
    title="Sign in - Shop",
)
CONSENT = page(
    "<h1>Before you continue</h1><p>We use cookies and data to deliver our services.</p>"
    "<button>Reject all</button><button>Accept all</button>",
    title="Before you continue",
)
APP_SHELL = page('<div id="root"></div><script src="/app.js"></script>', title="Shop")
NOSCRIPT = page(
    "<p>You need to enable JavaScript to run this app.</p><script src='/a.js'></script>", title="Shop"
)
MAINTENANCE = page("<h1>We'll be back soon</h1><p>Down for scheduled maintenance.</p>", title="Shop")
SOFT_404 = page("<h1>Sorry</h1><p>There is nothing here.</p>", title="404 - Page not found")
BANNER = (
    '<div id="onetrust-consent-sdk"><div class="ot-sdk-row"><h2>We value your privacy</h2><p>We and our 812'
    " partners store cookies on your device, and you can change that at any time in the settings below.</p>"
    "<button>Accept all</button><button>Reject all</button></div></div>"
)
ADVERT = '<div class="ad-slot-top"><a href="https://ads.example/?t=9f86d081884c7d65">Buy socks now</a></div>'

"""Prices and stock of product pages, with what shops put around them."""

from __future__ import annotations

import pytest

from app.watch_records import Look, Seen
from app.watches.extract import see
from tests.watches.pages import fetched, ld, page

RELATED = (
    "<section class='related-products'><h2>You may also like</h2>"
    "<p class=price>5,00 €</p><b>Sold out</b></section>"
)


def price(body: str, head: str = "", lang: str = "en") -> str:
    seen = see(fetched(page(f"<h1>The lamp</h1>{body}", head, lang=lang)), Look(kind="price"))
    return f"{seen.value} {seen.currency}".strip() or seen.why


def stock(body: str, head: str = "", lang: str = "en") -> Seen:
    return see(fetched(page(f"<h1>The lamp</h1>{body}", head, lang=lang)), Look(kind="stock"))


def product(offers: str, name: str = "The lamp") -> str:
    return ld(f'{{"@context":"https://schema.org","@type":"Product","name":"{name}","offers":{offers}}}')


@pytest.mark.parametrize(
    ("offers", "wanted"),
    [
        ('{"@type":"Offer","price":"1234.50","priceCurrency":"EUR"}', "1234.50 EUR"),
        ('{"@type":"Offer","price":1234.5,"priceCurrency":"EUR"}', "1234.5 EUR"),
        ('{"@type":"Offer","price":"1.299,00","priceCurrency":"EUR"}', "1299.00 EUR"),
        ('{"@type":"AggregateOffer","lowPrice":"9.90","highPrice":"20","priceCurrency":"CHF"}', "9.90 CHF"),
        ('[{"price":"12","priceCurrency":"USD"},{"price":"10","priceCurrency":"USD"}]', "10 USD"),
        ('[{"price":"10","priceCurrency":"USD","availability":"https://schema.org/OutOfStock"},'
         '{"price":"12","priceCurrency":"USD","availability":"https://schema.org/InStock"}]', "12 USD"),
        ('{"priceSpecification":[{"priceType":"https://schema.org/ListPrice","price":50,"priceCurrency":"EUR"},'
         '{"price":39.99,"priceCurrency":"EUR"}]}', "39.99 EUR"),
        ('{"price":"0.00","priceCurrency":"EUR"}', "no_price"),
    ],
)  # fmt: skip
def test_json_ld(offers: str, wanted: str) -> None:
    assert price("", product(offers)) == wanted


def test_json_ld_as_templates_write_it() -> None:
    text = """
//<![CDATA[
{"@graph":[{"@type":"WebPage"},{"@type":"Product","name":"The lamp","description":"two\tlines
here","offers":{"price":"7","priceCurrency":"EUR"}}]};
//]]>"""
    assert price("", ld(text)) == "7 EUR"
    assert price("<p>Price: 8,00 €</p>", ld("{broken"), "de") == "8.00 EUR"


def test_the_product_of_the_page_not_others() -> None:
    other = product('{"price":"1","priceCurrency":"EUR"}', "A cable")
    mine = product('{"price":"70","priceCurrency":"EUR"}')
    assert price("", other + mine) == "70 EUR"
    listed = ld(
        '{"@type":"ItemList","itemListElement":[{"@type":"Product","name":"x","offers":{"price":"2"}}]}'
    )
    assert price("", listed) == "no_price"


def test_microdata_also_where_it_is_hidden() -> None:
    body = (
        "<div itemscope itemtype='https://schema.org/Product'><b itemprop=name>The lamp</b>"
        "<div style='display:none' itemprop=offers itemscope itemtype='https://schema.org/Offer'>"
        "<meta itemprop=price content='49.90'><meta itemprop=priceCurrency content=EUR>"
        "<link itemprop=availability href='https://schema.org/InStock'></div></div>"
    )
    assert price(body) == "49.90 EUR"
    assert stock(body).value == "in_stock"


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (
            "<meta property='product:price:amount' content='19.99'>"
            "<meta property='product:price:currency' content='EUR'>",
            "19.99 EUR",
        ),
        (
            "<meta property='og:price:amount' content='1.299,00'>"
            "<meta property='og:price:currency' content='eur'>",
            "1299.00 EUR",
        ),
        ("<meta name='twitter:data1' content='£12.50'>", "12.50 GBP"),
        ("<meta name='twitter:data1' content='5 minutes'>", "no_price"),
    ],
)
def test_meta_tags(head: str, wanted: str) -> None:
    assert price("<p>A lamp.</p>", head) == wanted


@pytest.mark.parametrize(
    ("body", "lang", "wanted"),
    [
        ("<p>Price: 1.234,56 €</p>", "de", "1234.56 EUR"),
        ("<div class=price><del>99,00 €</del> <ins>79,00 €</ins></div>", "de", "79.00 EUR"),
        ("<div class=price-box><span class=old-price>$99.00</span><span class=new-price>$79.00"
         "</span></div>", "en", "79.00 USD"),
        ("<p>Was £30.00, now £24.50</p>", "en", "24.50 GBP"),
        ("<p>UVP 99,00 € jetzt 59,00 €</p>", "de", "59.00 EUR"),
        ("<p>Free shipping on orders over $50</p><p>$12.99</p>", "en", "12.99 USD"),
        ("<p>19,99 € inkl. MwSt. zzgl. 4,99 € Versand</p>", "de", "19.99 EUR"),
        ("<p>Versand: 4,99 €</p><p>Preis: 25,00 €</p>", "de", "25.00 EUR"),
        ("<p>25,00 € (2,50 € / 100 g)</p>", "de", "25.00 EUR"),
        ("<p>12,50 €/Monat oder 300,00 €</p>", "de", "300.00 EUR"),
        ("<div id=cart>Cart $0.00</div><p>$8.00</p>", "en", "8.00 USD"),
        ("<span class='product-price'>19<sup>99</sup> €</span>", "fr", "19.99 EUR"),
        ("<span class=price><span aria-hidden=true>$19 99</span><span>$19.99</span></span>",
         "en", "19.99 USD"),
        ("<span class='price price--regular'>$15.00</span>", "en", "15.00 USD"),
        ("<b class=price>249</b>", "en", "249"),
        ("<p>Price: 1,299.00</p>", "en", "1299.00"),
        ("<table><tr><th>Preis</th><td>19,90</td></tr></table>", "de", "19.90"),
        ("<b class=a-price-whole>19<i>.</i></b><b class=a-price-fraction>99</b>", "en", "19.99"),
        ("<p class=price-item--regular>$24.00</p><p class=price-item--sale>$18.00</p>", "en", "18.00 USD"),
        (f"{RELATED}<p>31,00 €</p>", "de", "31.00 EUR"),
        ("<p>31,00 €</p><h2>Ähnliche Produkte</h2><p>5,00 €</p>", "de", "31.00 EUR"),
        ("<p>₹1,23,456.00</p>", "en-IN", "123456.00 INR"),
        ("<p>CHF 1\u2019299.\u2013</p>", "de-CH", "1299 CHF"),
        ("<p>A fine lamp of 2026.</p>", "en", "no_price"),
    ],
)  # fmt: skip
def test_prices_that_are_only_shown(body: str, lang: str, wanted: str) -> None:
    assert price(body, lang=lang) == wanted


IN_STOCK = product('{"price":"7","availability":"http://schema.org/InStock"}')
OUT_OF_STOCK = product('{"price":"7","availability":"OutOfStock"}')


@pytest.mark.parametrize(
    ("body", "head", "wanted"),
    [
        ("", IN_STOCK, "in_stock"),
        ("", OUT_OF_STOCK, "out_of_stock"),
        ("<p>Sold out</p>", IN_STOCK, "out_of_stock"),  # the page beats what it tells machines
        ("<p>In stock</p>", OUT_OF_STOCK, "in_stock"),
        ("<p>Derzeit nicht verfügbar</p>", IN_STOCK, "out_of_stock"),
        ("<p>Nicht auf Lager</p>", "", "out_of_stock"),
        ("<p>Auf Lager, in 2 Tagen bei Ihnen</p>", "", "in_stock"),
        ("<p>Rupture de stock</p>", "", "out_of_stock"),
        ("<p>E\u0301puise\u0301</p>", "", "out_of_stock"),
        ("<p>Agotado</p>", "", "out_of_stock"),
        ("<p>在庫切れ</p>", "", "out_of_stock"),
        ("<p>Нет в наличии</p>", "", "out_of_stock"),
        ("<p>\u0412 \u043d\u0430\u043b\u0438\u0447\u0438\u0438</p>", "", "in_stock"),
        ("<p>Only 3 left in stock</p>", "", "in_stock"),
        ("<p>In stock: 0</p>", "", "out_of_stock"),
        ("<p>10 left in stock</p>", "", "in_stock"),
        ("<p>Available</p>", "", "in_stock"),
        ("<p>Available in red and blue</p>", "", "unknown"),
        ("<link itemprop=availability href='https://schema.org/OutOfStock'>", "", "out_of_stock"),
        ("<button>Add to cart</button>", "", "in_stock"),
        ("<button disabled>Add to cart</button>", "", "unknown"),
        ("<p>A fine lamp.</p>", "", "unknown"),
        (f"<p>In stock</p>{RELATED}", "", "in_stock"),
        ("<p>In stock</p><h2>Customers also bought</h2><p>Sold out</p>", "", "in_stock"),
        ("<select><option>S<option>M (sold out)</select><p>In stock</p>", "", "in_stock"),
        ("<p>Never out of stock: we make them ourselves.</p>", IN_STOCK, "in_stock"),
        ("<p>" + "A story in which a shop was sold out once, long ago. " * 5 + "</p>", "", "unknown"),
        ("<p>Notify me when available</p><button>Add to cart</button>", "", "out_of_stock"),
    ],
)
def test_stock(body: str, head: str, wanted: str) -> None:
    assert stock(body, head).value == wanted


def test_a_forbidden_page_is_never_out_of_stock() -> None:
    seen = see(fetched(page("<p>Sold out of patience</p>"), status=403), Look(kind="stock"))
    assert (seen.state, seen.value) == ("blocked", "")

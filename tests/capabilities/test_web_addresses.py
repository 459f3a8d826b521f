"""What an address means, in every notation, and what kind of place it is (safety.md 2.6)."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from app.capabilities.web_addresses import place_by_form, place_of, read
from app.errors import ToolError


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("93.184.216.34", "public"),
        ("2606:2800:220:1::1", "public"),
        ("127.0.0.1", "private"),
        ("127.255.0.9", "private"),
        ("0.0.0.0", "private"),
        ("::", "private"),
        ("::1", "private"),
        ("10.1.2.3", "private"),
        ("172.31.0.1", "private"),
        ("192.168.1.1", "private"),
        ("100.64.0.1", "private"),
        ("198.18.0.1", "private"),
        ("fd12::1", "private"),
        ("::ffff:127.0.0.1", "private"),
        ("::ffff:10.0.0.1", "private"),
        ("::ffff:93.184.216.34", "public"),
        ("::127.0.0.1", "private"),
        ("64:ff9b::7f00:1", "private"),
        ("64:ff9b::5db8:d822", "public"),
        ("64:ff9b:1::a00:1", "private"),
        ("64:ff9b:1:5db8:d8:2200::", "private"),
        ("64:ff9b:1:a9fe:a9:fe00:808:808", "never"),
        ("64:ff9b:1::a9fe:a9fe", "never"),
        ("3fff::1", "never"),
        ("2002:7f00:1::", "private"),
        ("2002:c0a8:101::1", "private"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "never"),  # Teredo around 192.0.2.45
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", "private"),  # Teredo around 127.0.0.1
        ("169.254.169.254", "never"),
        ("::ffff:169.254.169.254", "never"),
        ("64:ff9b::a9fe:a9fe", "never"),
        ("fe80::1", "never"),
        ("fe80::1%eth0", "never"),
        ("fec0::1", "never"),
        ("fd00:ec2::254", "never"),
        ("100.100.100.200", "never"),
        ("168.63.129.16", "never"),
        ("224.0.0.1", "never"),
        ("ff02::1", "never"),
        ("240.0.0.1", "never"),
        ("255.255.255.255", "never"),
        ("192.0.2.1", "never"),
        ("2001:db8::1", "never"),
        ("0.1.2.3", "never"),
    ],
)
def test_what_kind_of_place_an_address_is(address: str, place: str) -> None:
    assert place_of(ip_address(address)) == place


@pytest.mark.parametrize(
    ("text", "url", "place"),
    [
        ("https://Example.ORG", "https://example.org/", "public"),
        ("example.org/a b", "https://example.org/a%20b", "public"),
        ("http://example.org:80/x?a=1#part", "http://example.org/x?a=1", "public"),
        ("http://example.org:8080", "http://example.org:8080/", "public"),
        ("http://example.org./x", "http://example.org/x", "public"),
        ("http://münchen.de/straße?q=ä", "http://xn--mnchen-3ya.de/stra%C3%9Fe?q=%C3%A4", "public"),
        ("http://example.org/%41%zz", "http://example.org/%41%zz", "public"),
        ("localhost:8000/x", "http://localhost:8000/x", "private"),
        ("nas", "http://nas/", "private"),
        ("http://printer.local", "http://printer.local/", "private"),
        ("http://a.localhost", "http://a.localhost/", "private"),
        ("http://metadata.google.internal/x", "http://metadata.google.internal/x", "private"),
        ("http://0177.0.0.1/", "http://127.0.0.1/", "private"),
        ("http://0x7f.0.0.1/", "http://127.0.0.1/", "private"),
        ("http://0x7f000001/", "http://127.0.0.1/", "private"),
        ("http://2130706433/", "http://127.0.0.1/", "private"),
        ("http://127.1/", "http://127.0.0.1/", "private"),
        ("http://\uff11\uff12\uff17.\uff10.\uff10.\uff11/", "http://127.0.0.1/", "private"),
        ("http://127\u30020\u30020\u30021/", "http://127.0.0.1/", "private"),
        ("http://[::1]:8000/", "http://[::1]:8000/", "private"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/", "private"),
        ("http://[::ffff:7f00:1]/", "http://[::ffff:7f00:1]/", "private"),
        ("http://0xa9fea9fe/", "http://169.254.169.254/", "never"),
        ("http://[fe80::1]/", "http://[fe80::1]/", "never"),
    ],
)
def test_an_address_has_one_form(text: str, url: str, place: str) -> None:
    target = read(text)
    assert (target.url, target.place) == (url, place)
    assert read(url) == target


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "gopher://example.org/",
        "http://",
        "http://a b/",
        "http://user:pass@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http://example.org:0/",
        "http://example.org:99999/",
        "http://example.org:1:2/",
        "http://[::1/",
        "http://[::1%25eth0]/",
        "http://[x]/",
        "http://exa\tmple.org/",
        "http://example.org/\r\nhost: a",
        "http://example.org/\0",
        "http://1.2.3.4.5/",
        "http://999.1.1.1/",
        "http://08.1.1.1/",
        "http://-a.example/",
        "http://" + "a" * 64 + ".org/",
        "http://" + "a." * 200 + "org/",
        "https://example.org/" + "x" * 9_000,
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_sent(text: str) -> None:
    with pytest.raises(ToolError) as caught:
        read(text)
    assert caught.value.code == "bad_address"


def test_names_are_private_by_their_form() -> None:
    assert place_by_form("example.org") == "public"
    assert {place_by_form(name) for name in ("localhost", "x", "a.lan", "a.home.arpa", "10.0.0.1")} == {
        "private"
    }

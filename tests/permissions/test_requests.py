"""Decisions on web requests: method, port, private hosts, and what an answer is written to."""

from __future__ import annotations

import msgspec
import pytest

from app.permissions.decide import decide
from app.permissions.offers import with_offers
from app.permissions.policy import policy
from app.permissions.requests import opened
from app.records import FileDiff, FilesEffect, Loss, Mark, RequestEffect


def request(host="example.org", method="GET", **more):
    more.setdefault("url", f"http://{host}/x")
    return RequestEffect(method=method, host=host, **more)


def reason(effect, allow=(), deny=(), tool="http_request", named=(), ask=(), marks=(), **kw):
    made = policy("/w", allow, deny, **kw)
    asks = policy("/w", ask).allow
    made = msgspec.structs.replace(made, named_hosts=frozenset(named), ask=asks, marks=tuple(marks))
    found = decide(effect, tool, made)
    return f"{found.decision} {found.reason}"


@pytest.mark.parametrize(
    ("rule", "effect", "expected"),
    [
        ("example.org", request(), "allow rule_allow"),
        ("example.org", request(method="HEAD"), "allow rule_allow"),
        ("example.org", request(method="POST"), "ask request"),
        ("example.org", request(method="DELETE"), "ask request"),
        ("POST example.org", request(method="POST"), "allow rule_allow"),
        ("POST example.org", request(), "ask request"),
        ("* example.org", request(method="PATCH"), "allow rule_allow"),
        ("*", request(method="PATCH"), "allow rule_allow"),
        ("example.org", request(port=8443), "ask request"),
        ("example.org:8443", request(port=8443), "allow rule_allow"),
        ("example.org:8443", request(), "ask request"),
        ("example.org:80", request(), "allow rule_allow"),
        ("example.org:443", request(), "ask request"),
        ("example.org:*", request(port=22), "allow rule_allow"),
        ("*", request(port=22), "ask request"),
        ("post example.org", request(method="POST"), "ask request"),
        ("GET example.org evil.org", request(), "ask request"),
        ("example.org.", request(), "ask request"),
    ],
)
def test_a_rule_that_allows_means_no_more_than_it_says(rule, effect, expected):
    assert reason(effect, [f"http_request({rule})"]) == expected


@pytest.mark.parametrize(
    "effect", [request(), request(port=9), request(method="PUT"), request(private="named")]
)
def test_a_rule_that_denies_or_asks_speaks_of_every_method_and_port(effect):
    assert reason(effect, ["http_request(*)"], ["http_request(example.org)"]) == "deny rule_deny"
    assert reason(effect, ["http_request(*)"], ask=["http_request(Example.org)"]) == "ask rule_ask"
    assert reason(effect, ["http_request(*)"], ["http_request(*)"]) == "deny rule_deny"
    assert reason(request(method="GET"), [], ["http_request(POST example.org)"]) == "ask request"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("127.0.0.1:8000", "allow rule_allow"),
        ("127.0.0.1:*", "allow rule_allow"),
        ("127.0.0.1", "ask private_host"),
        ("127.0.0.1:8001", "ask private_host"),
        ("*", "ask private_host"),
    ],
)
def test_this_computer_is_opened_by_a_rule_with_its_host_and_port(rule, expected):
    effect = request("127.0.0.1", port=8000, private="named")
    assert reason(effect, [f"web_fetch({rule})"], tool="web_fetch") == expected
    assert reason(effect, [f"web_fetch({rule})"], tool="web_fetch", yes=True) == expected


def test_a_rule_names_ipv6_in_brackets_or_bare():
    effect = request("::1", port=8000, url="http://[::1]:8000/", private="named")
    assert reason(effect, ["http_request([::1]:8000)"]) == "allow rule_allow"
    bare = request("::1", url="http://[::1]/", private="named")
    assert reason(bare, ["http_request(::1)"]) == "allow rule_allow"
    assert reason(bare, ["http_request([::1])"]) == "allow rule_allow"


def test_a_name_that_could_be_public_needs_the_word_private():
    effect = request("wiki.example.org", private="found")
    assert reason(effect, ["http_request(wiki.example.org)"]) == "ask private_host"
    assert reason(effect, ["http_request(private wiki.example.org)"]) == "allow rule_allow"
    assert (
        reason(request("wiki.example.org"), ["http_request(private wiki.example.org)"]) == "allow rule_allow"
    )
    assert (
        reason(
            request("wiki.example.org", "POST", private="found"), ["http_request(private wiki.example.org)"]
        )
        == "ask private_host"
    )
    assert (
        reason(
            request("wiki.example.org", "POST", private="found"),
            ["http_request(POST private wiki.example.org)"],
        )
        == "allow rule_allow"
    )


def test_a_host_and_port_in_the_persons_words_are_asked_about_like_any_other():
    effect = request("localhost", port=3000, private="named")
    assert reason(effect, named=["localhost", "localhost:3000"]) == "ask request"
    assert reason(effect, named=["localhost", "localhost:3000"], yes=True) == "allow yes"
    assert reason(effect, named=["localhost", "localhost:4000"], yes=True) == "ask private_host"
    assert opened(
        effect, "http_request", msgspec.structs.replace(policy("/w"), named_hosts={"localhost:3000"})
    )
    plain = request("localhost", private="named", url="https://localhost/")
    assert reason(plain, named=["localhost", "localhost:443"]) == "ask request"
    assert reason(plain, named=["localhost", "localhost:80"]) == "ask private_host"
    assert reason(plain, named=["localhost"]) == "ask request"
    assert reason(effect, named=["localhost"]) == "ask private_host"


def test_text_from_elsewhere_closes_the_way_out_unless_the_person_named_the_host():
    marks = [Mark(kind="web", name="evil.org")]
    rules = ["http_request(example.org)"]
    assert reason(request(), rules, marks=marks) == "ask untrusted"
    assert reason(request(), rules, marks=marks, named=["example.org"]) == "allow rule_allow"


def file(path, kind="new"):
    return FileDiff(path=path, shown=path, kind=kind, binary=True)


def saving(*files, losses=()):
    return request(saves=FilesEffect(files=files, losses=losses))


def test_a_download_is_judged_by_its_host_and_by_its_file_at_once():
    host, place = "download_file(example.org)", "write_file(/w/**)"
    effect = saving(file("/w/a.zip"))
    assert reason(effect, [host], tool="download_file") == "ask change"
    assert reason(effect, [place], tool="download_file") == "ask request"
    assert reason(effect, [host, place], tool="download_file") == "allow rule_allow"
    assert reason(effect, [host, place], ["write_file(/w/a.zip)"], tool="download_file") == "deny rule_deny"
    assert reason(effect, [place], ["download_file(example.org)"], tool="download_file") == "deny rule_deny"
    assert reason(effect, yes=True, tool="download_file") == "allow yes"
    assert reason(saving(file("/w/.git/config")), [host], yes=True, tool="download_file") == "ask protected"
    assert reason(saving(file("/w/.git/config")), tool="download_file") == "ask protected"


def test_a_download_that_loses_much_says_so():
    effect = saving(file("/w/a", "deleted"), losses=(Loss(path="/w/a", items=999, untracked=999),))
    found = decide(effect, "download_file", policy("/w", yes=True))
    assert (found.decision, found.reason) == ("ask", "destructive") and found.losses == effect.saves.losses
    assert found.parts == ("GET http://example.org/x", "/w/a")


def offers(effect, tool="http_request"):
    return with_offers(effect, tool, policy("/w"), decide(effect, tool, policy("/w"))).offers


def test_what_is_offered_allows_just_such_a_request():
    assert offers(request("Example.org")) == (("http_request(example.org)",),)
    assert offers(request(method="POST")) == (("http_request(POST example.org)",),)
    assert offers(request("localhost", port=3000, private="named")) == (("http_request(localhost:3000)",),)
    assert offers(request("::1", port=3000, private="named", url="http://[::1]:3000/")) == (
        ("http_request([::1]:3000)",),
    )
    assert offers(request("::1", private="named", url="http://[::1]/")) == (("http_request(::1)",),)
    assert offers(request("a.org", private="found")) == (("http_request(private a.org)",),)
    assert offers(request("a)\nb")) == ()
    assert offers(saving(file("/w/sub/a.zip")), "download_file")[0] == (
        "download_file(example.org)",
        "write_file(/w/sub/a.zip)",
    )
    assert offers(saving(file("/w/.git/a")), "download_file") == ()
    own = offers(saving(file("/w/a.zip")), "mine")  # a tool of the person's own
    assert own[0] == ("mine(example.org)", "mine(/w/a.zip)")


ENGINES = request(
    "duck.example", also=("bing.example", "moj.example"), fixed="web", purpose="search", method="POST"
)
FOUND = (Mark(kind="web", name="duck.example"), Mark(kind="web", name="moj.example"))
ELSEWHERE = Mark(kind="web", name="evil.example")


@pytest.mark.parametrize(
    ("allow", "deny", "marks", "yes", "expected"),
    [
        ((), (), (), False, "allow search"),
        ((), (), FOUND, False, "allow search"),
        ((), (), (*FOUND, ELSEWHERE), False, "ask untrusted"),
        ((), (), (Mark(kind="file", name="/tmp/x"),), False, "ask untrusted"),
        ((), (), (*FOUND, ELSEWHERE), True, "allow yes"),
        ((), ("web_search(bing.example)",), (), True, "deny rule_deny"),
        ((), ("web_search(*)",), (), False, "deny rule_deny"),
    ],
)
def test_a_search_runs_until_foreign_text_is_there(allow, deny, marks, yes, expected):
    assert reason(ENGINES, allow, deny, "web_search", marks=marks, yes=yes) == expected


def test_all_hosts_of_a_fixed_request_are_judged_in_one_question():
    effect = request("a.example", also=("b.example",), fixed="github")
    one, both = ("weather(a.example)",), ("weather(a.example)", "weather(b.example)")
    assert reason(effect, tool="weather") == "ask request"
    assert reason(effect, one, tool="weather") == "ask request"
    assert reason(effect, both, tool="weather") == "allow rule_allow"
    assert reason(effect, both, ("weather(b.example)",), tool="weather") == "deny rule_deny"
    asked = with_offers(effect, "weather", policy("/w"), decide(effect, "weather", policy("/w")))
    assert asked.offers == (both,) and asked.parts == ("GET http://a.example/x", "GET https://b.example/")


def test_what_a_fixed_host_said_itself_keeps_no_rule_from_reading_there_but_from_changing():
    mark = Mark(kind="github", name="a.example")
    rules = ("t(a.example)", "t(POST a.example)")
    reading, changing = request("a.example", fixed="github"), request("a.example", "POST", fixed="github")
    assert reason(reading, rules, tool="t", marks=[mark]) == "allow rule_allow"
    assert reason(reading, rules, tool="t", marks=[mark, ELSEWHERE]) == "ask untrusted"
    assert reason(changing, rules, tool="t", marks=[mark]) == "ask untrusted"
    chosen = request("a.example")
    assert reason(chosen, rules, tool="t", marks=[Mark(kind="web", name="a.example")]) == "ask untrusted"


def found(effect, allow=("web_fetch(searched)",), deny=(), marks=(ELSEWHERE,), tool="web_fetch", **more):
    made = policy("/w", allow, deny, **more)
    return (
        msgspec.structs.replace(made, found_hosts=frozenset({"a.example"}), marks=tuple(marks)),
        effect,
        tool,
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (found(request("a.example")), "allow rule_allow"),
        (found(request("www.A.example")), "allow rule_allow"),
        (found(request("b.example")), "ask request"),
        (found(request("x.a.example")), "ask request"),
        (found(request("a.example", "POST")), "ask request"),
        (found(request("a.example", port=8080)), "ask request"),
        (found(request("a.example", private="found")), "ask private_host"),
        (found(request("a.example"), tool="http_request"), "ask request"),
        (found(request("a.example"), deny=("web_fetch(a.example)",)), "deny rule_deny"),
        (found(request("a.example"), ("web_fetch(*)",), ("web_fetch(searched)",)), "deny rule_deny"),
        (found(request("a.example"), ("web_fetch(a.example)",)), "ask untrusted"),
    ],
)
def test_a_person_can_open_the_hosts_that_a_search_found_in_this_turn(given, expected):
    made, effect, tool = given
    decision = decide(effect, tool, made)
    assert f"{decision.decision} {decision.reason}" == expected


def test_such_a_rule_is_offered_for_hosts_that_were_found_and_for_no_other():
    for host, marks, offers in (
        ("a.example", (ELSEWHERE,), (("web_fetch(searched)",),)),
        ("a.example", (), (("web_fetch(a.example)",), ("web_fetch(searched)",))),
        ("b.example", (ELSEWHERE,), ()),
    ):
        made, effect, tool = found(request(host), (), marks=marks)
        assert with_offers(effect, tool, made, decide(effect, tool, made)).offers == offers

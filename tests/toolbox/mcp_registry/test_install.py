"""Typed fields become an exact command with a pinned version, or an address; nothing leads elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from app.errors import ToolError
from app.mcp_offers import Offer
from app.toolbox.mcp.install import Plan, faults, pick, plan
from app.toolbox.mcp.registry_entries import offers
from app.toolbox.mcp.runners import Runners
from tests.servers.mcp_registry import entry, npm, pypi

ALL = Runners(npx="npx", uvx="uvx", python="python3")


def offer(**fields: Any) -> Offer:
    return next(iter(offers({"servers": [entry("io.github.a/b", **fields)]}, ALL, "/data/servers")))


def planned(values: dict[str, Any] | None = None, **fields: Any) -> Plan:
    found = offer(**fields)
    return plan(found, pick(found), values or {})


def why(**fields: Any) -> str:
    return offer(**fields).ways[0].why


VARIABLES = [
    {"name": "API_KEY", "description": "Your key", "isRequired": True, "isSecret": True},
    {"name": "UNITS", "default": "metric", "choices": ["metric", "imperial"]},
    {"name": "PORT", "format": "number"},
    {"name": "DEBUG", "format": "boolean"},
    {"name": "MODE", "value": "stdio"},
    {
        "name": "DSN",
        "value": "postgres://{user}@{host}/db",
        "variables": {"user": {"isRequired": True}, "host": {}},
    },
]


def test_variables_become_fields_and_secrets_stay_apart() -> None:
    found = offer(packages=[npm("b", environmentVariables=VARIABLES)])
    fields = {field.key: field for field in found.ways[0].fields}
    assert list(fields) == [
        "env.API_KEY",
        "env.UNITS",
        "env.PORT",
        "env.DEBUG",
        "env.DSN.user",
        "env.DSN.host",
    ]
    assert fields["env.API_KEY"].secret and fields["env.API_KEY"].required
    assert fields["env.UNITS"].choices == ("metric", "imperial") and fields["env.PORT"].kind == "number"
    made = plan(found, found.ways[0], {"env.API_KEY": " sk-1 \n", "env.DSN.user": "me", "env.DSN.host": "h"})
    assert made.secret_env == {"API_KEY": "sk-1"}
    assert made.env == {"UNITS": "metric", "MODE": "stdio", "DSN": "postgres://me@h/db"}
    assert made.command == ("npx", "--yes", "b@1.2.3") and "sk" not in " ".join(made.command)
    assert (made.id, made.origin) == ("b", "io.github.a/b@1.2.3")


def test_arguments_are_words_of_their_own_and_never_a_shell_line() -> None:
    arguments = [
        {"type": "positional", "value": "serve"},
        {
            "type": "positional",
            "valueHint": "target_dir",
            "isRequired": True,
            "isRepeated": True,
            "format": "filepath",
        },
        {"type": "named", "name": "--port", "format": "number", "default": "8080"},
        {"type": "named", "name": "-v", "format": "boolean"},
        {"type": "named", "name": "-H"},
        {
            "type": "named",
            "name": "--mount",
            "value": "src={from},dst=/x",
            "variables": {"from": {"isRequired": True}},
        },
    ]
    evil = "/tmp/a; rm -rf ~ $(id) `id` && x"
    made = planned(
        {"argument.target_dir": [evil, "/b"], "argument.-v": "true", "argument.--mount.from": "/c"},
        packages=[npm("@a/b", "2.0.0-rc.1+5", packageArguments=arguments)],
    )
    assert made.command == (
        "npx", "--yes", "@a/b@2.0.0-rc.1+5", "serve", evil, "/b",
        "--port=8080", "-v", "--mount=src=/c,dst=/x",
    )  # fmt: skip


@pytest.mark.parametrize(
    "version",
    [
        "latest",
        "",
        "^1.2.3",
        "~1.0",
        ">=1",
        "1.x || 2",
        "1.*",
        "next",
        "1.0 --flag",
        None,
        "1",
        "1.2",
        "1.x",
        "1.2.x",
    ],
)
def test_only_an_exact_version_will_do(version: str | None) -> None:
    assert why(packages=[npm("b", version)]) == "no_version"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name",
    ["HOME", "XDG_CONFIG_HOME", "PYTHONUSERBASE", "PYTHONWARNINGS", "npm_config_registry", "PIPX_HOME",
     "GLIBC_TUNABLES", "JAVA_TOOL_OPTIONS", "OPENSSL_CONF", "NODE_TLS_REJECT_UNAUTHORIZED", "BRAMBLE_HOME",
     "no_proxy", "GIT_TEMPLATE_DIR"],
)  # fmt: skip
def test_no_entry_sets_what_decides_which_code_runs_or_whom_it_trusts(name: str) -> None:
    assert (
        why(packages=[npm("b", environmentVariables=[{"name": name, "value": "/tmp/x"}])]) == "odd_variable"
    )


def test_a_package_from_python_is_pinned_too() -> None:
    assert planned(packages=[pypi("mcp-server-time", "2026.1.1")]).command == (
        "uvx", "--from", "mcp-server-time==2026.1.1", "mcp-server-time",
    )  # fmt: skip


@pytest.mark.parametrize(
    "name", ["--registry=http://evil", "../up", "a b", "git+https://x/y", "@a/b@9", "a;b", "", "@a"]
)
def test_a_name_has_to_be_one_of_a_package(name: str) -> None:
    assert why(packages=[npm(name)]) == "bad_name"
    if name != "@a":
        assert why(packages=[pypi(name)]) == "bad_name"


@pytest.mark.parametrize(
    ("package", "reason"),
    [
        ({"registryType": "oci", "identifier": "docker.io/a/b:1"}, "container"),
        ({"registryType": "mcpb", "identifier": "https://x/y.mcpb"}, "bundle"),
        ({"registryType": "nuget", "identifier": "A.B", "version": "1.0"}, "other_kind"),
        (npm("b", registryBaseUrl="https://npm.evil.example"), "other_registry"),
        (npm("b", transport={"type": "streamable-http", "url": "http://127.0.0.1:3000"}), "own_port"),
        (
            npm("b", runtimeArguments=[{"type": "named", "name": "--package", "value": "c"}]),
            "runtime_arguments",
        ),
        (
            npm("b", environmentVariables=[{"name": "NODE_OPTIONS", "value": "--require /tmp/x"}]),
            "odd_variable",
        ),
        (npm("b", environmentVariables=[{"name": "A=B", "isRequired": True}]), "odd_variable"),
        (
            npm(
                "b",
                packageArguments=[{"type": "named", "name": "--key", "isSecret": True, "isRequired": True}],
            ),
            "secret_argument",
        ),
        (npm("b", environmentVariables=[{"name": f"V{n}"} for n in range(50)]), "too_much"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_used_says_why(package: dict[str, Any], reason: str) -> None:
    found = offer(packages=[package])
    assert (found.ways[0].why, found.usable) == (reason, ())
    with pytest.raises(ToolError) as refused:
        pick(found)
    assert refused.value.code == "unsupported"


def test_harmless_words_for_the_runner_are_left_out() -> None:
    assert (
        planned(packages=[npm("b", runtimeArguments=[{"type": "named", "name": "-y"}])]).command[-1]
        == "b@1.2.3"
    )


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({}, {"env.API_KEY": "required", "env.DSN.user": "required"}),
        ({"env.UNITS": "kelvin"}, {"env.UNITS": "not_choice"}),
        ({"env.PORT": "80; ls"}, {"env.PORT": "not_number"}),
        ({"env.DEBUG": "maybe"}, {"env.DEBUG": "not_boolean"}),
        ({"env.PORT": ["1", "2"]}, {"env.PORT": "one_only"}),
        ({"env.DSN.host": "a\0b"}, {"env.DSN.host": "not_plain"}),
        ({"env.DSN.host": "x" * 9000}, {"env.DSN.host": "not_plain"}),
        ({"env.LD_PRELOAD": "/tmp/x.so"}, {"env.LD_PRELOAD": "unknown"}),
    ],
)  # fmt: skip
def test_values_are_checked_by_the_type_of_their_field(values: dict[str, Any], wrong: dict[str, str]) -> None:
    found = offer(packages=[npm("b", environmentVariables=VARIABLES)])
    given = values if not values else {"env.API_KEY": "k", "env.DSN.user": "me", **values}
    assert faults(found.ways[0], given) == wrong
    with pytest.raises(ToolError) as refused:
        plan(found, found.ways[0], given)
    assert refused.value.code == "bad_arguments"


def test_an_address_with_headers_and_variables() -> None:
    remote = {
        "type": "streamable-http",
        "url": "https://mcp.example.com/{tenant}/mcp",
        "variables": {"tenant": {"isRequired": True, "description": "Your tenant"}},
        "headers": [
            {"name": "X-API-Key", "isRequired": True, "isSecret": True},
            {"name": "X-Region", "default": "eu", "choices": ["eu", "us"]},
            {"name": "Authorization", "value": "Bearer {token}", "variables": {"token": {"isSecret": True}}},
        ],
    }
    values = {"url.tenant": "a/../b?x", "header.X-API-Key": "k1", "header.Authorization.token": "t1"}
    made = planned(values, remotes=[remote])
    assert made.url == "https://mcp.example.com/a%2F..%2Fb%3Fx/mcp" and made.command == ()
    assert made.headers == {"X-Region": "eu"}
    assert made.secret_headers == {"X-API-Key": "k1", "Authorization": "Bearer t1"}
    bare = planned({k: v for k, v in values.items() if "token" not in k}, remotes=[remote])
    assert bare.secret_headers == {"X-API-Key": "k1"}, "a header whose variable has no value is left out"
    with pytest.raises(ToolError):
        planned({**values, "header.X-API-Key": "k\r\nHost: evil"}, remotes=[remote])


@pytest.mark.parametrize(
    ("remote", "reason"),
    [
        ({"type": "sse", "url": "https://a.example/sse"}, "old_transport"),
        ({"type": "streamable-http", "url": "http://a.example/mcp"}, "insecure"),
        ({"type": "streamable-http", "url": "https://me:pw@a.example/mcp"}, "insecure"),
        ({"type": "streamable-http", "url": "https://{host}/mcp", "variables": {"host": {}}}, "insecure"),
        ({"type": "streamable-http", "url": "https://["}, "insecure"),
        (
            {"type": "streamable-http", "url": "https://a.b/{k}", "variables": {"k": {"isSecret": True}}},
            "secret_argument",
        ),
        (
            {"type": "streamable-http", "url": "https://a.b", "headers": [{"name": "Host", "value": "b"}]},
            "odd_variable",
        ),
        ({"type": "websocket", "url": "wss://a.example"}, "other_kind"),
    ],
)  # fmt: skip
def test_addresses_that_cannot_be_used(remote: dict[str, Any], reason: str) -> None:
    assert why(remotes=[remote]) == reason


def test_what_can_be_used_comes_first_and_can_be_picked_by_id() -> None:
    found = offer(
        packages=[{"registryType": "oci", "identifier": "a/b"}, npm("b")],
        remotes=[{"type": "streamable-http", "url": "https://a.example/mcp"}],
    )
    assert [way.kind for way in found.ways] == ["npm", "remote", "other"]
    assert pick(found, "remote:https://a.example/mcp").kind == "remote"
    with pytest.raises(ToolError) as unknown:
        pick(found, "npm:other")
    assert unknown.value.code == "bad_arguments"
    with pytest.raises(ToolError):
        pick(offer())


def test_a_name_becomes_a_plain_id() -> None:
    named = {"packages": [npm("b")]}
    assert Offer(name="io.github.a/My.Server_1").short == "my-server-1"
    assert Offer(name="a/---").short == "server"
    assert planned({}, **named).id == "b"

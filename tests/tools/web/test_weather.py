"""weather against a server that answers as Open-Meteo documents it, and what else may come in its place."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.records import Answer, RequestEffect
from app.settings import Settings
from tests.servers.scripted import ScriptedServer, scripted
from tests.servers.site import Sent, query_of, site
from tests.tools.online_desk import OnlineDesk
from tools.web.weather import weather

LISBON = {
    "id": 2267057,
    "name": "Lisbon",
    "latitude": 38.71667,
    "longitude": -9.13333,
    "elevation": 45.0,
    "feature_code": "PPLC",
    "country_code": "PT",
    "timezone": "Europe/Lisbon",
    "population": 517802,
    "country": "Portugal",
    "admin1": "Lisbon District",
}
OHIO = {
    "id": 5160315,
    "name": "Lisbon",
    "latitude": 40.77201,
    "longitude": -80.7681,
    "country_code": "US",
    "country": "United States",
    "admin1": "Ohio",
}
FORECAST = {
    "latitude": 38.71,
    "longitude": -9.14,
    "generationtime_ms": 0.2,
    "utc_offset_seconds": 0,
    "timezone": "Europe/Lisbon",
    "timezone_abbreviation": "WET",
    "elevation": 45.0,
    "current_units": {
        "time": "iso8601",
        "interval": "seconds",
        "temperature_2m": "°C",
        "wind_speed_10m": "km/h",
        "precipitation": "mm",
    },
    "current": {
        "time": "2026-11-30T10:45",
        "interval": 900,
        "temperature_2m": 14.2,
        "apparent_temperature": 12.9,
        "relative_humidity_2m": 78,
        "precipitation": 0.0,
        "weather_code": 2,
        "wind_speed_10m": 13.0,
        "wind_gusts_10m": 27.4,
        "wind_direction_10m": 350,
    },
    "daily_units": {"time": "iso8601"},
    "daily": {
        "time": ["2026-11-30", "2026-12-01"],
        "weather_code": [61, 95],
        "temperature_2m_max": [16.1, 15.0],
        "temperature_2m_min": [11.0, None],
        "precipitation_sum": [2.3, 0],
        "wind_speed_10m_max": [22, 30],
        "precipitation_probability_max": [80, 5],
        "sunrise": ["2026-11-30T07:34", "2026-12-01T07:35"],
        "sunset": ["2026-11-30T17:15", "2026-12-01T17:15"],
    },
}


@asynccontextmanager
async def service(folder: Path, **routes: Any) -> AsyncIterator[tuple[OnlineDesk, ScriptedServer]]:
    made = {"/search": Sent({"results": [LISBON, OHIO]}), "/forecast": Sent(FORECAST)}
    made |= {f"/{name}": route for name, route in routes.items()}
    async with scripted(site(made)) as server:
        base = server.url.removesuffix("/v1")
        desk = OnlineDesk(folder, Settings(services={"weather": base, "places": base}))
        yield desk, server


async def test_the_weather_now_and_ahead_after_one_question(tmp_path: Path) -> None:
    async with service(tmp_path) as (desk, server):
        told = await desk.call(weather, place="Lisbon", days=2)
    assert told.ok and told.summary == "14.2 °C, partly cloudy"
    assert told.text.startswith("Lisbon, Lisbon District, Portugal (38.71667, -9.13333)")
    assert "feels like 12.9 °C, humidity 78 %, wind 13 km/h from N, gusts 27.4 km/h" in told.text
    assert (
        "- 2026-11-30: light rain, 11 to 16.1 °C, precipitation 2.3 mm (80 %), "
        "wind to 22 km/h, sun 07:34 to 17:15" in told.text
    )
    assert "- 2026-12-01: thunderstorm, ? to 15 °C" in told.text
    assert told.data["head"].startswith("Lisbon, Lisbon District") and "Now (" in told.data["head"]
    assert told.view == "table" and told.data["columns"][2:4] == ["least °C", "most °C"]
    assert told.data["rows"][0] == ["2026-11-30", "light rain", "11", "16.1", "2.3", "22"]
    assert "Other places of that name: Lisbon, Ohio, United States." in told.text
    assert len(desk.asked) == 1, "both services stand behind one question"
    query = query_of(server.requests[1])
    assert query["latitude"] == "38.71667" and query["forecast_days"] == "2" and query["timezone"] == "auto"
    assert "temperature_unit" not in query


async def test_a_region_picks_the_place_and_units_are_asked_for(tmp_path: Path) -> None:
    async with service(tmp_path) as (desk, server):
        told = await desk.call(weather, place="Lisbon, Ohio", units="imperial", days=99)
        assert told.text.startswith("Lisbon, Ohio, United States") and "Other places" not in told.text
        query = query_of(server.requests[1])
        assert (query["temperature_unit"], query["wind_speed_unit"], query["forecast_days"]) == (
            "fahrenheit",
            "mph",
            "16",
        )
        wrong = await desk.call(weather, place="Lisbon, Atlantis")
        assert not wrong.ok and "no Lisbon in Atlantis, but: Lisbon, Lisbon District, Portugal" in wrong.text


async def test_coordinates_need_no_search(tmp_path: Path) -> None:
    async with service(tmp_path) as (desk, server):
        told = await desk.call(weather, place="-33.86, 151.2")
        assert told.ok and [one.path.split("?")[0] for one in server.requests] == ["/forecast"]
        off = await desk.call(weather, place="95, 10")
        assert not off.ok and "no place on earth" in off.text and len(server.requests) == 1


@pytest.mark.parametrize(
    ("routes", "words"),
    [
        ({"search": Sent({"generationtime_ms": 0.5})}, "knows no place named 'X'"),
        ({"search": Sent({"results": [{"name": "X"}]})}, "knows no place named 'X'"),
        ({"search": Sent("<html>Welcome to the hotel</html>")}, "it sent text/html in place of JSON"),
        (
            {"forecast": Sent({"error": True, "reason": "Daily variable is wrong"}, 400)},
            "It says: Daily variable is wrong",
        ),
        (
            {"forecast": Sent({"reason": "Too many"}, 429, headers={"retry-after": "60"})},
            "takes no more requests for 60 seconds",
        ),
        ({"forecast": Sent([1, 2])}, "something else than a forecast"),
        ({"forecast": Sent({"current": 1, "daily": []})}, "something else than a forecast"),
        ({"forecast": Sent("gone", 502)}, "HTTP 502"),
        ({"forecast": Sent("", 302, headers={"location": "/forecast"})}, "circle"),
    ],
    ids=["nowhere", "no coordinates", "portal", "400", "429", "list", "odd", "502", "circle"],
)
async def test_what_comes_in_place_of_weather_is_said(
    tmp_path: Path, routes: dict[str, Any], words: str
) -> None:
    async with service(tmp_path, **routes) as (desk, _):
        told = await desk.call(weather, place="X")
    assert not told.ok and words in told.text, told.text


async def test_no_place_no_host_and_no_yes(tmp_path: Path) -> None:
    desk = OnlineDesk(
        tmp_path, Settings(services={"places": "http://127.0.0.1:9", "weather": "http://127.0.0.1:9"})
    )
    assert "For which place?" in (await desk.call(weather)).text
    dead = await desk.call(weather, place="Lisbon")
    assert not dead.ok and dead.summary == "no_answer"
    desk.settings = Settings(services={"places": "ftp://x"})
    assert (await desk.call(weather, place="Lisbon")).summary == "bad_settings"
    async with service(tmp_path) as (desk, server):
        desk.answer = lambda effect: Answer(decision="deny", by="test")
        refused = await desk.call(weather, place="Lisbon")
        denied = await desk.call(weather, place="Lisbon", rules={"deny": ["weather(127.0.0.1)"]})
        assert not refused.ok and not denied.ok and server.requests == []
        assert isinstance(desk.asked[0], RequestEffect) and desk.asked[0].fixed == "web"
        rule = f"weather(127.0.0.1:{server.port})"
        allowed = await desk.call(weather, place="Lisbon", rules={"allow": [rule], "attended": False})
        assert allowed.ok

"""The weather now and the forecast for a place, from a service that needs no key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from tools import ReadContext, ReadServices, ToolFailed, ToolResult, tool
from tools.web._reading import number, records, words

MOST_DAYS = 16
_CURRENT = (
    "temperature_2m,apparent_temperature,relative_humidity_2m,precipitation,weather_code,"
    "wind_speed_10m,wind_gusts_10m,wind_direction_10m"
)
_DAILY = (
    "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,"
    "wind_speed_10m_max,sunrise,sunset"
)
_IMPERIAL = {"temperature_unit": "fahrenheit", "wind_speed_unit": "mph", "precipitation_unit": "inch"}
_COORDINATES = re.compile(r"\s*(-?\d{1,2}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)\s*\Z")
_CODES = {
    0: "clear", 1: "mostly clear", 2: "partly cloudy", 3: "overcast", 45: "fog", 48: "freezing fog",
    51: "light drizzle", 53: "drizzle", 55: "heavy drizzle", 56: "light freezing drizzle",
    57: "freezing drizzle", 61: "light rain", 63: "rain", 65: "heavy rain", 66: "light freezing rain",
    67: "freezing rain", 71: "light snow", 73: "snow", 75: "heavy snow", 77: "snow grains",
    80: "light showers", 81: "showers", 82: "violent showers", 85: "light snow showers",
    86: "heavy snow showers", 95: "thunderstorm", 96: "thunderstorm with light hail",
    99: "thunderstorm with heavy hail",
}  # fmt: skip
"""WMO code table 4677, as the service uses it."""
_POINTS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@tool(
    reads=True,
    verb="Look up the weather",
    main="place",
    keywords=("forecast", "temperature", "rain", "wind", "sunny", "snow"),
    examples=(
        "what's the weather in Lisbon",
        "regnet es morgen in Hamburg",
        "forecast for Denver in fahrenheit",
    ),
    accepts={"location": "place", "city": "place"},
)
async def weather(
    context: ReadContext,
    place: Annotated[str, "City or coordinates"] = "",
    days: Annotated[int, "Days ahead"] = 3,
    units: Annotated[Literal["metric", "imperial"], "Units"] = "metric",
) -> ToolResult:
    """Get current weather and the forecast for a place."""
    if context.services is None:
        raise ToolFailed("The weather cannot be looked up from here.")
    if not place.strip():
        raise ToolFailed("For which place? Give a city or coordinates; the person's place is not known here.")
    where, others = await _found(context.services, place.strip())
    days = max(1, min(days, MOST_DAYS))
    query = {
        "latitude": str(where["latitude"]),
        "longitude": str(where["longitude"]),
        "current": _CURRENT,
        "daily": _DAILY,
        "timezone": "auto",
        "forecast_days": str(days),
        **(_IMPERIAL if units == "imperial" else {}),
    }
    reply = await context.services.get("weather", "/forecast", query)
    return _told(where, others, reply.value)


async def _found(services: ReadServices, place: str) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
    """Return the place that is meant most likely, and others of its name."""
    if found := _COORDINATES.match(place):
        latitude, longitude = float(found[1]), float(found[2])
        if abs(latitude) > 90 or abs(longitude) > 180:
            raise ToolFailed(f"{place} is no place on earth: latitude to 90, longitude to 180 degrees.")
        return {"latitude": latitude, "longitude": longitude, "name": f"{latitude}, {longitude}"}, ()
    name, _, region = place.partition(",")
    reply = await services.get("places", "/search", {"name": name.strip(), "count": "10", "format": "json"})
    rows = [row for row in records(reply.value, "results") if _is_place(row)]
    if not rows:
        raise ToolFailed(f"The service knows no place named {place!r}. Try another spelling, or coordinates.")
    wanted = [part.strip().casefold() for part in region.split(",") if part.strip()]
    fitting = [row for row in rows if all(_lies_in(row, part) for part in wanted)]
    if wanted and not fitting:
        known = "; ".join(map(_named, rows[:5]))
        raise ToolFailed(f"There is no {name.strip()} in {region.strip()}, but: {known}.")
    return fitting[0], fitting[1:]


def _is_place(row: Mapping[str, Any]) -> bool:
    return all(isinstance(row.get(key), int | float) for key in ("latitude", "longitude"))


def _lies_in(row: Mapping[str, Any], part: str) -> bool:
    names = [words(row, key).casefold() for key in ("country", "country_code", "admin1", "admin2", "admin3")]
    return any(part == name or (len(part) > 3 and part in name) for name in names)


def _named(row: Mapping[str, Any]) -> str:
    parts = (words(row, "name"), words(row, "admin1"), words(row, "country"))
    return ", ".join(dict.fromkeys(filter(None, parts)))


def _told(where: Mapping[str, Any], others: Sequence[Mapping[str, Any]], value: Any) -> ToolResult:
    current = value.get("current") if isinstance(value, dict) else None
    daily = value.get("daily") if isinstance(value, dict) else None
    if not isinstance(current, dict) or not isinstance(daily, dict):
        raise ToolFailed("The weather service answered with something else than a forecast.")
    unit = value.get("current_units") if isinstance(value.get("current_units"), dict) else {}
    heat, wind, wet = (words(unit, key) for key in ("temperature_2m", "wind_speed_10m", "precipitation"))
    zone = words(value, "timezone")
    lines = [f"{_named(where)} ({where['latitude']}, {where['longitude']}), times in {zone or 'local time'}"]
    now = (
        f"{_sky(current)}, {number(current, 'temperature_2m')} {heat}, feels like "
        f"{number(current, 'apparent_temperature')} {heat}, "
        f"humidity {number(current, 'relative_humidity_2m')} %, "
        f"wind {number(current, 'wind_speed_10m')} {wind} from {_point(current.get('wind_direction_10m'))}, "
        f"gusts {number(current, 'wind_gusts_10m')} {wind}, "
        f"precipitation {number(current, 'precipitation')} {wet}"
    )
    lines += [f"Now ({words(current, 'time')}): {now}"]
    told = "\n".join(lines)
    lines += ["", "Forecast:"]
    lines += [_day(row, heat, wind, wet) for row in _rows(daily)]
    if others:
        lines += ["", f"Other places of that name: {'; '.join(map(_named, others[:4]))}."]
    lines.append("Source: Open-Meteo.com (CC BY 4.0)")
    summary = f"{number(current, 'temperature_2m')} {heat}, {_sky(current)}"
    return ToolResult(
        "\n".join(lines), summary, view="table", data={"head": told, **_table(_rows(daily), heat, wind, wet)}
    )


def _table(days: list[dict[str, Any]], heat: str, wind: str, wet: str) -> dict[str, Any]:
    columns = ("temperature_2m_min", "temperature_2m_max", "precipitation_sum", "wind_speed_10m_max")
    return {
        "columns": ["day", "sky", f"least {heat}", f"most {heat}", f"rain {wet}", f"wind {wind}"],
        "rows": [[words(day, "time"), _sky(day), *(number(day, one) for one in columns)] for day in days],
    }


def _rows(daily: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return columns as rows; one that is shorter has gaps."""
    columns = {key: column for key, column in daily.items() if isinstance(column, list)}
    count = len(columns.get("time", ()))
    return [
        {key: column[at] for key, column in columns.items() if at < len(column)}
        for at in range(min(count, MOST_DAYS))
    ]


def _day(row: Mapping[str, Any], heat: str, wind: str, wet: str) -> str:
    sun = "" if "sunrise" not in row else f", sun {words(row, 'sunrise')[-5:]} to {words(row, 'sunset')[-5:]}"
    return (
        f"- {words(row, 'time')}: {_sky(row)}, {number(row, 'temperature_2m_min')} to "
        f"{number(row, 'temperature_2m_max')} {heat}, precipitation {number(row, 'precipitation_sum')} {wet} "
        f"({number(row, 'precipitation_probability_max')} %), "
        f"wind to {number(row, 'wind_speed_10m_max')} {wind}{sun}"
    )


def _sky(row: Mapping[str, Any]) -> str:
    code = row.get("weather_code")
    return _CODES.get(code, f"code {code}") if isinstance(code, int) else "sky unknown"


def _point(degrees: object) -> str:
    return _POINTS[round(degrees / 45) % 8] if isinstance(degrees, int | float) else "?"

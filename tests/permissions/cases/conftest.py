"""Says at the end of a run how many cases of the catalogue were asked."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the number of cases by list."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == "catalogue":
                terminalreporter.write_line(f"permission cases: {value}")

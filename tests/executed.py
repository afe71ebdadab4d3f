"""Record in one run which tests execute which line of the code, for use with each mutant."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from coverage import Coverage

AT_IMPORT = ""
"""The context of what runs while modules are imported, which every test needs that uses the module."""

BUDGET = 60.0
"""Seconds of the processor that the tests chosen for one line took together, at most."""


def cpu_seconds() -> float:
    """Return the processor time of this process and its children, which does not depend on other load."""
    return sum(os.times()[:4])


@dataclass
class Executed:
    """What one run of the tests executed.

    `lines` has, by file and line (a numeral), the names of what executed it: tests, shared fixtures, or the
    import. `users` are the tests of each shared fixture; `seconds` is the processor time of each test that
    passed; `starters` are the tests and fixtures that start programs, whose lines are not recorded.
    """

    lines: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    users: dict[str, list[str]] = field(default_factory=dict)
    starters: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def tests_of(self, path: str, line: int) -> list[str]:
        """Return the tests that execute a line, fastest first, as many as the budget allows.

        For lines that only an import executes, they are the tests that execute any line of the module.
        """
        lines = self.lines.get(path, {})
        before = max((int(it) for it in lines if int(it) <= line), default=0)
        names = set(lines.get(str(before), ()))
        return self._within_budget(names) if names - {AT_IMPORT} else self.tests_of_files([path])

    def tests_of_files(self, paths: Iterable[str]) -> list[str]:
        """Return the tests that execute any line of some files, as `tests_of` does."""
        return self._within_budget(
            {name for path in paths for names in self.lines.get(path, {}).values() for name in names}
        )

    def tests_of_programs(self) -> list[str]:
        """Return the tests that start programs, as `tests_of` does."""
        return self._within_budget(self.starters)

    def _within_budget(self, names: Iterable[str]) -> list[str]:
        tests = {test for name in names for test in self.users.get(name, [name]) if test in self.seconds}
        chosen: list[str] = []
        spent = 0.0
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            spent += self.seconds[test]
            if chosen and spent > BUDGET:
                break
            chosen.append(test)
        return chosen


class Recorder:
    """A pytest plugin that records what a run executes.

    What a fixture of a module or session executes counts for all tests that use it, whichever comes first.
    """

    def __init__(self, tree: Path, rooms: Iterable[str]) -> None:
        self._tree = tree
        self._coverage = Coverage(
            data_file=None, config_file=False, include=[f"{tree / room}/*" for room in rooms]
        )
        self._contexts = [AT_IMPORT]
        self._items: list[pytest.Item] = []
        self._fixtures: set[tuple[str, str]] = set()
        self._failed: set[str] = set()
        self._starters: set[str] = set()
        self.executed = Executed()
        sys.addaudithook(self._note_start)
        self._coverage.start()

    def _note_start(self, event: str, _arguments: object) -> None:
        if event == "subprocess.Popen":
            self._starters.add(self._contexts[-1])

    def _enter(self, context: str) -> None:
        self._contexts.append(context)
        self._coverage.switch_context(context)

    def _leave(self) -> None:
        self._contexts.pop()
        self._coverage.switch_context(self._contexts[-1])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record a test under its name, and how long it takes."""
        self._items.append(item)
        self._enter(item.nodeid)
        started = cpu_seconds()
        try:
            return (yield)
        finally:
            self.executed.seconds[item.nodeid] = cpu_seconds() - started
            self._leave()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """Record a shared fixture under its own name."""
        if fixturedef.scope == "function":
            return (yield)
        self._fixtures.add((fixturedef.baseid, fixturedef.argname))
        self._enter(f"{fixturedef.baseid} {fixturedef.argname}")
        try:
            return (yield)
        finally:
            self._leave()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note tests that do not pass, which say nothing about a mutant."""
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Combine what was executed."""
        self._coverage.stop()
        data = self._coverage.get_data()
        for file in data.measured_files():
            path = Path(file).relative_to(self._tree).as_posix()
            found = data.contexts_by_lineno(file)
            self.executed.lines[path] = {str(line): names for line, names in found.items()}
        for base, name in self._fixtures:
            self.executed.users[f"{base} {name}"] = [
                item.nodeid
                for item in self._items
                if item.nodeid.startswith(base) and name in getattr(item, "fixturenames", ())
            ]
        self.executed.starters = sorted(self._starters)
        for test in self._failed:
            self.executed.seconds.pop(test, None)

    @property
    def failed(self) -> list[str]:
        """The tests that failed or skipped, by name."""
        return sorted(self._failed)

"""Fixtures that every test may use."""

from __future__ import annotations

import fcntl
import gc
import hashlib
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from shared import PLACE
from sweep import PartOf, left_out

if TYPE_CHECKING:
    from browser import Tabs
    from playwright.sync_api import Browser
    from rulesgraph import Rules
    from rulesgraph.queries.session import Session

ROOT = Path(__file__).resolve().parents[1]

# A run is green because the code is right: every run tries the same examples, however slow the machine
# is and whatever earlier runs found; `make test` fewer of them. `make fuzz` looks for new ones.
settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("brisk", settings.get_profile("steady"), max_examples=40)
settings.register_profile("fuzz", settings.get_profile("steady"), derandomize=False, max_examples=1_000)
settings.load_profile("steady")

# Reasoners in the tests run for a few seconds: compiling them for long work would take most of these.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

# Tables are as wide as in a pipe, whatever terminal the tests run in; no store and no switch of who runs them
# changes what they see.
for name in ("COLUMNS", "RULESGRAPH_STORE", "RULESGRAPH_DEBUG"):
    os.environ.pop(name, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options: to rewrite expected outputs, and to run a part of the sweeps."""
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite expected outputs by what comes out"
    )
    parser.addoption("--drawn", action="store_true", help="of many cases, run a part, drawn by their names")


# Thousands of tests, and editions that are kept for all who ask, would be gone through again and again.
gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exempt what was collected from garbage collection, since it stays for the whole run."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the files that use the browser first and in a row, so that one browser serves all of them.

    Files with long tests come next. The remaining ones are short, so several processes end at about the same
    time. A drawn run leaves out some of the long cases.
    """
    if config.getoption("--drawn"):
        absent = set(left_out(items))
        config.hook.pytest_deselected(items=list(absent))
        items[:] = [item for item in items if item not in absent]
    _OneBrowser.files = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    long = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: (item.path not in _OneBrowser.files, item.path not in long))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser before a file that does not use it, whatever the order."""
    if nextitem is None or nextitem.path not in _OneBrowser.files:
        _OneBrowser.end()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI, a test that would be skipped fails, since everything it needs must be there."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} would skip, which no test may do in CI: {report.longreprtext}"
    return report


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten rather than compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def part_of(request: pytest.FixtureRequest) -> PartOf:
    """Draw some of the many cases of a test: `part_of(cases, count)`; all unless pytest has `--drawn`."""
    return PartOf(request.node.nodeid, is_whole=not request.config.getoption("--drawn"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents beside the checkout; tests that need it skip without it.

    With `RULESGRAPH_REQUIRE_SHARED=1`, as in CI, they fail instead, so that a run without real documents is
    not taken for one with them.
    """
    if not (PLACE / "corpora").is_dir():
        reason = f"the real documents are not at {PLACE} (set RULESGRAPH_SHARED)"
        if os.environ.get("RULESGRAPH_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return PLACE


@pytest.fixture(scope="session")
def store_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return the store built from some files, for tests that only read.

    Each is built once per run, by the process of `-n` that first asks for it.
    """
    from rulesgraph.loaders.build import build

    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "stores"
    folder.mkdir(exist_ok=True)

    def built(*sources: Path) -> Path:
        name = hashlib.sha256("\n".join(sorted(map(str, sources))).encode()).hexdigest()[:16]
        with (folder / f"{name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / f"{name}.done").exists():
                assert not build(sources or None, str(folder / name)).refused
                (folder / f"{name}.done").touch()
        return folder / name

    return built


class _OneBrowser:
    """The browser of this process. While it is open, only playwright may have an asyncio loop."""

    files: ClassVar[set[Path]] = set()
    _open = ExitStack()
    _browser: Browser | None = None

    @classmethod
    def started(cls) -> Browser:
        from browser import chromium

        if cls._browser is None:
            cls._browser = cls._open.enter_context(chromium())
        return cls._browser

    @classmethod
    def end(cls) -> None:
        cls._browser = None
        cls._open.close()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """The browser, because starting it takes longer than most tests."""
    return _OneBrowser.started()


@pytest.fixture(scope="module")
def tabs(browser: Browser) -> Tabs:
    """Pages of the browser, for tests that clean up after themselves."""
    from browser import Tabs

    return Tabs(browser)


@pytest.fixture(scope="session")
def starter_store(store_of: Callable[..., Path]) -> Path:
    """A store on disk with the starter rules, for tests that only read."""
    return store_of()


@pytest.fixture(scope="session")
def mini_store(store_of: Callable[..., Path]) -> Path:
    """A store on disk with the mini game: two editions of its rules and a page of rulings between them."""
    return store_of(ROOT / "tests" / "mini")


@pytest.fixture(scope="session")
def newest_store(shared: Path, store_of: Callable[..., Path]) -> Path:
    """A store on disk with the newest real edition, for tests that only read."""
    from real import AROUND, rules

    return store_of(rules(shared, AROUND[-1]))


@pytest.fixture(scope="session")
def newest_rules(newest_store: Path) -> Rules:
    """The newest real edition, opened once; its names, links and index are read when first needed."""
    import rulesgraph

    return rulesgraph.open(newest_store)


@pytest.fixture(scope="session")
def newest(newest_rules: Rules) -> Session:
    """A session over the newest real edition."""
    return newest_rules.session


@pytest.fixture(scope="session")
def real_rules(shared: Path, store_of: Callable[..., Path]) -> Rules:
    """The real editions of `real.AROUND`, opened once."""
    import rulesgraph
    from real import AROUND, rules

    return rulesgraph.open(store_of(*(rules(shared, day) for day in AROUND)))


@pytest.fixture(scope="session")
def real(real_rules: Rules) -> Session:
    """A session over the real editions of `real.AROUND`."""
    return real_rules.session


@pytest.fixture(scope="session")
def mini_rules(mini_store: Path) -> Rules:
    """The mini game, opened once."""
    import rulesgraph

    return rulesgraph.open(mini_store)


@pytest.fixture(scope="session")
def mini(mini_rules: Rules) -> Session:
    """A session over the mini game."""
    return mini_rules.session


@pytest.fixture(scope="session")
def defined_store(store_of: Callable[..., Path]) -> Path:
    """A store on disk of documents with every form of definition, and a list of colors, not a term."""
    return store_of(ROOT / "tests" / "defined")


@pytest.fixture(scope="session")
def defined(defined_store: Path) -> Session:
    """A session over the documents with every form of definition."""
    from asking import session_on

    return session_on(defined_store)


@pytest.fixture(scope="session")
def disputed_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with the mini game's rules and a later edition with disputed kinds.

    Flutter has become a static ability. The rules say something new about glimmer; the glossary still says
    the old.
    """
    from rulesgraph.loaders.build import build

    folder = tmp_path_factory.mktemp("disputed")
    pages = sorted((ROOT / "tests" / "mini").glob("lanterns-*"))
    text = pages[-1].read_text(encoding="utf-8").replace("July 1, 2031", "March 1, 2032")
    text = text.replace("Flutter is a triggered ability", "Flutter is a static ability")
    text = text.replace('Glimmer is a static ability. "', 'Glimmer is a triggered ability. "')
    later = folder / "lanterns-2032-03-01.txt"
    later.write_text(text, encoding="utf-8")
    assert not build([*pages, later], str(folder / "store")).refused
    return folder / "store"


@pytest.fixture(scope="session")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with one arbitrary graph, for tests that copy it."""
    from folders import stored

    return stored(tmp_path_factory.mktemp("small") / "store")


@pytest.fixture
def starter_copy(starter_store: Path, tmp_path: Path) -> Path:
    """A copy of the starter store, for a test that changes it."""
    return Path(shutil.copytree(starter_store, tmp_path / "store"))


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the caches of endpoints and locked stores apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def in_an_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run a test in its own folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: `run("ask", "--list")` → exit code, stdout, stderr."""
    from rulesgraph.app.cli import main

    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call

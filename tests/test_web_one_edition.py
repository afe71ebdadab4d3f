"""The pages of a store with one edition: words are read once, entries have their own history."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.pages.page_table import page_at
from rulesgraph.app.web.service import application
from rulesgraph.queries.history.links import outline
from starlette.testclient import TestClient

EDITION = "cr-2031-07-01"
MINI = Path(__file__).parent / "mini" / "lanterns-2031-07-01.txt"


@pytest.fixture(scope="module")
def context(store_of: Callable[..., Path]) -> PageContext:
    return PageContext(rulesgraph.open(store_of(MINI)))


def test_the_words_of_rules_are_read_at_once(context: PageContext, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def counted(*given: object) -> object:
        asked.append(given)
        return outline(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("rulesgraph.app.web.pages.edition_snapshot.outline", counted)
    for number in ("101.1", "201.2", "320.4", "320.3"):
        assert page_at(context, f"edition/{EDITION}/rule/{number}.html").status == 200
    assert 1 <= len(asked) <= 2


def test_on_a_page_an_entry_has_its_own_history_beside_that_of_its_rule(context: PageContext) -> None:
    assert [row[1] for row in context.rules.history("Drift", EDITION).rows] == ["Drift", "320.3"]
    assert [row[1] for row in context.history.rows("Drift", EDITION)] == ["Drift"]


# -- the real rules, of which one text is loaded --------------------------------------------------------


def test_what_other_editions_had_is_told_from_one_text(newest_store: Path) -> None:
    now = "edition/cr-2026-01-16/rule/{}.html"
    with TestClient(application(newest_store), headers={"Accept": "text/html"}) as client:
        for asked, there in (("502.15", "702.26"), ("when was planeswalker introduced", "306")):
            found = client.get("/search", params={"q": asked})
            assert found.status_code == 200
            assert there in _told(found.text, "<main", "</main>")
            links = re.findall(r'href="([^"]*/rule/[^"]*)"', found.text)
            assert all("cr-2026-01-16" in it for it in links)
        gone = client.get(now.format("502.15"))
        assert gone.status_code == 410
        told = _told(gone.text, '<ol class="timeline">', "</ol>")
        assert told.startswith("1 May 2009 502.15 the last edition with it 11 July 2009 702.23 renumbered")
        assert told.endswith("16 January 2026 702.26 unchanged")
        assert now.format("702.26").split("/")[-1] in gone.text
        assert client.get(now.format("999.1")).status_code == 404


def test_similar_cases_come_after_the_closest_rules_with_links_to_theirs(newest_store: Path) -> None:
    with TestClient(application(newest_store), headers={"Accept": "text/html"}) as client:
        page = client.get("/search", params={"q": "can i respond to a land being played"}).text
    assert "A similar case" not in page
    closest, cases, passages = (page.index(f'id="{it}"') for it in ("closest", "cases", "passages"))
    assert closest < page.index('class="reason"') < cases < passages
    told = [re.sub("<[^>]*>", "", it) for it in re.findall("<dd>(.*?)</dd>", page[cases:passages], re.DOTALL)]
    assert told[0].startswith(
        "No. It takes a main phase of mine and an empty stack. → 305.1, 116.2a (made up"
    )
    assert 'href="edition/cr-2026-01-16/rule/116.2a.html">116.2a</a>' in page[cases:passages]


def test_a_page_tells_what_is_missing_without_commands(newest_store: Path) -> None:
    with TestClient(application(newest_store), headers={"Accept": "text/html"}) as client:
        page = _told(client.get("/search?q=which+cards+have+flying").text, "<main", "</main>")
    assert "No cards are loaded." in page
    assert "`" not in page


def _told(page: str, start: str, end: str) -> str:
    part = page[page.index(start) :]
    return " ".join(re.sub("<[^>]*>", " ", part[: part.index(end)]).split())

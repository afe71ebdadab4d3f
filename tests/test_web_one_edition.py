"""The pages of a store with one edition: words are read once, entries have a history of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.pages.page_table import page_at
from rulesgraph.queries.history.links import outline

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


def test_an_entry_does_not_have_the_history_of_the_rule_with_its_name(context: PageContext) -> None:
    assert context.rules.history("Drift", EDITION).rows[0][1] == "320.3"
    assert context.history.rows("Drift", EDITION)[0][1] == "Drift"

"""The frame of pages: title, description, and the menu of editions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rulesgraph.app.web.pages.layout import MENU, few
from rulesgraph.app.web.service import application
from rulesgraph.queries.session import Edition
from starlette.testclient import TestClient


def test_a_page_says_in_the_window_and_to_search_engines_what_it_tells(mini_store: Path) -> None:
    with TestClient(application(mini_store), headers={"Accept": "text/html"}) as web:
        page = web.get("/edition/cr-2031-07-01/rule/101.1.html").text
    assert re.search(r"<title>101\.1: \w.+ · rulesgraph</title>", page)
    assert re.search(r'<meta name="description" content="\w[^"]{20,}">', page)


@pytest.mark.parametrize("shown", [0, 1, 60, 126, 127])
def test_a_menu_of_many_editions_has_a_few_of_them(shown: int) -> None:
    choices = [(Edition(f"cr-{k}", "", None, (), False), str(k), k == shown) for k in range(128)]
    menu = few(choices)
    assert len(menu) <= MENU
    assert all(it in menu for it in (choices[0], choices[shown], choices[-1]))
    assert few(choices[:MENU]) == choices[:MENU]

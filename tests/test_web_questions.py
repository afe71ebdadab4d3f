"""The page of the catalogue has each question once, under its subject."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.app.web.pages import routing
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.pages.overview import front_page
from rulesgraph.app.web.service import application
from rulesgraph.queries.catalogue.questions import AREAS, questions, read_question
from starlette.testclient import TestClient

BY_AREA = {
    "Terms and their names": "ambiguous_names called_also defining_rules definition obsolete_terms "
    "other_names redirects terms_defined_by unused_terms",
    "What relies on what": "also_see cited_by citing interaction most_cited most_relied_on mutual_reliance "
    "relied_on_by_term rules_relying_on terms_relying_on",
    "Kinds and lists": "facts_about kinds_of list_items lists_with narrower_terms template_of terms_of_kind "
    "whether",
    "Steps and their order": "contents next_after next_before parts_of place_in_turn steps_of turn_in_order",
    "What changed": "changed_rules most_renumbered new_terms newest_paragraphs paragraphs_changed_since "
    "renamed_terms replacement",
    "What the texts say": "authorities documents examples_of mentions_of mentions_of_both most_mentioned "
    "rule_text rulings rulings_by statistics terms_mentioned_in",
    "Cards": "cards_touched_by cards_with cards_with_both rules_of_card rulings_about terms_on_cards",
    "Defects of the texts": "cited_only dangling_references mismatched_titles problems undated_paragraphs "
    "undefined_entries",
}


def test_questions_stand_under_what_they_are_about(mini_store: Path) -> None:
    client = TestClient(application(mini_store), headers={"accept": "text/html"})
    page = client.get("/questions.html").text
    sections = re.findall(r'<section aria-labelledby="(\w+)">(.*?)</section>', page, re.DOTALL)
    found: dict[str, str] = {}
    titles: dict[str, str] = {}
    for key, section in sections:
        [(marked, heading, count)] = re.findall(
            r'<h2 id="(\w+)">(.*?) <span class="count">(\d+)</span></h2>', section
        )
        links = re.findall(r'<dt><a href="[^"]*question/(\w+)\.html">(.*?)</a></dt>', section)
        assert (marked, int(count), AREAS[key]) == (key, len(links), heading)
        found[heading] = " ".join(name for name, _ in links)
        titles |= {name: unescape(title) for name, title in links}
    assert list(found.items()) == list(BY_AREA.items())
    assert titles == {it.name: re.sub(r"{\w+}", "…", it.title) for it in questions()}


def test_an_area_that_there_is_not_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="not an area of questions: weather"):
        read_question("moths", "#+ question: Which moths are there?\n#+ area: weather\nASK {}")


EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"


@pytest.mark.parametrize(
    ("asked", "links"),
    [
        (
            "When did the moth first appear?",
            f"edition/{EARLY}.html edition/{EARLY}/entry/moth.html "
            f"edition/{LATE}.html edition/{LATE}/entry/moth.html "
            f"edition/{EARLY}.html edition/{EARLY}/rule/202.html "
            f"edition/{LATE}.html edition/{LATE}/rule/202.html",
        ),
        (
            "What became of 310.2?",
            f"edition/{EARLY}.html edition/{EARLY}/rule/300.2.html "
            f"edition/{LATE}.html edition/{LATE}/rule/310.2.html",
        ),
        (
            f"What changed in 301.3 between {EARLY} and {LATE}?",
            f"edition/{EARLY}/rule/301.3.html edition/{LATE}/rule/320.4.html "
            f"edition/{EARLY}/rule/301.3a.html edition/{LATE}/rule/320.4a.html",
        ),
    ],
)
def test_what_became_of_things_is_answered_with_links_into_each_edition(
    mini_store: Path, asked: str, links: str
) -> None:
    client = TestClient(application(mini_store), headers={"accept": "text/html"})
    answer = client.get("/search", params={"q": asked})
    assert answer.status_code == 200
    [table] = re.findall(r"<table.*?</table>", answer.text, re.DOTALL)
    assert re.findall(r'<a href="/?([^"]*)"', table) == links.split()
    assert {client.get(f"/{link}").status_code for link in links.split()} == {200}
    assert "Show on the map" not in answer.text


def test_the_words_of_a_change_are_struck_out_and_marked(mini_store: Path) -> None:
    asked = f"What changed in 301.3 between {EARLY} and {LATE}?"
    page = TestClient(application(mini_store), headers={"accept": "text/html"})
    cells = re.findall(r'data-column="words"[^>]*>(.*?)</td>', page.get("/search", params={"q": asked}).text)
    changes = rulesgraph.open(mini_store).diff(EARLY, LATE, within="301.3").changes
    signs = {"[-": "<del>", "-]": "</del>", "{+": "<ins>", "+}": "</ins>"}
    assert any("<del>" in it and "<ins>" in it for it in cells)
    assert [unescape(it) for it in cells] == [
        re.sub("|".join(map(re.escape, signs)), lambda sign: signs[sign[0]], str(row["words"]))
        for row in changes.records()
    ]


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("trace the moth", "What is the history of Moth?"),
        (
            "what changed in 301.3 since the last edition",
            f"What changed in 301.3 between {EARLY} and {LATE}?",
        ),
        (f"what was moth in {EARLY}", f"What is Moth? in {EARLY}"),
    ],
)
def test_a_page_of_results_says_how_words_were_understood(mini_store: Path, words: str, heading: str) -> None:
    assert heading_of(mini_store, words) == heading


def test_a_page_of_results_names_the_edition_of_an_answer(mini_store: Path) -> None:
    client = TestClient(application(mini_store))
    for more, edition in (("", LATE), (f"&edition={EARLY}", EARLY)):
        page = client.get(f"/search.html?q=which+rules+mention+moths{more}").text
        assert f'<p class="quiet">From {edition}.</p>' in page


def test_what_an_answer_leads_with_comes_before_its_table(mini_store: Path) -> None:
    lead = f"Moth is in the newest rules, {LATE}, as Moth, 202."
    page = TestClient(application(mini_store)).get("/search.html?q=does+the+moth+still+exist").text
    assert rulesgraph.open(mini_store).ask("does the moth still exist").lead[0] == lead
    assert page.count(lead) == 1
    assert 0 < page.index(lead) < page.index("<table")


def test_a_step_by_its_place_has_a_page_of_results(defined_store: Path) -> None:
    told = "What are the steps of Filling a flask? Number 2"
    assert heading_of(defined_store, "step 2 of filling a flask").lower() == told.lower()


def heading_of(store: Path, words: str) -> str:
    """Return how a page of results says that it understood words."""
    page = TestClient(application(store), headers={"accept": "text/html"}).get("/search", params={"q": words})
    [heading] = re.findall(r'<h2 id="answer">(.*?)<span', page.text, re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "", heading)).strip()


PROPOSED = {
    "mini_store": ["Dusk Checks", "Lantern", "Moth"],
    "starter_store": [
        "state-based actions",
        "Card Type, Supertype, and Subtype",
        "Playing Spells and Activated Abilities",
    ],
}


@pytest.mark.parametrize("store", PROPOSED)
def test_what_the_front_page_proposes_can_be_asked_about(request: pytest.FixtureRequest, store: str) -> None:
    rules = rulesgraph.open(request.getfixturevalue(store))
    page = front_page(PageContext(rules)).html
    start = page.index('class="tries"')
    tries = re.findall(r">([^<]*)</a>", page[start : page.index("</ul>", start)])
    assert tries == [f"Which terms rely on {it}?" for it in PROPOSED[store]]
    assert all(rules.ask(it).name == "terms_relying_on" for it in tries)


def test_a_question_is_chosen_filled_in_and_run(mini_store: Path) -> None:
    """On the page for queries; a name that nothing has is refused there."""
    with TestClient(application(mini_store), base_url="http://localhost") as web:
        _choose_and_run(web)


def _choose_and_run(web: TestClient) -> None:
    blank = web.get("/query.html?example=citing").text
    assert '<option value="citing" selected>' in blank
    assert 'id="p-concept"' in blank
    proposed = web.get("/question/citing.html").text
    assert "/term/trample&gt;" in blank  # not every slot must be filled
    assert "term%2Ftrample%3E" in proposed
    run = web.get("/query.html?example=citing&concept=Moth").text
    assert "/term/moth&gt;" in run
    assert "<table" in run
    wrong = web.get("/query.html?example=citing&concept=nothing of the kind")
    assert wrong.status_code == 404
    assert 'role="alert"' in wrong.text


def test_a_long_answer_is_shown_a_page_at_a_time(mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesgraph.app.web.pages.asking.ROWS", 2)
    with TestClient(application(mini_store), base_url="http://localhost") as web:
        address, seen = "question/mentions_of.html?concept=Lantern", []
        while address:
            page = web.get(f"/{address}").text
            seen += re.findall(r'data-column="line"[^>]*>(\d+)', page)
            [count] = re.findall(r'<h2 id="answer">Answer <span class="count">(\d+)', page)
            found = re.search(r'rel="next" href="\.\./([^"]*)"', page)
            address = unescape(found[1]) if found else ""
        rows = rulesgraph.open(mini_store).ask("mentions_of", "Lantern").records()
        assert (len(seen), int(count)) == (len(rows), len(rows))
        assert seen == [str(row["line"]) for row in rows]
        assert len(rows) > 4
        found_in_words = web.get("/search?q=What mentions lantern?").text
        assert f"These are the first 2 of {len(rows)}" in found_in_words
        assert 'href="question/mentions_of.html?concept=' in found_in_words
        assert re.findall(r'<h2 id="answer">.*<span class="count">(\d+)', found_in_words) == [str(len(rows))]


def test_a_result_too_large_for_a_page_is_offered_otherwise(
    mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routing, "_MOST_SHOWN", 5 << 20)
    query = "SELECT ?a ?b { ?a a rg:Term . ?b a ?kind . ?c a ?other }"
    with TestClient(application(mini_store)) as web:
        page = web.get("/query.html", params={"query": f"{query} LIMIT 60000"})
        assert (page.status_code, "too many for a page" in page.text) == (413, True)
        assert "<table" in web.get("/query.html", params={"query": f"{query} LIMIT 10"}).text

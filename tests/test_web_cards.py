"""The pages of cards: of single cards, paged lists, and suggested names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.app.web.errors import told
from rulesgraph.app.web.pages import overview
from rulesgraph.app.web.service import application
from rulesgraph.ontology.errors import NothingFoundError
from rulesgraph.queries.cards import ruled
from starlette.testclient import TestClient


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of the service over the starter rules and the starter cards."""
    store = tmp_path_factory.mktemp("cards") / "store"
    rulesgraph.build(store=store)
    with TestClient(application(store), headers={"Accept": "text/html"}) as client:
        yield client


def test_the_page_of_a_card(web: TestClient) -> None:
    page = web.get("/card/quickglass-blade")
    assert (page.status_code, page.url.path) == (200, "/card/quickglass-blade.html")
    assert "The bearer of Quickglass Blade has lifelink." in page.text
    assert 'href="../term/lifelink.html"' in page.text
    assert 'href="../edition/starter/rule/420.5.html"' in page.text  # the rule that its ruling cites
    assert ruled.GUESSED not in page.text
    assert web.get("/card/no-such-card.html").status_code == 404


def test_a_type_that_only_cards_have_is_described(web: TestClient) -> None:
    page = web.get("/term/snake.html")
    assert page.status_code == 200
    assert "skos:prefLabel" in page.text
    for address in "/search?q=which+cards+are+snakes", "/cards.html?term=Snake":
        assert 'href="card/thornwater-adder.html' in web.get(address).text


def test_a_guessed_rule_is_told_as_one(web: TestClient) -> None:
    page = web.get("/card/oru-first-of-the-walkers.html").text
    assert ruled.GUESSED in page
    assert re.search(r'data-column="maybe"[^>]*>G12\.18b<', page)


def test_the_search_knows_how_names_of_cards_begin(web: TestClient) -> None:
    page = web.get("/search?q=merrin").text
    assert 'href="card/merrin-keeper-of-tolls.html"' in page
    assert "The names of several cards begin with “merrin”" in page
    assert "No passage contains these words" not in page


def test_a_face_is_told_of_on_the_page_of_its_card(web: TestClient) -> None:
    page = web.get("/card/ebb-tide.html").text
    assert "Ebb // Tide" in page
    assert "Each player takes an extra turn." in page


def test_a_term_leads_to_its_cards(web: TestClient) -> None:
    assert '<a href="../cards.html?term=Lifelink">On 2 cards</a>' in web.get("/term/lifelink.html").text
    page = web.get("/cards.html?term=Lifelink").text
    assert 'href="card/quickglass-blade.html"' in page
    assert "2 cards" in page
    assert web.get("/cards.html?term=no+such+term").status_code == 404


def test_lists_of_cards_go_on(web: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "MOST", 5)
    second = web.get("/cards.html?page=2").text
    assert "12 cards, page 2 of 3" in second
    assert 'rel="prev" href="cards.html"' in second
    assert 'rel="next" href="cards.html?page=3"' in second
    for odd in ("999", "0", "x", "9" * 40):
        assert web.get(f"/cards.html?page={odd}").status_code == 200


def test_cards_are_a_layer_of_the_map_that_is_asked_for(web: TestClient) -> None:
    """The things they name are highlighted; without a question, no card is on the map."""
    layer = re.search(r'href="(?:../)*(\S+terms_on_cards)"', web.get("/cards.html").text)
    one = re.search(r'href="(?:../)*(\S+rules_of_card\S+)"', web.get("/card/quickglass-blade.html").text)
    assert layer
    assert one
    assert "Which terms appear on cards?" in web.get("/" + layer[1]).text
    assert "Equip {2}" in web.get("/" + unescape(one[1])).text
    assert "Quickglass" not in web.get("/map.html").text


OFFERED = {
    "Slow Lantern": "answer=rules_of_card&with=Slow+Lantern",
    "show Slow Lantern": "answer=rules_of_card&with=Slow+Lantern",
    "Which cards have lifelink?": "answer=Which+cards+have+lifelink%3F",
    "Does Quickglass Blade stay on a bearer?": "answer=Does+Quickglass+Blade+stay+on+a+bearer%3F",
    "Which terms rely on state-based effects?": "answer=Which+terms+rely+on+state-based+effects%3F",
    "How many rules are there?": "answer=How+many+rules+are+there%3F",
}
"""What a search offers to show on the map: the rules of a card, and answers of other kinds."""


@pytest.mark.parametrize("words", OFFERED)
def test_what_a_search_offers_to_show_on_the_map_is_shown(web: TestClient, words: str) -> None:
    page = unescape(web.get("/search", params={"q": words}).text).partition("<main")[2]
    [link] = set(re.findall(r'href="/?map\?([^"]*)"', page))
    assert link == OFFERED[words]
    assert web.get(f"/map?{link}").status_code == 200


def test_lines_of_a_card_stay_apart(web: TestClient) -> None:
    assert "white-space: pre-line" in web.get("/static/site.css").text.partition("td.telling {")[2][:99]
    assert "\n" in re.findall(r'class="telling">([^<]*)<', web.get("/search?q=Harbor+Watchman").text)[0]


def test_search_and_fields_know_cards(web: TestClient) -> None:
    names = dict(web.get("/search/names.json").json()["others"])
    assert names["Slow Lantern"] == "card/slow-lantern.html"
    assert 'href="card/slow-lantern.html"' in web.get("/search?q=Slow+Lantern").text


def test_the_rulings_on_the_cards_of_a_question_come_before_the_closest_rules(web: TestClient) -> None:
    asked = "Does Quickglass Blade stay on a bearer that is no creature?"
    page = web.get("/search", params={"q": asked}).text
    shown = page.index('A ruling (<a href="card/quickglass-blade.html">Quickglass Blade</a>, 2008-02-01)')
    assert page.index("These rules come closest: excerpts, not a ruling.") < shown < page.index(", line ")


def test_the_text_of_a_card_comes_before_the_closest_rules(web: TestClient) -> None:
    page = unescape(web.get("/search", params={"q": "who gets priority with Quickglass Blade?"}).text)
    closest = page[page.index('id="closest"') :]
    assert "The bearer of Quickglass Blade has lifelink." in closest[: closest.index('<ol class="hits">')]


def test_without_cards_nothing_is_offered(mini_store: Path) -> None:
    with TestClient(application(mini_store), headers={"Accept": "text/html"}) as client:
        assert "No cards are loaded." in client.get("/cards.html").text
        assert client.get("/search/names.json").json()["others"] == []


def test_cards_in_notes_are_linked_and_misspelt_ones_suggested(web: TestClient) -> None:
    """The list of passages with the words does not repeat what no rule has."""
    page = web.get(
        "/search", params={"q": "Does Quickglass Blade stay on a bearer that is no creature?"}
    ).text
    assert 'Cards: <a href="card/quickglass-blade.html">Quickglass Blade</a>.' in page
    assert "No rule has" not in page.partition('id="passages"')[2]
    page = web.get("/search", params={"q": "does thronwatter adder stay"}).text
    assert "No loaded card is called “thronwatter adder”" in page
    assert 'Did you mean <a href="card/thornwater-adder.html">Thornwater Adder</a>?' in page


def test_where_nothing_is_found_cards_that_are_not_loaded_are_a_reason(web: TestClient) -> None:
    page = unescape(web.get("/search", params={"q": "xylophony on zzyzzy"}).text).partition("<main")[2]
    told = page[page.index("No passage contains these words.") :]
    assert "If you mean cards, they are not in " in told


def test_what_a_store_has_nothing_for_is_not_found() -> None:
    """A store of cards alone has no map."""
    status, reason = told(NothingFoundError("there is nothing to show", way_out="Load a document."))
    assert (status, reason) == (404, "there is nothing to show\nLoad a document.")

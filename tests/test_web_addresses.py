"""Every IRI under the base in the data answers, to people and to programs."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from real import AROUND, rules
from rulesgraph.app.web.pages.addresses import VERSION, VERSIONS
from rulesgraph.app.web.pages.page_table import PAGES
from rulesgraph.app.web.service import application
from rulesgraph.loaders.graph.emit import vocabulary_triples
from rulesgraph.ontology.iris import BASE
from rulesgraph.viz.vocabulary.reference import FILES
from starlette.testclient import TestClient
from sweep import PartOf

_NAMES_NOTHING = {f"{BASE}term/", BASE}
"""The namespace of a prefix, and the project, whose address is the front page."""


def documents_of(store: Path) -> list[str]:
    """Return the addresses of all that exports of a store and the vocabulary name, fragments left out.

    The export of everything has all of the newest edition.
    """
    rules = rulesgraph.open(store)
    out = io.BytesIO()
    rules.export("skos", out)
    for edition in ("", *(it.id for it in rules.editions[1:])):
        rules.export("nquads", out, edition=edition or None)
    files = [it.content().decode() for name, it in FILES.items() if name != "questions"]
    named = re.findall(rf"<({re.escape(BASE)}[^>\s]*)>", "".join((out.getvalue().decode(), *files)))
    return sorted({it.partition("#")[0] for it in named} - _NAMES_NOTHING)


def silent(store: Path, addresses: list[str]) -> list[tuple[str, str, int]]:
    """Return the addresses that do not answer in a form, with their status."""
    wrong = []
    with TestClient(application(store), base_url="http://localhost") as web:
        for iri in addresses:
            for media in ("text/html", "text/turtle"):
                found = web.get("/" + iri.removeprefix(BASE), headers={"Accept": media})
                if found.status_code != 200 or not found.headers["content-type"].startswith(media):
                    wrong.append((iri, media, found.status_code))
    return wrong


def test_a_drawn_part_of_all_addresses_answers(mini_store: Path) -> None:
    known = documents_of(mini_store)
    always = [it for it in known if it.count("/") < 6]
    assert silent(mini_store, [*always, *random.Random(1).sample(known, 40)]) == []


@pytest.mark.long(small="test_a_drawn_part_of_all_addresses_answers")
def test_every_address_answers(mini_store: Path, part_of: PartOf) -> None:
    assert silent(mini_store, part_of(documents_of(mini_store), 60)) == []


@pytest.mark.long(small="test_a_drawn_part_of_all_addresses_answers")
def test_addresses_of_real_rules_answer(store_of: Callable[..., Path], shared: Path, part_of: PartOf) -> None:
    """Among them those of editions and rules that only the list of permanent ids knows."""
    store = store_of(*(rules(shared, day) for day in AROUND))
    known = documents_of(store)
    editions = [it for it in known if it.count("/") == 5 and "/edition/" in it]
    assert len(editions) > 100
    draw = random.Random(2).sample
    some = [*draw(editions, 40), *draw(known, 120)]
    assert silent(store, part_of(some, 8)) == []


@pytest.mark.parametrize(
    ("accept", "ending"),
    [
        ("application/n-quads", "nq"),
        ("application/trig", "trig"),
        ("application/x-turtle", "ttl"),
    ],
)
def test_other_notations_are_served(mini_store: Path, accept: str, ending: str) -> None:
    with TestClient(application(mini_store), base_url="http://localhost") as web:
        found = web.get("/term/flutter", headers={"Accept": accept})
        assert found.url.path == f"/term/flutter.{ending}"
        assert "Flutter" in found.text


def test_each_version_of_the_vocabulary_is_that_of_its_file() -> None:
    told = "\n".join(vocabulary_triples().lines)
    found = re.findall(rf"owl#versionIRI> <{re.escape(BASE)}([^>]*)>", told)
    assert sorted(found) == sorted(VERSIONS)
    assert set(re.findall(r'owl#versionInfo> "([^"]*)"', told)) == {VERSION}


def test_every_short_address_leads_to_a_page_of_the_table(mini_store: Path) -> None:
    values = {
        "name": "definition",
        "before": "cr-2031-02-01",
        "after": "cr-2031-07-01",
        "edition": "cr-2031-07-01",
    }
    short = [it.format(**values) for kind in PAGES for it in kind.short]
    assert len(short) == 12
    with TestClient(application(mini_store), headers={"Accept": "text/html"}) as client:
        for address in short:
            answer = client.get(f"/{address}", follow_redirects=False)
            assert (address, answer.status_code) == (address, 308)
            assert client.get(answer.headers["location"]).status_code == 200

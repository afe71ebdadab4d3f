"""The reference page: every term with its anchor, well-formed, and no requests to other hosts."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from asking import session_on
from browser import Tabs
from commands import Run
from pyoxigraph import Literal, NamedNode, RdfFormat, parse
from rulesgraph import Rules
from rulesgraph.loaders.store import Store
from rulesgraph.ontology.iris import BASE, GAME, NAMESPACES, VOCABULARY
from rulesgraph.ontology.resources import CODES_FILE, ontology_turtle, read_text
from rulesgraph.ontology.terms import (
    CLASSES,
    GAME_CLASSES,
    IN_OLDER_EDITIONS,
    INDIVIDUALS,
    PREFIXES,
    PROPERTIES,
    RG,
)
from rulesgraph.queries.session import Answer, Session
from rulesgraph.viz.vocabulary.declared import Facts, Term, ontologies
from rulesgraph.viz.vocabulary.reference import (
    EXAMPLE,
    borrowed_terms,
    code_schemes,
    example_query,
    render_vocabulary,
)

NAMES = (*CLASSES, *GAME_CLASSES, *PROPERTIES, *INDIVIDUALS)
HEADER = {
    "title": "name",
    "description": "description",
    "license": "license",
    "created": "dateCreated",
    "modified": "dateModified",
}
"""The vocabulary's statements about itself, and their labels on the page."""

VOID = {"meta", "input", "br", "link", "img", "hr"}
SUB_CLASS, DOMAIN = PREFIXES["rdfs"] + "subClassOf", PREFIXES["rdfs"] + "domain"


class PageReader(HTMLParser):
    """Follows a page and records ids, links, and elements closed in the wrong place."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name == "href" and value:
                (self.links if tag == "a" else self.loads).append(value)
            if name in {"src", "srcset", "data", "poster"} and value:
                self.loads.append(value)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> in line {self.getpos()[0]}")


@pytest.fixture(scope="module")
def page() -> str:
    return render_vocabulary()


def test_the_page_names_the_licence_that_the_vocabulary_has(page: str) -> None:
    licences = {
        triple.object.value
        for turtle in ontology_turtle()
        for triple in parse(turtle, RdfFormat.TURTLE)
        if triple.predicate.value == PREFIXES["dcterms"] + "license" and isinstance(triple.object, NamedNode)
    }
    assert len(licences) == 1
    eyebrow = re.search(r'<p class="eyebrow">.*?</p>', page, re.DOTALL)
    assert eyebrow
    assert re.findall(r'href="([^"]+)"', eyebrow[0]) == list(licences)


@pytest.fixture(scope="module")
def reader(page: str) -> PageReader:
    return PageReader(page)


@pytest.fixture(scope="module")
def terms() -> dict[str, Term]:
    return {term.name: term for o in ontologies(Facts()) for group in o["groups"] for term in group["terms"]}


def rows(term: Term) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in term.rows:
        found.setdefault(row.label, []).extend(link.text for link in row.links)
    return found


# -- what is on it ----------------------------------------------------------------------------------


def test_every_term_has_its_anchor(reader: PageReader, terms: dict[str, Term]) -> None:
    assert sorted(terms) == sorted(NAMES)
    for name in NAMES:
        assert reader.ids.count(name) == 1, name


def test_the_page_is_whole(reader: PageReader) -> None:
    assert (reader.wrong, reader.open) == ([], [])
    assert len(reader.ids) == len(set(reader.ids))


def test_a_page_that_is_not_whole_would_be_noticed() -> None:
    assert PageReader("<p><b>x</p></b>").wrong
    assert PageReader("<main><p>x</p>").open


def test_links_on_the_page_lead_to_anchors(reader: PageReader) -> None:
    inner = {link.removeprefix("#") for link in reader.links if link.startswith("#")}
    assert inner <= set(reader.ids)
    assert set(NAMES) <= inner  # from the table of contents
    assert all(link.startswith(("#", "http", "data:")) for link in reader.links)


def test_downloads_are_the_files_that_the_command_writes(run: Run, page: str) -> None:
    handed = re.findall(r'href="data:([\w/+]+);base64,([^"]+)" download="([^"]+)"', page)
    assert [(media, file) for media, _, file in handed] == [
        ("text/turtle", "rulesgraph.ttl"),
        ("text/turtle", "shapes.ttl"),
        ("text/turtle", "constraints.ttl"),
        ("application/ld+json", "context.jsonld"),
        ("text/turtle", "questions.ttl"),
    ]
    forms = ("turtle", "shapes", "constraints", "context", "questions")
    for form, (_, content, _) in zip(forms, handed, strict=True):
        assert run("vocabulary", "--as", form)[1] == base64.b64decode(content).decode(), form


def test_the_page_describes_itself_to_programs(page: str, terms: dict[str, Term]) -> None:
    [embedded] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    about = json.loads(embedded)
    facts = Facts()
    header = {name: facts.first(VOCABULARY.rstrip("#"), PREFIXES["dcterms"] + name) for name in HEADER}
    assert {name: about[key] for name, key in HEADER.items()} == header
    assert {it["termCode"]: (it["name"], it["description"]) for it in about["hasDefinedTerm"]} == {
        name: (term.label, term.definition) for name, term in terms.items()
    }
    assert all(it["@id"].startswith(NAMESPACES) for it in about["hasDefinedTerm"])
    for name in ("created", "modified"):
        assert f'<time datetime="{header[name]}">{header[name]}</time>' in page


def test_controlled_values_are_all_there() -> None:
    declared = parse(read_text(CODES_FILE), RdfFormat.TURTLE)
    concept = NamedNode(PREFIXES["skos"] + "Concept")
    expected = {quad.subject.value for quad in declared if quad.object == concept}
    listed = [code for *_, codes in code_schemes() for _, code, meaning in codes if meaning]
    assert sorted(PREFIXES["code"] + code for code in listed) == sorted(expected)


def test_terms_of_others_are_those_that_the_shapes_name() -> None:
    used = {name.text: [it.text for it in classes] for name, classes in borrowed_terms(Facts())}
    assert used["dcterms:isPartOf"] == [
        "CardFace",
        "CardRuling",
        "Entry",
        "Example",
        "Note",
        "Paragraph",
        "Rule",
        "Ruling",
        "Section",
    ]
    assert used["skos:prefLabel"] == ["Term"]
    assert used["prov:wasDerivedFrom"] == ["Fact", "Tenure"]
    assert used["dcterms:isReplacedBy"] == ["Provision", "Term"]
    assert used["skos:hasTopConcept"] == ["skos:ConceptScheme"]
    assert all(used.values())
    assert not [name for name in used if name.startswith(("rg:", "game:"))]


def test_what_older_editions_lack_is_said(real: Session) -> None:
    """The names of `rg:` of which a view of an edition has more than its graphs in the store."""
    iris, name = real.iris, real.editions()[-1].id
    shared = {iris.graph(graph) for graph in ("terms", "ontology")}

    def counted(store: Store, graphs: Iterable[str]) -> Counter[str]:
        lines = (line.split(" ", 2) for graph in graphs for line in store.graph_lines(graph))
        names = (value if predicate.endswith("#type>") else predicate for _, predicate, value in lines)
        return Counter(found[1] for it in names if (found := re.match(rf"<{VOCABULARY}(\w+)>", it)))

    seen = [graph for graph in real.scope(name).default_graphs if graph not in shared]
    whole = counted(real.holding(seen), seen)
    kept = counted(real.store, (graph for graph in real.store.graphs() if name in graph))
    lacking = {it for it, count in whole.items() if kept[it] < count}
    # What a rule is, its graph shows; a part of the turn is within another by its own note.
    assert lacking - {"Provision", "Rule", "loaded", "within"} <= IN_OLDER_EDITIONS.keys()
    assert len(IN_OLDER_EDITIONS.keys() - lacking) < 4


# -- what can be asked of the newest edition ----------------------------------------------------------

ELSEWHERE = {"Note", "Ruling", "Attribution", "Authority", "Match", "Change", "Renaming", "Finding", "Tenure"}
"""Classes of which one edition of the rules alone may have nothing: of rulings, or of several editions."""

CARDS = {"CardData", "CardSet", "Card", "CardFace", "CardRuling", "PrintedKeyword", "CaseSet", "SolvedCase"}
"""Classes of things that only a data set of cards has."""


def test_every_class_has_a_query_that_finds_rows(
    terms: dict[str, Term], newest_rules: Rules, mini_store: Path
) -> None:
    newest, several = newest_rules.session, session_on(mini_store)
    facts = Facts()
    empty = set()
    for name, term in terms.items():
        if term.kind == "class":
            namespace = GAME if name in GAME_CLASSES else VOCABULARY
            query = example_query(facts, namespace + name)
            assert ("# None in a store without solved cases." in query) is (name in ("CaseSet", "SolvedCase"))
            answer = newest.sparql(query)
            assert isinstance(answer, Answer)
            if not answer.rows:
                empty.add(name)
                answer = several.sparql(query, "all")
                assert isinstance(answer, Answer)
                assert answer.rows or name in ("Match", *CARDS), name
    assert empty == (ELSEWHERE | CARDS) & empty
    assert empty >= {"Ruling", "Match"}


@pytest.mark.long(small="test_every_class_has_a_query_that_finds_rows")
def test_examples_of_a_kind_are_of_it_in_the_newest_edition(
    terms: dict[str, Term], newest_rules: Rules
) -> None:
    """For a kind without names in the edition, a note says so and what is meant."""
    session = newest_rules.session
    for name in GAME_CLASSES:
        answer = session.sparql(
            f"SELECT ?name ?label {{ ?kind rdfs:subClassOf* game:{name} . ?it a ?kind ; rdfs:label ?name "
            "OPTIONAL { ?term rg:represents ?it ; skos:prefLabel|skos:altLabel ?label } }"
        )
        assert isinstance(answer, Answer)
        named = {str(value).lower() for row in answer.rows for value in row if value is not None}
        examples = {it.strip(" .").lower() for text in terms[name].examples for it in text.split(";")}
        assert examples <= named, name
        assert bool(examples) == bool(named), name


def test_nothing_is_loaded(reader: PageReader) -> None:
    assert reader.loads == []


def test_the_same_vocabulary_gives_the_same_page(page: str) -> None:
    assert render_vocabulary() == page


def test_all_that_explains_a_term_is_shown(page: str, terms: dict[str, Term]) -> None:
    for term in terms.values():
        assert term.label
        assert term.definition
        assert term.examples or any(note.startswith("No term in the newest rules") for note in term.notes)
        assert term.kind, term.name
    assert page.count('class="definition"') == len(NAMES)


def test_what_is_said_of_a_class(terms: dict[str, Term]) -> None:
    said = rows(terms["Rule"])
    assert said["subclass of"] == ["TextUnit", "Dependable"]
    assert "provision" in said["domain of"]
    assert "text" in said["domain of, as a subclass"]
    assert "definedBy" in said["range of"]
    assert "Note" in said["disjoint with"]
    assert said["see also"] == ["eli:Format"]
    assert rows(terms["Status"])["individuals"] == ["Obsolete", "Informal"]
    assert "Rule" in rows(terms["Note"])["disjoint with"]  # about the other of the two


def test_class_expressions_are_put_into_words(terms: dict[str, Term]) -> None:
    assert rows(terms["ManaAbility"])["subclass of"] == [
        "Ability",
        "ActivatedAbility",
        "or",
        "TriggeredAbility",
    ]
    assert rows(terms["Step"])["subclass of"][-3:] == ["within", "some", "Phase"]


def test_what_is_said_of_a_property(terms: dict[str, Term]) -> None:
    said = rows(terms["renumberedFrom"])
    assert (said["domain"], said["range"]) == (["DocumentPart"], ["DocumentPart"])
    assert [trait.partition(":")[0] for trait in said["characteristics"]] == ["asymmetric", "irreflexive"]
    assert set(said["disjoint with"]) == {
        "unchangedFrom",
        "referencesChangedFrom",
        "rewordedFrom",
        "movedAndRewordedFrom",
    }
    assert said["narrower than"] == ["prov:wasDerivedFrom"]
    assert rows(terms["dependsOn"])["subproperty of"] == ["reliesOn"]
    assert "reliesByNote" in rows(terms["dependsOn"])["subproperties"]


def test_the_example_is_turtle_in_declared_names(page: str) -> None:
    head = f"@base <{BASE}> .\n" + "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    triples = [quad.triple for quad in parse(head + EXAMPLE, RdfFormat.TURTLE)]
    used = {it.value for t in triples for it in (t.predicate, t.object) if isinstance(it, NamedNode)}
    ours = {iri.rpartition("#")[2] for iri in used if iri.startswith(NAMESPACES)}
    assert len(ours) > 10
    assert ours <= set(NAMES)
    values = {t.predicate.value: t.object.value for t in triples if isinstance(t.object, Literal)}
    place = slice(int(values[RG.start]), int(values[RG.end]))
    assert values[RG.text][place] == values[RG.surface]
    assert "a rg:Rule" in page


# -- the diagram ------------------------------------------------------------------------------------


def test_names_in_the_diagram_stay_within_their_boxes(page: str) -> None:
    diagram = page[page.index("<svg class") : page.index("</figure>")]
    sizes = {
        kind: int(size) for kind, size in re.findall(r"\.diagram \.(\w+) {[^}]*?font-size: (\d+)px", page)
    }
    for box in re.findall(r"<g class=\"(?!line)\w+\"><rect .*?</g>", diagram, re.DOTALL):
        x, y, width, height = (float(it) for it in re.findall(r'(?:x|y|width|height)="([\d.]+)"', box)[:4])
        texts = re.findall(r'<text class="(\w+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"', box)
        assert texts
        for look, middle, base, length in texts:
            assert abs(float(middle) - x - width / 2) + float(length) / 2 < width / 2, box
            assert y < float(base) - sizes[look] < float(base) + sizes[look] / 3 < y + height, box


# -- as a reader sees it ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def place(page: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "vocabulary.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def tabs(tabs: Tabs) -> Iterator[Tabs]:
    """Pages to open the vocabulary in, which tests share."""
    yield tabs
    tabs.leave()


@pytest.mark.long(small="test_the_filter_finds_names_and_labels")
@pytest.mark.parametrize("width", [1280, 1440])
def test_the_diagram_is_not_cut_on_usual_screens(tabs: Tabs, place: str, width: int) -> None:
    seen = tabs.open(width=width, height=720)
    seen.page.goto(place)
    figure = "document.querySelector('figure')"
    assert seen.page.evaluate(f"{figure}.scrollWidth <= {figure}.clientWidth")


@pytest.mark.long(small="test_the_filter_finds_names_and_labels")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_asks_nobody_and_has_no_complaints(tabs: Tabs, place: str, scheme: str) -> None:
    seen = tabs.open(scheme=scheme)
    seen.page.goto(f"{place}#Rule")
    seen.page.click("#theme")
    assert seen.requests == [place]
    assert seen.complaints == []


@pytest.mark.long(small="test_the_filter_finds_names_and_labels")
def test_the_theme_can_be_turned(tabs: Tabs, place: str) -> None:
    seen = tabs.open(scheme="dark")
    seen.page.goto(place)
    color = "getComputedStyle(document.body).backgroundColor"
    dark = seen.page.evaluate(color)
    seen.page.click("#theme")
    assert seen.page.evaluate(color) != dark
    seen.page.click("#theme")
    assert seen.page.evaluate(color) == dark


@pytest.mark.long(small="test_the_filter_finds_names_and_labels")
def test_the_diagram_is_as_wide_in_the_browser_as_it_says(tabs: Tabs, place: str) -> None:
    """Whatever font the machine has: boxes leave a margin of six pixels."""
    seen = tabs.open()
    seen.page.goto(place)
    widths = """[...document.querySelectorAll(".diagram text")].map((text) =>
        [text.textContent, +text.getAttribute("textLength"), text.getBBox().width])"""
    drawn = seen.page.evaluate(widths)
    assert len(drawn) > 40
    assert [it for it in drawn if abs(it[1] - it[2]) > 4] == []


@pytest.mark.long(small="test_the_filter_finds_names_and_labels")
def test_on_a_small_screen_only_the_diagram_scrolls_sideways(tabs: Tabs, place: str) -> None:
    seen = tabs.open(width=400, height=800)
    seen.page.goto(f"{place}#checksum")
    assert seen.page.evaluate("document.documentElement.scrollWidth") == 400
    top = seen.page.evaluate("document.getElementById('checksum').getBoundingClientRect().top")
    assert 0 <= top < 400


def test_the_filter_finds_names_and_labels(tabs: Tabs, place: str) -> None:
    seen = tabs.open()
    seen.page.goto(place)
    links = "[...document.querySelectorAll('nav .group a')]"
    shown = f"{links}.filter((a) => a.checkVisibility()).map((a) => a.textContent)"
    seen.page.fill("#filter", "relies by")
    assert seen.page.evaluate(shown) == ["reliesByCitation", "reliesByNote", "reliesByDefinition"]
    seen.page.fill("#filter", "nothing like it")
    assert seen.page.evaluate(shown) == []
    assert seen.page.is_visible("#none")
    seen.page.fill("#filter", "")
    assert not seen.page.is_visible("#none")


@pytest.mark.long(small="test_the_filter_finds_names_and_labels")
def test_the_current_term_is_marked(tabs: Tabs, place: str) -> None:
    seen = tabs.open()
    seen.page.goto(f"{place}#dependsOn")
    seen.page.wait_for_selector('nav a[aria-current][href="#dependsOn"]')


# -- the command ------------------------------------------------------------------------------------


def test_the_command_writes_the_page(run: Run, page: str, tmp_path: Path) -> None:
    place = tmp_path / "vocabulary.html"
    code, out, err = run("vocabulary", "-o", place)
    assert (code, out) == (0, "")
    assert re.search(r"Wrote .*vocabulary\.html", err)
    assert place.read_text(encoding="utf-8") == page
    assert run("vocabulary")[1] == page

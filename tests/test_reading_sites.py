"""Pages of reading sites: nothing of the site becomes a term, and nothing of the text is lost."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from real import parsed, rules
from rulesgraph.loaders.language.words import wording
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.furniture import find_frame
from rulesgraph.loaders.reading.source import decode, read_source
from rulesgraph.loaders.records import Document
from rulesgraph.ontology.errors import SourceError
from sites import SITES, TITLE, parts, rendered
from sweep import first

SIZE = 20_000
LANTERNS = Path(__file__).parent / "mini" / "lanterns-2031-02-01.txt"
RULES = LANTERNS.read_text(encoding="utf-8").rpartition("\nGlossary\n")[0]


def key(text: str) -> str:
    """Return what a rendering keeps of a text."""
    return re.sub(r"\W+", "", wording(text)).lower()


def pages(paragraphs: list[str], site: str, size: int) -> list[tuple[str, Document | SourceError]]:
    found: list[tuple[str, Document | SourceError]] = []
    for number, part in enumerate(parts(paragraphs, size), 1):
        page = rendered(part, SITES[site], number)
        try:
            found.append((page, load_document(decode(page.encode(), f"{site}-{number}.txt"))))
        except SourceError as error:
            found.append((page, error))
    return found


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize(
    "day",
    first(1, ("2006-07-15", "2013-05-01", "2020-04-17"), pytest.mark.long(small="test_an_edition_in_parts")),
)
def test_an_edition_in_parts(shared: Path, site: str, day: str) -> None:
    """A page has every rule and every heading, with its words, and nothing else."""
    whole = parsed(rules(shared, day))
    texts = defaultdict(set)
    for rule in whole.rules:
        texts[rule.number].add(key(rule.text))
    headings = {key(entry.heading) for entry in whole.entries}
    source = read_source(rules(shared, day))
    paragraphs = [" ".join(line.split()) for line in source.lines if line.strip()]
    got: set[str] = set()
    named: set[str] = set()
    lost: set[str] = set()
    for page, document in pages(paragraphs, site, SIZE):
        if isinstance(document, SourceError):  # the contents without the rest, or the credits alone
            assert "contents list" in str(document) or "no numbered rules" in str(document)
            lost |= {match[1] for match in re.finditer(r"(?m)^(\d{3}\.\d+[a-z]*)", page)}
            continue
        assert document.unaccounted == ()
        for rule in document.rules:
            assert key(rule.text) in texts[rule.number], (site, rule.number)
        got |= {rule.number for rule in document.rules}
        named |= {key(entry.heading) for entry in document.entries}
    assert texts.keys() - got <= lost | {number[:3] for number in lost} | {"100"}
    assert named == headings


OPENINGS = {
    "p24_grapenovel_part13.txt": {1, 2, 4},
    "p25_cr611_judges.txt": set(),
    "r1_topnovel18.txt": set(),
    "r3_bestlightnovel26.txt": {1, 3, 5, 7},
    "r4_novelonlinefull22.txt": {1, 2},
}


def test_real_openings(shared: Path) -> None:
    folder = shared / "corpora" / "rulings"
    documents = {name: parsed(folder / name) for name in OPENINGS}
    assert {name: set(it.furniture) for name, it in documents.items()} == OPENINGS
    headings = {name: [entry.heading for entry in it.entries] for name, it in documents.items()}
    assert headings["r3_bestlightnovel26.txt"] == ["Mana Pool", "Mana Source (Obsolete)", "Mana Symbol"]
    assert headings["r1_topnovel18.txt"][:2] == ["Converted Mana Cost", "Convoke"]
    assert len(headings["r4_novelonlinefull22.txt"]) == 7
    assert [len(it.paragraphs) for it in documents.values()] == [0, 0, 1, 1, 0]
    assert [len(it.rules) for it in documents.values()] == [10, 6, 0, 0, 0]
    assert not any('"s' in unit.text for unit in documents["r1_topnovel18.txt"].units)


def test_editions_have_no_frame(shared: Path) -> None:
    for path in sorted((shared / "corpora").glob("[cmp]*/*.txt")):
        if path.parent.name != "rulings":
            assert not find_frame(read_source(path).lines), path.name


def test_a_heading_stays_beside_the_frame() -> None:
    """The first entry below the head, and the last one above the foot, are the text's own."""
    page = f"{TITLE} - Part 2\nHome\n\nPart 2\n\nOar\nIt is wet.\n\nQuay\n\nNext Part\n\nBoats of the Sea\n"
    assert find_frame(page.split("\n")) == {1, 2, 4, 11, 13}


def test_what_does_not_name_itself_has_no_frame() -> None:
    assert find_frame(["Library", "", "Part 2", "", "Next Part", "", "www.lamps.com"]) == frozenset()


def test_words_before_the_first_number_of_a_part_are_paragraphs() -> None:
    site = SITES["reading"]
    text = rendered(
        [
            "a lamp dims (see rule 606.3).",
            "Example: It dims.",
            "606.4. It glows.",
            "607. Tides",
            "607.1. A tide turns.",
            "607.2. It turns back, unless",
        ],
        site,
        7,
    )
    document = load_document(decode(text.encode(), "x"))
    assert [it.text for it in document.paragraphs] == ["a lamp dims (see rule 606.3)."]
    assert [it.text for it in document.paragraphs[0].examples] == ["It dims."]
    assert [it.number for it in document.rules] == ["606.4", "607", "607.1", "607.2"]
    assert document.issued is None
    assert document.edition.startswith("fragment-")


def test_a_part_with_the_date_of_an_edition_is_not_that_edition() -> None:
    text = rendered(RULES.split("\n\n"), SITES["library"], 1)
    document = load_document(decode(text.encode(), "x"))
    assert (document.issued, document.edition[:9]) == (None, "fragment-")

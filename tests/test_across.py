"""Check undated text against the dated editions of a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from commands import MINI
from real import parsed
from rulesgraph.loaders.editions import editions_in
from rulesgraph.loaders.linking.across import compare
from rulesgraph.loaders.records import Document, Paragraph
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.iris import Iris
from rulesgraph.ontology.terms import RG, DocumentKind

EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"


def glossary(edition: str) -> list[Paragraph]:
    document = parsed(MINI / f"lanterns-{edition.removeprefix('cr-')}.txt")
    return [paragraph for entry in document.entries for paragraph in entry.paragraphs]


def compared(store: Path, texts: Sequence[str]) -> Iterable[str]:
    """Return the statements about a text that is compared with the editions of a store."""
    paragraphs = tuple(Paragraph(str(n), "", text, n, n) for n, text in enumerate(texts, start=1))
    loose = Document(
        DocumentKind.PROSE, "loose", "loose", "Loose", None, "0", "utf-8", 9, paragraphs=paragraphs
    )
    opened = open_store(store)
    return compare([loose], opened, Iris(), editions_in(opened, Iris()).values())[1].lines


BOTH = {it.text for it in glossary(EARLY)} & {it.text for it in glossary(LATE)}
ONLY_EARLY = {it.text for it in glossary(EARLY)} - BOTH


@pytest.mark.parametrize(
    ("texts", "agreeing"),
    [
        (sorted(BOTH), [EARLY, LATE]),
        (sorted(BOTH | ONLY_EARLY), [EARLY]),
        ([*sorted(BOTH | ONLY_EARLY), "No edition has a word of this about lighthouses."], []),
        ([], []),
    ],
    ids=["what both have", "what one has", "a paragraph too many", "nothing"],
)
def test_a_text_agrees_with_the_editions_that_hold_all_of_it(
    mini_store: Path, texts: list[str], agreeing: list[str]
) -> None:
    assert ONLY_EARLY
    iris = Iris()
    said = {it for it in compared(mini_store, texts) if RG.agreesWith in it}
    assert said == {f"<{iris.edition('loose')}> <{RG.agreesWith}> <{iris.edition(it)}>" for it in agreeing}

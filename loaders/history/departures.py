"""Find where a text differs from the copy of its edition that the bundled authority file was made from."""

from __future__ import annotations

from collections.abc import Iterator

from ...ontology.grouping import grouped
from ..language.numbers import parent
from ..language.words import beginning
from ..linking.edition import EditionView
from ..records import Document, Paragraph, Problem, Rule, Severity
from .authority import Text, bundled, text_of

MOST = 0.05
"""The share of texts with other words that a damaged copy has; where more have, it is another copy."""

LEAST = 0.5
"""The share of texts with other words from which a text is no copy of that edition at all."""

_CALLED = {"rule": "", "example": "an example of ", "paragraph": "a paragraph of "}


def departures(view: EditionView) -> list[Problem]:
    """Return what has other words in an edition than in the known copy of it, or stands in one of them alone.

    Rules, examples and paragraphs of the glossary are compared, where the file covers the edition. It has all
    rules of it; where no copy was at hand, it has those examples and paragraphs that did not change around
    it. Numbers of rules within a text are not compared, nor are quotes, dashes and capitals:
    these differ between copies that are both right.
    """
    return [problem for document in view.documents for problem in _departures(document)]


def _departures(document: Document) -> Iterator[Problem]:
    edition, file = document.edition, bundled()
    at_hand = any(edition in (row.first, row.last) for row in file.texts)
    own = dict(_texts_of(document))
    standing = {it.name: unit for it, unit in reversed(own.items())}
    for kind, called in _CALLED.items():
        is_exact = at_hand or kind == "rule"
        copy = f"the known copy of {edition}" if is_exact else f"the known copies before and after {edition}"
        known = {it for it in file.texts_of(edition) if it.kind == kind}
        missing = grouped((it.name, it) for it in sorted(known - own.keys()))
        strange = {it.name: it for it in own if it.kind == kind and it not in known}
        if not known or len(missing) > LEAST * len(known):
            continue  # nothing is known of that day, or this is another text of it
        if len(missing) > MOST * len(known):
            message = f"{len(missing)} {kind}s differ from {copy}, or are missing"
            yield Problem("altered-text", message, Severity.INFO, 1, 1)
            continue
        for name in missing.keys() - strange.keys():
            if kind == "example" and name not in standing:
                continue  # it is told with its rule
            what = called if name in standing else ""
            whole = standing.get(name) or standing.get(parent(name)) or 1
            yield Problem.at(whole, "lost-text", f"{what}{name} is missing here, but is in {copy}", name)
        for name, text in strange.items():
            if name in missing:
                message = f"{called}{name} has different words here than in {copy}"
                if times := [it for it in file.with_words(text.checksum) if it.wording.number == name]:
                    message += f"; it had these words from {times[0].first} to {times[-1].last}"
            elif is_exact:
                message = f"{called}{name} is not in {copy}"
            else:
                continue
            yield Problem.at(own[text], "altered-text", message, name, beginning(own[text].text))


def _texts_of(document: Document) -> Iterator[tuple[Text, Rule | Paragraph]]:
    """Yield the texts of a document as the file has them: a rule is ``605.2c~2`` where it stands again."""
    for rule in document.rules:
        name = rule.number if rule.occurrence == 1 else f"{rule.number}~{rule.occurrence}"
        yield text_of("rule", name, rule.text), rule
        yield from ((text_of("example", rule.number, it.text), it) for it in rule.examples)
    for entry in document.entries:
        yield from ((text_of("paragraph", entry.heading, it.text), it) for it in entry.paragraphs)

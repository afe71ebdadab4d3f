"""Find where a text departs from the copy of its edition that the bundled authority file was made from."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.numbers import parent
from ..language.words import beginning
from ..linking.edition import EditionView
from ..records import Document, Problem, Rule, Severity
from .authority import bundled, wording_of
from .items import Item

MOST = 0.05
"""The share of rules with other words that a damaged copy has; where more have, it is another copy."""

LEAST = 0.5
"""The share of rules with other words from which a text is no copy of that edition at all."""


def departures(view: EditionView) -> list[Problem]:
    """Return the rules of an edition that have other words than the known copy of it, or that it lacks.

    The file covers editions by their dates. Numbers of rules within a text are not compared, nor are quotes,
    dashes and capitals: these differ between copies that are both right.
    """
    return [problem for document in view.documents for problem in _departures(document)]


def _departures(document: Document) -> Iterator[Problem]:
    edition, known = document.edition, bundled().rules_of(document.edition)
    own = {_name(rule): rule for rule in document.rules}
    words = {name: wording_of(name, Item("", rule.number, rule.text)).checksum for name, rule in own.items()}
    changed = [
        name for name, row in known.items() if words.get(name, row.wording.checksum) != row.wording.checksum
    ]
    lost = [name for name in known if name not in own]
    if len(changed) + len(lost) > LEAST * len(known):
        return  # another text of that date
    if len(changed) + len(lost) > MOST * len(known):
        message = (
            f"{len(changed)} rules have other words than the known copy of {edition}, {len(lost)} are missing"
        )
        yield Problem("altered-text", message, Severity.INFO, 1, 1)
        return
    for name in changed:
        message = f"{name} has other words here than in the known copy of {edition}"
        if rows := [row for row in bundled().with_words(words[name]) if row.wording.number == name]:
            message += f"; it had these from {rows[0].first} to {rows[-1].last}"
        yield Problem.at(own[name], "altered-text", message, name, beginning(own[name].text))
    for name in lost:
        whole = own.get(parent(name))
        message = f"{name} is missing here; the known copy of {edition} has it"
        yield Problem.at(whole or 1, "lost-text", message, name)


def _name(rule: Rule) -> str:
    """Return the number of a rule as the file has it: ``605.2c~2`` where it stands a second time."""
    return rule.number if rule.occurrence == 1 else f"{rule.number}~{rule.occurrence}"

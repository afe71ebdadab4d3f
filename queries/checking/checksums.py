"""Checksums of the rules of many editions, which come with the project, bear witness beside the store.

The authority file has no words, but it knows those of every rule of the editions that it covers. Of an
edition between two of them it knows what both have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...loaders.history.authority import Authority, Tenure, Wording, wording_of
from ...loaders.history.items import Item
from ...loaders.history.likeness import table
from ...loaders.language.numbers import order
from .witnesses import Departure, Deposition, DepositionKind, Witness

_KNOWN = 0.5
"""The share of what is known that must stand in a text; less is another game, or another layout."""

_ALIKE = 0.88
"""The likeness from which a rule is another printing of the words that its edition is known to have."""

_ALIKE_BETWEEN = 0.75
"""The same where two other editions bear witness: they may print spaces, dashes and marks otherwise."""


def departures_from_known(own: Witness, authority: Authority) -> Iterator[Departure]:
    """Yield the rules of an edition that have lost the words which the authority file knows of them."""
    who, known = _known(own.name, authority)
    if not known:
        return
    rules = [it for it in own.pieces if it.kind is DepositionKind.RULE]
    numbers = _numbers(rules)
    here = {number: wording_of(number, Item("", it.name, it.text)) for number, it in numbers.items()}
    held = {it.checksum for it in here.values()}
    missing = [row for row in known if row.wording.checksum not in held]
    if len(missing) > (1 - _KNOWN) * len(known):
        return
    claimed = {row.wording.checksum for row in known}
    strange = [it for it in here.values() if it.checksum not in claimed]
    least = _ALIKE if own.name in authority.editions else _ALIKE_BETWEEN
    for row, number in _lost(missing, strange, least):
        there = numbers.get(row.wording.number)
        name = row.wording.number.partition("~")[0]
        if there is not None and number == row.wording.number:
            message = f"rule {name} departs from the words that {who} for it"
            yield Departure(False, name, there.line, message, there.text[:60])
        else:
            message = f"rule {name} is not here, or not in the words that {who} for it"
            yield Departure(True, name, _line_before(name, rules), message, "")


def _known(edition: str, authority: Authority) -> tuple[str, Sequence[Tenure]]:
    """Return who knows the wordings that an edition must have, and these."""
    if edition in authority.editions:
        return f"{edition} is known to have", list(authority.rules_of(edition).values())
    before = [it for it in authority.editions if it < edition]
    after = [it for it in authority.editions if it > edition]
    if not before or not after:
        return "", ()
    later = {row.wording.checksum for row in authority.rules_of(after[0]).values()}
    rows = [row for row in authority.rules_of(before[-1]).values() if row.wording.checksum in later]
    return f"{before[-1]} and {after[0]} are known to have", rows


def _numbers(rules: Sequence[Deposition]) -> Mapping[str, Deposition]:
    times: Counter[str] = Counter()
    found = {}
    for rule in rules:
        times[rule.name] += 1
        found[rule.name if times[rule.name] == 1 else f"{rule.name}~{times[rule.name]}"] = rule
    return found


def _lost(
    missing: Sequence[Tenure], strange: Sequence[Wording], least: float
) -> Iterator[tuple[Tenure, str]]:
    """Yield the rows whose words none of the `strange` rules has, with the number of what stands instead."""
    if missing and strange:
        alike = table([row.wording.signature for row in missing], [it.signature for it in strange])
        best = alike.argmax(axis=1)
        for place, row in enumerate(missing):
            if alike[place, best[place]] < least:
                standing = next((it.number for it in strange if it.number == row.wording.number), "")
                yield row, standing
    else:
        yield from ((row, "") for row in missing)


def _line_before(number: str, rules: Sequence[Deposition]) -> int:
    """Return the line of the rule behind which a number would stand."""
    return max((it.line for it in rules if order(it.name) < order(number)), default=0)

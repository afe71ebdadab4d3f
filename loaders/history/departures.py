"""Find where a text differs from known copies of its edition, and of the editions before and after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from functools import cache

from ...ontology import DocumentKind, from_to, in_a_list
from ..language.numbers import parent
from ..language.words import beginning
from ..linking.edition import EditionView
from ..records import Document, Paragraph, Problem, Rule, Severity
from .authority import Text, bundled, text_of

MOST = 0.05
"""The maximum share of differing texts in a damaged copy; with more, it is a different copy."""

LEAST = 0.5
"""With this share of differing texts, a text is not a copy of that edition."""

_MOST_NAMED = 8
"""The maximum number of differing texts to name, if many differ."""

_CALLED = {"rule": "", "example": "an example of ", "paragraph": "a paragraph of "}
KINDS = tuple(_CALLED)
"""The kinds of texts that are compared."""

_DASH = re.compile(r"\s*(?:--|[—–])\s*|\s-\s")
_DASHES = ("-", "--", " -- ", " - ")
_BRACKETS = str.maketrans("", "", "<>")


def departures(view: EditionView) -> list[Problem]:
    """Return where an edition differs from known copies, or has a text missing or added.

    Rules, examples and paragraphs of the glossary are compared with the copy of the edition that the
    authority file was made from. Without such a copy, they are compared with the copies before and after it:
    a text that both have under one name was hardly removed in between. The known copy itself is checked only
    in this way. In an edition later than all copies, only swapped subrules are reported: those with each
    other's words of the last copy. Rule numbers within a text, quotes, dashes and capitals are not compared:
    correct copies differ in these.
    """
    return [problem for document in view.documents for problem in _departures(document)]


def doubted(document: Document) -> Document:
    """Return a document, with a problem if few paragraphs of a partial glossary are in a known edition."""
    if document.kind not in (DocumentKind.PROSE, DocumentKind.WEB_COPY):
        return document
    own = (*document.paragraphs, *(it for entry in document.entries for it in entry.paragraphs))
    known = sum(bundled().knows(text_of("paragraph", "", it.text).checksum) for it in own)
    if known * 2 >= len(own):
        return document
    number = f"only {known}" if known else "none"
    share = f"{number} of its {len(own)} paragraphs {'are' if known > 1 else 'is'}"
    message = f"{share} in a known edition: this may be a text about the rules"
    doubt = Problem.at(own[0], "unknown-text", message, "", beginning(own[0].text))
    return replace(document, problems=(doubt, *document.problems))


def _departures(document: Document) -> Iterator[Problem]:
    own, file, edition = texts_in(document), bundled(), document.edition
    texts = cache(file.texts_of)
    for kind in KINDS:
        covered = file.covering(kind)
        told = set[str]()
        if edition in covered:
            copy = texts(edition)
            found = [*compared(kind, own, copy, copy, f"the known copy of {edition}")]
            told = {it.subject for it in found}
            yield from found
        before = next((it for it in reversed(covered) if it < edition), "")
        after = next((it for it in covered if it > edition), "")
        if before and after and "" not in told:
            copies = f"the known copies of {before} and {after}"
            is_known = edition in covered
            slips = compared(kind, own, texts(before), texts(after), copies, LEAST if is_known else MOST)
            slips = (it for it in slips if it.subject not in told)
            yield from (replace(it, severity=Severity.INFO) for it in slips) if is_known else slips
        elif before and kind == "rule" and document.issued and edition not in covered:
            yield from _exchanged(own, texts(before), before)


def texts_in(document: Document) -> dict[Text, Rule | Paragraph]:
    """Return the texts of a document in the form of the file: a repeated rule is ``605.2c~2``."""
    found: dict[Text, Rule | Paragraph] = {}
    for rule in document.rules:
        name = rule.number if rule.occurrence == 1 else f"{rule.number}~{rule.occurrence}"
        found[text_of("rule", name, rule.text)] = rule
        found |= {text_of("example", rule.number, it.text): it for it in rule.examples}
    for entry in document.entries:
        found |= {text_of("paragraph", entry.heading, it.text): it for it in entry.paragraphs}
    return found


def compared(
    kind: str,
    own: Mapping[Text, Rule | Paragraph],
    before: Set[Text],
    after: Set[Text],
    copies: str,
    most: float = MOST,
) -> Iterator[Problem]:
    """Yield where texts of a kind differ from what one or two copies have under the same name.

    `copies` is their name in messages. If a larger share than `most` differs, that is reported once.
    """
    known = {it for it in before & after if it.kind == kind}
    either = before | after
    standing = {it.name: unit for it, unit in reversed([*own.items()])}
    said = {_as_printed(it, unit.text, either): unit for it, unit in own.items() if it.kind == kind}
    strange = {it.name: unit for it, unit in said.items() if it not in either}
    missing = {it.name for it in known - said.keys()}
    if not known or (before is not after and len(missing) > max(1, LEAST * len(known))):
        return  # nothing is known about that time, or this is another text
    if len(missing) > max(1, most * len(known)):
        shown = in_a_list(sorted(missing), _MOST_NAMED)
        message = f"{len(missing)} {kind}s differ from {copies}, or are missing: {shown}."
        yield Problem("altered-text", message, Severity.WARNING, 1, 1)
        return
    for name in sorted(missing - strange.keys()):
        if kind == "example" and name not in standing:
            continue  # already reported with its rule
        called = _CALLED[kind] if name in standing else ""
        whole = standing.get(name) or standing.get(parent(name)) or 1
        yield Problem.at(whole, "lost-text", f"{called}{name} is missing here, but is in {copies}", name)
    for name, unit in strange.items():
        message = f"{_CALLED[kind]}{name} is not in {copies}"
        if name in missing:
            message = f"{_CALLED[kind]}{name} has different words here than in {copies}"
            words = text_of(kind, name, unit.text).checksum
            if times := [it for it in bundled().with_words(words) if it.wording.number == name]:
                message += f"; it had these words {from_to(times[0].first, times[-1].last)}"
        elif before is not after and (kind == "rule" or not _is_settled(kind, name, before, after)):
            continue  # rules and entries are added
        yield Problem.at(unit, "altered-text", message, name, beginning(unit.text))


def _exchanged(own: Mapping[Text, Rule | Paragraph], copy: Set[Text], before: str) -> Iterator[Problem]:
    """Yield subrules of a rule that have each other's words from the edition `before`."""
    had = {it.name: it.checksum for it in copy if it.kind == "rule"}
    has = {it.name: it.checksum for it in own if it.kind == "rule"}
    name_of = {(parent(name), words): name for name, words in had.items() if parent(name).count(".")}
    for it, unit in own.items():
        other = name_of.get((parent(it.name), it.checksum), "") if it.kind == "rule" else ""
        if it.name < other and had.get(it.name) not in (None, it.checksum) and has.get(other) == had[it.name]:
            message = f"{it.name} and {other} have each other’s words of {before}: they may be exchanged"
            yield Problem.at(unit, "altered-text", message, it.name, beginning(unit.text))


def _is_settled(kind: str, name: str, before: Set[Text], after: Set[Text]) -> bool:
    """Return whether two copies have the same text under a name."""
    one, other = ({it for it in texts if it[:2] == (kind, name)} for texts in (before, after))
    return bool(one) and one == other


def _as_printed(text: Text, words: str, known: Set[Text]) -> Text:
    """Return the text of a copy with the same words, whatever its dashes and brackets."""
    if text in known:
        return text
    spaced = (_DASH.sub(dash, printed) for printed in (words, words.translate(_BRACKETS)) for dash in _DASHES)
    printings = (*spaced, words.replace("—", "?").replace("–", "?"))
    texts = (text_of(text.kind, text.name, it) for it in printings)
    return next((it for it in texts if it in known), text)

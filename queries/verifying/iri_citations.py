"""Find the store's IRIs in a text, and judge them like the numbers of their rules.

The IRI of a rule names its edition. Words are compared with the rule there, and the rule is then followed,
under whatever number, to the edition that the text is checked against.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...ontology import Place, grouped, slug
from ..session import Session, edition_called
from .citations import Citation
from .entries import GLOSSARY
from .findings import STANDS, UNREAD, Finding
from .json_texts import FILL
from .judging import Judge, Judged
from .rulebook import Rulebook

_KEY = r"[^\s<>\"“”'`|\\^{}()\[\],;]+"
_PATH = r"(?:https?://[^\s<>\"'()]{1,200}?/|(?<![\w/.:-])/?(?:[\w.-]{1,40}/){0,3})"
_TRAILING = ".:!?*_/…"
_KINDS = frozenset(("rule", "section", "entry", "provision", "term"))
_PROVISION = re.compile(r"P\d{5}")
_LONGEST_LINK = 120 + len("[](")
_LINK = re.compile(r"\[([^\[\]\n]{1,120})\]\($")
"""The words of a link before its address in Markdown."""


JudgedPlace = tuple[tuple[int, int], str, Finding, str | None, str | None]
"""A place, its number or name, the finding, the edition checked against, and the IRI there."""


class CitedIri(NamedTuple):
    """The place of an IRI in a text, as offsets, end exclusive; its thing; and its rule, if a number replaces
    it in the text.
    """

    span: tuple[int, int]
    named: Place
    rule: Place
    is_read: bool


@dataclass(frozen=True)
class CitedIris:
    """The IRIs of citable things in a text, and the `plain` text, which has rule numbers in their place."""

    session: Session
    found: list[CitedIri]
    plain: str

    def marked(self, citations: Sequence[Citation]) -> list[Citation]:
        """Return citations; those that replace IRIs get the IRIs' editions."""
        editions = {it.span[1]: it.rule.edition for it in self.found if it.is_read}
        return [replace(it, edition=editions.get(it.span[1], "")) for it in citations]

    def judged(
        self, judge: Judge, found: Sequence[Citation], told: Sequence[Judged]
    ) -> tuple[list[JudgedPlace], list[tuple[Citation, Finding]]]:
        """Return the findings about IRIs, and the words beside any citation that were not checked.

        `found` are all citations, which `judge` judged as `told`, as if they were from its edition.
        """
        here, judges = judge.book.name, {judge.book.name: (judge, told)}
        for edition in {it.edition for it in found} - {"", here}:
            one = Judge(self.session.once(_book, edition))
            judges[edition] = (one, one.judge(found))
        ends, unread = {it.span[1] for it in self.found}, []
        beside: dict[int, Finding] = {}
        for edition, (one, own) in judges.items():
            beside |= {it.span[1]: finding for it, _, finding in own if it.edition == edition}
            unread += [it for it in one.unread if it[0].edition == edition and it[0].span[1] in ends]
        unread += [it for it in judge.unread if not it[0].edition]
        return [self._judged(it, judge, beside.get(it.span[1])) for it in self.found], unread

    def _judged(self, it: CitedIri, judge: Judge, beside: Finding | None) -> JudgedPlace:
        iris, here, meanings = self.session.iris, judge.book.name, judge.book.meanings
        number, edition = it.rule.key, it.rule.edition
        finding, now = Finding(STANDS), iris.iri(it.rule) if it.rule.kind else None
        if not now:
            finding = _absent(it.named, {edition.id for edition in self.session.editions()})
        elif it.rule.kind == "rule" and edition in meanings.editions:
            if edition != here:
                finding = meanings.followed(number, edition) or Finding(
                    "gone", *meanings.gone(number, edition)
                )
            now = iris.rule(here, number) if finding.kind == STANDS else None
        if beside and beside.kind not in (STANDS, UNREAD):
            if finding.kind == STANDS:
                return it.span, it.named.name, beside, edition, now
            message = f"{finding.message}; {beside.message}"
            finding = replace(finding, message=message, quote=beside.quote, wording=beside.wording)
        return it.span, it.named.name, finding, here, now


def cited_iris(session: Session, book: Rulebook, text: str) -> CitedIris:
    """Return the citable IRIs in a text; those of rules may be mere paths, or have any host."""
    iris, loaded = session.iris, {edition.id for edition in session.editions()}
    pattern = rf"(?P<base>{re.escape(iris.base)}|{_PATH})(?P<path>(?:edition|provision|term)/{_KEY})"
    places: list[tuple[int, int, Place]] = []
    for match in re.finditer(pattern, text):
        path = match["path"].rstrip(_TRAILING)
        place = iris.parse(iris.base + path)
        is_permanent = place.kind == "provision" and _PROVISION.fullmatch(place.key)
        is_known = is_permanent or place.edition in {*loaded, *book.meanings.editions}
        is_ours = is_known or match["base"] == iris.base
        if place.kind in _KINDS and is_ours:
            places.append((match.start(), match.start("path") + len(path), place))
    if not places:
        return CitedIris(session, [], text)
    wanted = sorted({iris.iri(place.whole) for *_, place in places})
    rows = session.run("verifying", "present", None, {"item": wanted})
    standing = grouped((str(item), str(rule)) for item, rule in rows)
    titles = {slug(it): it for it in book.entries}
    found, pieces, done = [], [], 0
    for start, end, place in places:
        rule = iris.parse(_nearest_edition(session, standing.get(iris.iri(place.whole), ()), book.name))
        link = _LINK.search(text, max(0, start - _LONGEST_LINK), start)
        is_read = rule.kind == "rule" and rule.edition in loaded & {*book.meanings.editions}
        is_read = is_read and not (link and rule.key in link[1])
        is_of_now = place.kind == "term" or (place.kind == "entry" and place.edition == book.name)
        said = (
            f"CR{rule.key}"
            if is_read
            else GLOSSARY + titles[place.key]
            if is_of_now and place.key in titles
            else ""
        )
        said = f" ({said}" if link and said else said  # the words of a link are beside its address
        first = start - 2 if link and said else start
        said = said.rjust(end - first, FILL) if 0 < len(said) <= end - first else "x" * (end - first)
        pieces += [text[done:first], said]
        found.append(CitedIri((start, end), place, rule, is_read))
        done = end
    return CitedIris(session, found, "".join((*pieces, text[done:])))


def _book(session: Session, edition: str) -> Rulebook:
    return Rulebook(session, edition_called(edition, session.editions()))


def _nearest_edition(session: Session, things: Sequence[str], here: str) -> str:
    """Return the IRI in an edition, or in the nearest one before it, or in the first one after it, or ``""``.

    A provision is a rule in each edition that has it.
    """
    found = {session.iris.parse(it).edition: it for it in reversed(things)}
    before = [edition for edition in found if edition <= here]
    return found[max(before) if before else min(found)] if found else ""


def _absent(place: Place, loaded: set[str]) -> Finding:
    kinds = {"provision": "a rule of the provision", "term": "the term"}
    if kind := kinds.get(place.kind):
        return Finding("unknown", f"no loaded edition has {kind} {place.name}")
    if place.edition not in loaded:
        return Finding("not loaded", f"the edition {place.edition} is not loaded")
    return Finding("unknown", f"{place.edition} has no {place.kind} {place.name}")

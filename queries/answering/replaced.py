"""What replaced a term that is no longer used: only where the text itself says so, with that sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...loaders.language.sentences import sentences
from ...ontology.iris import slug
from ..evidence.links import opening, sentence_around
from ..finding.names import ARTICLE, OTHER_NAME, RENAMED, leading_name, names
from ..session import Cells, Scope, Session

_WORDED = (
    rf"now (?:simply |just )?(?:uses?|says?|reads?|refers? to)(?: simply)?,? {ARTICLE}",
    rf"errata [^.;]{{0,60}}?\bto (?:simply )?(?:say|use|read|refer to|reference),? {ARTICLE}",
)
_NAMED = (
    *OTHER_NAME,
    rf"(?:is|are) now (?:simply )?{ARTICLE}",
    rf"(?:replaced|superseded) by {ARTICLE}",
    r"(?:now|to|they) have the (?=[^.;]{1,40} (?:supertype|subtype|card type|type)\b)",
)
_REPLACED = re.compile(
    rf"\b(?:(?P<worded>{'|'.join(_WORDED)})(?=[\"“])|(?P<named>{'|'.join(_NAMED)}))", re.IGNORECASE
)
"""Ways in which rules texts say what stands for an old word now. The new word follows: in quotes, where
cards are said to use it, else as the name of a term."""

_QUOTED = re.compile(r"[\"“]([^\"”]{1,60}?)[.,]?[\"”]")
_LONGEST_QUOTE = 4
"""How many quoted words are still a name; more are a wording."""


def replacements(session: Session, scope: Scope, rows: Sequence[Cells]) -> list[Cells]:
    """Complete rows of term, status, replaced_by, quote, document, line and the term's IRI.

    There is one row for each term and replacement, the term's own texts read in order: what its words
    say first, else where it redirects or was renamed to, else (obsolete terms) the one term that it says
    to see. A term that was not replaced keeps its row when its entry marks it.
    """
    known = _names(session)
    entries: dict[str, list[Cells]] = {}
    for row in rows:
        entries.setdefault(str(row[6]), []).append(row)
    seen = _seen(session, scope, [iri for iri in entries if entries[iri][0][1] == "obsolete"], "seen")
    renamed = [iri for iri, own in entries.items() if any(RENAMED.search(str(row[3])) for row in own)]
    seen.update(_seen(session, scope, renamed, "seen_rules"))
    return [row for iri, own in entries.items() for row in _of_term(iri, own, known, seen)]


def _of_term(
    iri: str, rows: Sequence[Cells], names: Mapping[str, str], seen: Mapping[str, list[str]]
) -> list[Cells]:
    term, status = rows[0][:2]
    for row in rows:
        found = replaced_in(str(row[3]), names, str(term))
        if found:
            return [(term, status, found[0], found[1], *row[4:6])]
    linked = list(dict.fromkeys(row[2] for row in rows if row[2]))
    if linked:
        return [(term, status, new, opening(str(rows[0][3])), *rows[0][4:6]) for new in linked]
    if len(seen.get(iri, ())) == 1:
        new = seen[iri][0]
        words = [row for row in rows if new.lower() in str(row[3]).lower()] or rows[:1]
        text = str(words[0][3])
        place = text.lower().rfind(new.lower())
        quote = sentence_around(text, place, place + len(new)) if place >= 0 else opening(text)
        return [(term, status, new, quote, *words[0][4:6])]
    return [(term, status, None, opening(str(rows[0][3])), *rows[0][4:6])] if status else []


def replaced_in(text: str, names: Mapping[str, str], term: str) -> tuple[str, str] | None:
    """Return what `text` says is used now instead of `term`, and the sentence that says it, or None.

    `names` maps slugs of names to the preferred name. A quoted word counts as it stands, even where no
    term is called so.
    """
    for match in _REPLACED.finditer(text):
        if _is_about_another(text, match.start(), term):
            continue
        rest = text[match.end() :]
        quoted = _QUOTED.match(rest)
        new = _quoted_name(quoted[1], names) if quoted else leading_name(rest, names)
        if new and slug(new) != slug(term):
            return new, sentence_around(text, match.start(), match.end())
    return None


def _is_about_another(text: str, place: int, term: str) -> bool:
    """Return whether what stands before `place` in its sentence speaks of other words than the term."""
    begin = next((a for a, b in sentences(text) if a <= place < b), 0)
    spoken_of = [slug(match[1]) for match in _QUOTED.finditer(text, begin, place)]
    return bool(spoken_of) and not any(slug(term) in said or said in slug(term) for said in spoken_of[-1:])


def _quoted_name(words: str, names: Mapping[str, str]) -> str:
    if slug(words) in names:
        return names[slug(words)]
    return words if len(words.split()) <= _LONGEST_QUOTE and "[" not in words else ""


def _names(session: Session) -> dict[str, str]:
    return {slug(label): preferred for label, _, preferred in names(session)}


def _seen(session: Session, scope: Scope, terms: Sequence[str], query: str) -> dict[str, list[str]]:
    """Return term → the terms that its entry says to see."""
    found: dict[str, list[str]] = {}
    if terms:
        for term, name in session.run("answering", query, scope, {"term": terms}):
            found.setdefault(str(term), []).append(str(name))
    return found

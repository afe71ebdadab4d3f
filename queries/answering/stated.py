"""Find the sentences that say that one thing is another, or what replaced an obsolete term."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches

from ...loaders.language.names import either_number, other_forms, plural, singular
from ...loaders.language.numbers import number_in
from ...loaders.language.words import sentences, words_in
from ...ontology import UsageError, grouped, in_a_list, literal, slug, with_article
from ..evidence.links import opening, sentence_around
from ..finding.names import ARTICLE, OTHER_NAME, RENAMED, leading_name, names
from ..session import Answer, Cells, Scope, Session

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
"""Ways in which the rules say what replaces an old word. The new word follows: in quotes if the text says
that cards use it, else as the name of a term."""

_QUOTED = re.compile(r"[\"“]([^\"”]{1,60}?)[.,]?[\"”]")
_LONGEST_QUOTE = 4
"""The maximum number of words in a quoted name; a longer quotation is a wording."""


def replacements(session: Session, scope: Scope, rows: Sequence[Cells]) -> list[Cells]:
    """Complete rows of term, status, replaced_by, quote, document, line and the term's IRI.

    There is one row for each term and replacement: the first statement in the term's own texts, else its
    redirect or renaming, else (for obsolete terms) the only term of a "see". A term without a replacement
    keeps its row if its entry marks it.
    """
    known = _names(session)
    entries = grouped((str(row[6]), row) for row in rows)
    asked = [(iri, literal("term")) for iri, own in entries.items() if own[0][1] == "obsolete"]
    asked += [
        (iri, literal("rule"))
        for iri, own in entries.items()
        if any(RENAMED.search(str(row[3])) for row in own)
    ]
    seen = _seen(session, scope, asked)
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
    """Return the current replacement of `term` according to `text`, and the sentence that says so, or None.

    `names` maps slugs of names to the preferred name. A quoted word counts even if no term has that name.
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
    """Return whether the words before `place` in its sentence are about something else than the term."""
    begin = next((a for a, b in sentences(text) if a <= place < b), 0)
    spoken_of = [slug(match[1]) for match in _QUOTED.finditer(text, begin, place)]
    return bool(spoken_of) and not any(slug(term) in said or said in slug(term) for said in spoken_of[-1:])


def _quoted_name(words: str, names: Mapping[str, str]) -> str:
    if slug(words) in names:
        return names[slug(words)]
    return words if len(words.split()) <= _LONGEST_QUOTE and "[" not in words else ""


def _names(session: Session) -> dict[str, str]:
    return {slug(label): preferred for label, _, preferred in names(session)}


def _seen(session: Session, scope: Scope, asked: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Return term → the terms that its entry says to see; those of the rules that it cites come first."""
    rows = session.run("answering", "seen", scope, {"term by": asked}) if asked else []
    named, ruled = (
        grouped((str(term), str(name)) for term, by, name in rows if by == way) for way in ("term", "rule")
    )
    return named | ruled


_IS = (
    r"(?:is|are|was|were|becomes?|remains?|represents?|counts? as|isn['’]t|aren['’]t|can['’]t be"
    r"|(?:doesn|don)['’]t (?:become|count as))"
)
_AND_OTHERS = r"(?:(?:, [\w -]{1,30})*,? and [\w -]{1,30}(?= are\b))?"
"""*exile, ante, and command* are"""

_BETWEEN = (
    r"(?: (?:not|never|neither|always|also|still|both|only|just|considered|treated as|an?|the|any"
    r"|two|three|four|(?:kind|type|sort)s? of))*"
)
_ALTERNATIVE = r"(?: [\w-]+ (?:nor|or|and))?"
"""*neither a card nor a permanent*"""

DENIES = re.compile(r"n['’]t\b|\b(?:not|never|neither|nor|no)\b", re.IGNORECASE)

_UNREAL = re.compile(r"\bas (?:though|if)\b", re.IGNORECASE)
_OF_IT = re.compile(
    r"\b(?:of (?:an?|the|that|this|each|any)|(?:with|has|have|having) no|without(?: an?| any)?) $",
    re.IGNORECASE,
)
"""*The owner of an object is …* says nothing about the object, *with no color* nothing about color."""

_MAY_BE = re.compile(r"\bbecomes?\b|\bor\b", re.IGNORECASE)
_ON_CONDITION = re.compile(
    r"\b(?:if|when|whenever|while|unless|until|as long as|some|many|most)\b", re.IGNORECASE
)

DECIDES = ("is", "in part", "was", "is not", "can be")
"""What a sentence may say about two things."""

_BOTH = "names both"
_LONGEST_NAME = 4
"""The maximum number of words in a name on a list."""
_NAMED_AT_MOST = 12
"""The maximum number of items that a remark names."""
_LIKE = 0.8
"""The least similarity, of 1, of a name on the list that may be meant: one letter of five differs."""

_LISTED = "listed"
_CAN_BE = re.compile(r"\b(?:can|may) be\b", re.IGNORECASE)


def deciding(
    session: Session,
    rows: Sequence[Cells],
    args: Sequence[str],
    things: Mapping[str, Sequence[str]],
    ask: Callable[[str, Sequence[str]], Answer],
) -> tuple[list[Cells], list[str]]:
    """Return rows (says, number, quote, document, line) that say whether one thing is another, and remarks.

    `rows` are those of `whether.rq`, `args` the two names, `things` their IRIs, and `ask` answers a question
    of the catalogue by its name. Facts are kept; each text gives its first sentence that says so. If nothing
    says it, a remark says that, and the rows are sentences in entries or rules of the first thing that name
    both; there may be none. If only an entry says it, a remark says what the heading of its rule says.
    """
    used = {word for row in rows for word in words_in(str(row[2]))}
    called, patterns = [], []
    for said, iris in zip(args, things.values(), strict=True):
        known = [(name, preferred) for name, iri, preferred in names(session) if iri in iris]
        called.append(next((preferred for _, preferred in known), said))
        patterns.append(_pattern([name for name, _ in known] or [said], used))
    facts = ("is", "was")
    found = [_in_part(row, patterns[1]) for row in rows if row[0] in facts]
    named = re.compile(rf"\b(?:{patterns[0]})\b", re.IGNORECASE)
    listed = [row for row in rows if row[0] == _LISTED and named.search(str(row[2]))]
    found += [("can be" if _CAN_BE.search(str(row[2])) else "is", *row[1:]) for row in listed]
    others = (row for row in rows if row[0] not in (*facts, _LISTED))
    found += [own for row in others for own in _judged(row, *patterns)]
    decided = [row for row in found if row[0] in DECIDES]
    remarks = []
    if not decided:
        remarks.append(
            f"No rule says in so many words whether {called[0]} is {with_article(singular(called[1]))}."
        )
        own = " ".join(str(row["text"]) for row in ask("definition", called[:1]) if not row["number"])
        remarks += unlisted(called[0], called[1], ask, own)
    elif all(row[1] is None for row in decided):
        headed = {str(row["kind"]) for row in ask("kinds_of", args[:1]) if row["read_by"] == "heading"}
        if headed and called[1].lower() not in headed:
            kind = with_article(in_a_list([*headed]))
            remarks.append(f"By the heading of its rule, {called[0]} is {kind}.")
    # What is so comes before what may be, and rules before entries.
    found = sorted(decided or found, key=lambda row: (row[0] == "can be", row[1] is None))
    return list(dict.fromkeys(found)), remarks


def unlisted(
    said: str, kind: str, ask: Callable[[str, Sequence[str]], Answer], own: str = ""
) -> Iterator[str]:
    """Yield a remark if the rules list the names of all things of a kind, and `said` is none of them.

    `ask` answers a question of the catalogue by its name; it may raise `UsageError`. `own` is the thing's
    entry: if it names something on the list, as that of *Islandwalk* does, the thing may be a form of it.
    """
    try:
        found = ask("list_items", [kind])
    except UsageError:
        return
    items = [str(it) for it in dict.fromkeys(row["item"] for row in found)]
    is_of_names = items and not any(it.endswith((".", ":", ";")) or number_in(it) for it in items)
    if not is_of_names or len(said.split()) > _LONGEST_NAME:
        return
    known = {it.lower(): it for it in items}
    forms = [form.lower() for form in either_number(said)]
    noun = kind.lower().split()[-1]
    is_there = any(it in known or f"{it} {noun}" in known for it in forms)
    is_there |= any(f"{it} {noun}" in forms for it in known)  # *command zone*
    if is_there or _has_any(own, items):
        return
    within = [it for it in items if _has_any(it, forms)]
    near = get_close_matches(said.lower(), known, n=1, cutoff=_LIKE) if not within else []
    named = f": {', '.join(items)}." if len(items) <= _NAMED_AT_MOST else "."
    meant = f" Did you mean {known[near[0]]}?" if near else ""
    meant = f" {in_a_list(within)} {'are' if len(within) > 1 else 'is'}." if within else meant
    yield f"“{said}” is not on the list of {plural(kind.lower())}, which has {len(items)}{named}{meant}"


def _has_any(text: str, names: Iterable[str]) -> bool:
    """Return whether a text has any of some names as whole words."""
    return re.search(rf"\b(?:{'|'.join(map(re.escape, names))})(?!\w)", text, re.IGNORECASE) is not None


def _in_part(row: Cells, other: str) -> Cells:
    """Return a fact with the sentence that names the other thing, if that says what one of several is.

    *Echo is a keyword that represents two abilities. The first is a static ability.*
    """
    quote = str(row[2])
    first, *each = (quote[start:end] for start, end in sentences(quote))
    named = [it for it in (first, *each) if re.search(rf"\b(?:{other})\b", it, re.IGNORECASE)]
    return ("in part", row[1], named[0], *row[3:]) if named and named[0] != first else row


def _judged(row: Cells, one: str, other: str) -> Iterator[Cells]:
    says, number, text, *place = row
    # *An object is an ability on the stack, a card, or a token.*
    parts = rf"\b(?:an?|the) (?:{other}) (?:is|are) (?:[\w’' -]+, )*(?:or |and )?(?:an?|the) (?:{one})[,.]"
    listed = re.search(parts, str(text), re.IGNORECASE)
    if listed and "," in listed[0][:-1]:
        whole = (str(text)[a:b] for a, b in sentences(str(text)) if a <= listed.start() < b)
        yield ("is", number, next(whole), *place)
        return
    told = telling(str(text), one, other)
    converse = None if told else telling(str(text), other, one)
    if converse:  # if some of the others are it, it can be one of them
        yield ("is not" if converse[0] == "is not" else "can be", number, converse[1], *place)
    elif told:
        yield (told[0], number, told[1], *place)
    elif says == "own":
        named = re.compile(rf"\b(?:{other})\b", re.IGNORECASE)
        for start, end in sentences(str(text)):
            if named.search(str(text), start, end):
                yield (_BOTH, number, str(text)[start:end], *place)


def telling(text: str, one: str, other: str) -> tuple[str, str] | None:
    """Return what a text says about two things, given as patterns of their names, and the sentence.

    >>> telling("Moths fly. A moth isn't considered a lamp.", "moths?", "lamps?")
    ('is not', "A moth isn't considered a lamp.")
    >>> telling("A moth on a lamp is a lantern.", "moths?", "lanterns?")[0]
    'in part'
    >>> telling("Lamps are no moth. Moths sit on a lamp.", "moths?", "lamps?")
    """
    says = re.compile(
        rf"\b(?:{one})(?: (?:cards?|permanents?|objects?))?(?P<on> on an? [\w ]{{1,40}}?)?"
        rf"{_AND_OTHERS},? {_IS}\b"
        rf"{_BETWEEN}{_ALTERNATIVE}{_BETWEEN} (?:[\w-]+-)?(?:{other})\b(?! (?:that|of)\b)",
        re.IGNORECASE,
    )
    for start, end in sentences(text):
        match = says.search(text, start, end)
        before = text[start : match.start()].rpartition(",")[2] if match else ""
        if match and not _UNREAL.search(before) and not _OF_IT.search(before):
            is_denied = DENIES.search(match[0]) or re.search(r"\bneither\b", before, re.IGNORECASE)
            may_be = _ON_CONDITION.search(before) or _MAY_BE.search(
                match[0].replace(match["on"] or "", "", 1)
            )
            told = "is not" if is_denied else "can be" if may_be else "in part" if match["on"] else "is"
            return told, text[start:end]
    return None


def _pattern(names: Sequence[str], used: Iterable[str]) -> str:
    """Return a pattern that matches any name of a thing, singular or plural, and the words used for it."""
    own = {form.lower() for name in names for form in either_number(name)}
    own |= {word for word in used if not own.isdisjoint(other_forms(word))}
    return "|".join(map(re.escape, sorted(own, key=lambda form: (-len(form), form))))

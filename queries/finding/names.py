"""Find the thing with a name: a term by any of its names, or a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from shlex import quote
from typing import NamedTuple

from ...loaders.editions import stored_sets
from ...loaders.history.lives import bundled_lives
from ...loaders.language.names import either_number, other_forms, singular
from ...loaders.language.numbers import number_in
from ...loaders.language.words import split_heading
from ...ontology import SKOS, UnknownNameError, UsageError, literal, slug
from ..session import Cells, Scope, Session
from ..session.places import without_iri

_IN_LIST = re.compile(r"[,;/&]|\band\b|(?:(?<=\d)|(?<=\d[a-z])) (?=\d)")
"""The separators in a list of numbers."""

_WORD = re.compile(r"[^\W\d_]{2}")
"""What a name needs to count as part of another; *+1/+1* is not a word in *9999.1*."""

_LIKE = 0.6
"""The minimum similarity of a name to the one typed; 1 means equal."""

_WITHIN = 0.75
"""The similarity of a name that contains all words typed, or of which all words were typed."""

_NEARLY = 0.2
"""How much less similar than the nearest name another one may be."""


class Alias(NamedTuple):
    """The term for the same concept before or after a rename; `later` is true for the newer one.

    `told` is true if the older one's entry says so, in an edition that has both.
    """

    iri: str
    name: str
    later: bool
    told: bool = False


class Named(NamedTuple):
    """A thing whose edition is not known yet: `key` is a term's IRI, or a number."""

    kind: str
    name: str
    key: str
    renamed: tuple[Alias, ...] = ()
    """The term's other names over time."""

    remark: str = ""
    """The remark for a term that was found by another name."""

    given: str = ""
    """The name as it was typed."""

    @property
    def terms(self) -> tuple[str, ...]:
        """The term with its names over time, by IRI."""
        return tuple(dict.fromkeys((self.key, *(other.iri for other in self.renamed))))


def identify(session: Session, given: str, scope: Scope | None = None) -> Named:
    """Return the thing with a name, preferring those in `scope`; raises the errors of `resolve`."""
    name = without_iri(session, " ".join(given.split()).strip("\"'“”‘’"))
    if not name:
        raise UsageError("the name is empty", way_out="Give a term or a rule number.")
    if number := number_in(name):
        return Named("number", number, number)
    bare = name[4:] if name.lower().startswith("the ") else name
    named = (_term_named(session, it, scope) for it in dict.fromkeys((name, bare)))
    term, remark = next((it for it in named if it[0]), (None, ""))
    if term is None and session.pairs(None, SKOS.notation, to=[literal(name)]):
        return Named("number", name, name)  # tournament rules have numbers of their own
    if term is None:
        raise _unknown(session, given, name)
    if not remark and not _is_form_of(bare, term[1]):
        remark = f"{capital(name)} is found under {term[1]}."
    return Named("term", term[1], term[0], session.once(_renamed, term[0]), remark, name)


def _unknown(session: Session, given: str, name: str) -> UnknownNameError:
    """Return the error for an unknown name, with similar names and what is known about cards."""
    from ...loaders.cards.records import key_of

    sets = {session.iris.cards(own): it.title for own, it in [*stored_sets(session.store).items()][-1:]}
    if sets and session.run("cards", "keys", [*sets], {"key": [literal(key_of(name))]}):
        shown = f"There is a card with this name: see `rulesgraph show {quote(name)}`."
        return UnknownNameError("term or number", given, (), shown)
    listed = [it.strip() for it in _IN_LIST.split(name) if it.strip()]
    if len(listed) > 1 and all(map(number_in, listed)):
        raise UsageError(f"{given!r} is more than one number", way_out="Give one at a time.")
    way_out = [] if (near := names_like(session, name)) else ["`rulesgraph search` finds words in the texts."]
    if _WORD.search(name) and (not near or (" " in name and all(it[0].isupper() for it in name.split()))):
        known = "it is not in {}" if sets else "load cards first: `rulesgraph build AtomicCards.json`"
        way_out.append(f"If this is a card, {known.format(*sets.values())}.")
    kind = "term, number or card" if sets else "term or number"
    return UnknownNameError(kind, given, near, "\n  ".join(way_out))


def is_name(session: Session, given: str) -> bool:
    """Return whether a term has this name, in any edition; raises `UsageError` if several do."""
    return _term_named(session, " ".join(given.split()))[0] is not None


def _term_named(
    session: Session, name: str, scope: Scope | None = None
) -> tuple[tuple[str, str] | None, str]:
    """Return (IRI, preferred name) of the term with a name, or None, and a remark."""
    term, remark = _term_called(session, name, scope), ""
    if term is None:
        term, remark = _term_of_another_time(session, name)
    if term is None:
        term = the_one_called([(label, (iri, own)) for label, iri, own in names(session)], name)
        remark = f"{capital(name)} is another form of {term[1]}." if term else ""
    if term is None:
        term = _term_of_a_title(session, name)
        remark = f"{capital(name)} is the title of a rule that says what {term[1]} is." if term else ""
    return term, remark


def capital(name: str) -> str:
    """Return a name with a capital letter, as at the beginning of a sentence."""
    return name[:1].upper() + name[1:]


def _term_of_another_time(session: Session, name: str) -> tuple[tuple[str, str] | None, str]:
    """Return the term that was or will be called `name` in other editions, and a remark."""
    wanted = {slug(name), slug(name).removesuffix("s"), slug(name) + "s"}
    for it in bundled_lives().renamings:
        if slug(it.old) in wanted and (term := _term_called(session, it.new)):
            return term, f"{it.old} has been called {it.new} since {it.since} or earlier."
        if slug(it.new) in wanted and (term := _term_called(session, it.old)):
            return term, f"{it.new} was called {it.old} before {it.since}."
    return None, ""


def _term_called(session: Session, name: str, scope: Scope | None = None) -> tuple[str, str] | None:
    """Return (IRI, preferred name) of the term called `name`, in any case and number; see `identify`."""
    iri = session.iris.term(slug(name))
    graph = (session.iris.graph("terms"),)
    spellings = {name, name.title(), name.capitalize()}
    given = {"term": [iri], "label": [literal(spelling, "en") for spelling in sorted(spellings)]}
    rows = [(str(row[0]), str(row[1])) for row in session.run("finding", "term", graph, given)]
    if len(rows) > 1:
        asked = {"term": sorted({it for it, _ in rows})}
        here = {str(row[0]) for row in session.run("finding", "standing", scope or session.current, asked)}
        rows = [row for row in rows if row[0] in here] or rows
    if rows:
        return _only(name, [row for row in rows if row[0] == iri] or rows)
    found = _by_slug(session, {slug(name)})
    if not found:
        forms = (*either_number(name), *split_heading(name).names[:1])
        found = _by_slug(session, {slug(form) for form in forms})
    return _only(name, found) if found else None


def _term_of_a_title(session: Session, name: str) -> tuple[str, str] | None:
    """Return (IRI, preferred name) of the term that rules with this title define now, or None."""
    rows = session.run("finding", "titles", session.current, {"title": [literal(name.lower())]})
    found = {(str(term), str(own)) for term, own in rows}
    return _only(name, sorted(found)) if found else None


def _by_slug(session: Session, wanted: set[str]) -> list[tuple[str, str]]:
    """Return the terms with a name that differs only in case and punctuation."""
    return sorted({(term, preferred) for name, term, preferred in names(session) if slug(name) in wanted})


def _only(name: str, found: Sequence[tuple[str, str]]) -> tuple[str, str]:
    if len(found) > 1:
        several = " or ".join(f"{preferred!r}" for _, preferred in found)
        raise UsageError(f"{name!r} may be {several}", way_out="Give the whole name.")
    return found[0]


def names(session: Session) -> list[tuple[str, str, str]]:
    """Return every name of every term: (name, IRI, preferred name); they are read once in a session."""
    preferred, called = session.once(names_and_terms)
    return [(name, term, preferred[term]) for name, term in called if term in preferred]


def names_and_terms(session: Session) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the preferred name of each term, and a sorted list of every name with its meanings.

    The part after a dash is also a name, if no other term has it: *Lamps — Lost Wick*."""
    graph = (session.iris.graph("terms"),)
    preferred = session.pairs(graph, SKOS.prefLabel)
    called = {*preferred, *session.pairs(graph, SKOS.altLabel, SKOS.hiddenLabel)}
    known = {slug(name) for _, name in called}
    parts = ((term, name.rpartition(" — ")[2]) for term, name in preferred)
    called |= {(term, name) for term, name in parts if slug(name) not in known}
    return dict(preferred), sorted((name, term) for term, name in called)


def _is_form_of(name: str, preferred: str) -> bool:
    """Return whether a name differs from a preferred one only in case, punctuation and number."""
    if slug(name) == slug(preferred):
        return True
    return bool({slug(name), slug(singular(name))} & {*map(slug, either_number(preferred))})


def _renamed(session: Session, term: str) -> tuple[Alias, ...]:
    rows = session.run("finding", "renamed", (session.iris.graph("terms"),), {"term": [term]})
    found = [Alias(str(row[1]), str(row[2]), row[3] == "later") for row in rows]
    return tuple(found if any(it.later for it in found) else [*found, *_renamed_by_entry(session, term)])


def _renamed_by_entry(session: Session, term: str) -> Iterator[Alias]:
    """Yield a term's current name according to its obsolete entry."""
    texts = session.run("finding", "obsolete", None, {"term": [term]})
    if not texts:
        return
    # Few terms are obsolete, so this is read only when needed.
    labels = names(session)
    now = name_now(session, term, texts, {slug(name): iri for name, iri, _ in labels})
    if now:
        yield Alias(now, next(preferred for _, iri, preferred in labels if iri == now), True, True)


def names_like(session: Session, name: str) -> list[str]:
    """Return similar names, the nearest first, each term once; none much less similar than the nearest."""
    # Imported here because it loads more slowly than most questions are answered.
    from rapidfuzz import process, utils
    from rapidfuzz.distance import OSA

    known = {label: preferred for label, _, preferred in names(session)}
    near = process.extract(
        name,
        list(known),
        scorer=OSA.normalized_similarity,
        processor=utils.default_process,
        limit=12,
        score_cutoff=_LIKE,
    )
    said = set(slug(name).split("-"))
    words = {label: set(slug(label).split("-")) for label in known if _WORD.search(label)}
    within = [(label, _WITHIN) for label, own in words.items() if own <= said or said <= own]
    scored = [*((label, score) for label, score, _ in near), *within]
    ranked = sorted(scored, key=lambda it: (-it[1], not words.get(it[0], set()) & said, len(it[0]), it[0]))
    best = [known[label] for label, score in ranked if score >= ranked[0][1] - _NEARLY]
    return list(dict.fromkeys(best))[:3]


def other_names(session: Session, term: str) -> tuple[str, ...]:
    """Return the names of a term, given by its IRI, without its preferred one."""
    found = session.pairs((session.iris.graph("terms"),), SKOS.altLabel, of=[term])
    return tuple(sorted((name for _, name in found), key=str.lower))


def namesake(session: Session, scope: Scope, name: str, inflected: bool) -> tuple[str, str] | None:
    """Return (IRI, preferred name) of the only term that the texts of a scope call `name`, or None.

    A heading with several names (*Lamp, Lamp Oil*) counts for each. A name in another number counts too and,
    if `inflected`, one with other forms of the same words (*Remove*, *Removed*).
    """
    called = [
        (own, (str(term), str(preferred)))
        for term, preferred, kind, words in session.run("finding", "called", scope)
        for own in (split_heading(str(words)).names if kind == "entry" else (str(words).rstrip(" .,;"),))
    ]
    return the_one_called(called, name, inflected)


def the_one_called(
    called: Sequence[tuple[str, tuple[str, str]]], name: str, inflected: bool = True
) -> tuple[str, str] | None:
    """Return the only thing with this name, in any number or form, among pairs of name and thing, or None."""
    spelled = {*map(slug, either_number(name))}
    ways = [lambda own: slug(own) in spelled, *([_inflection_of(name)] if inflected else [])]
    for is_meant in ways:
        found = {thing for own, thing in called if is_meant(own)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _inflection_of(name: str) -> Callable[[str], bool]:
    """Return a test for names that consist of the same words as `name`, in any form."""
    forms = [frozenset((word, *other_forms(word))) for word in _words(name)]

    def is_inflected(other: str) -> bool:
        words = _words(other)
        return len(words) == len(forms) and all(word in own for word, own in zip(words, forms, strict=True))

    return is_inflected


def _words(name: str) -> Sequence[str]:
    return re.findall(r"[^\W_]+", slug(name))


ARTICLE = (
    r"(?:(?:an object's|the object's|the|an|a|its)\s+)?(?:(?:term|word|phrase|name|supertype|subtype)\s+)?"
)

OTHER_NAME = (
    rf"now (?:called|known as) {ARTICLE}",
    rf"(?:obsolete|old|older|earlier|former) (?:term|name|word|phrase) for {ARTICLE}",
)
"""Ways to say that something now has another name, which follows. The thing itself is the same."""

RENAMED = re.compile(r"\b(?:has|have|was|were) (?:been )?renamed\b", re.IGNORECASE)
"""The same, for a new name that comes with its cited rule."""

_OTHER_NAME = re.compile(rf"\b(?:{'|'.join(OTHER_NAME)})", re.IGNORECASE)
_WORDS = re.compile(r"[^\s.,;:()\"“”]+(?: [^\s.,;:()\"“”]+){0,5}")


def name_now(session: Session, term: str, texts: Sequence[Cells], names: Mapping[str, str]) -> str:
    """Return the IRI of an obsolete term's current name, given the term's IRI; or ``""``.

    `texts` are the rows of `obsolete.rq`, newest first, at least one. Only the term's own entry counts: it
    may say that it is the old name of something, that it was renamed (then the only rule that it cites shows
    to what), or only where to look. `names` maps slugs of names to terms.
    """
    for _, _, text in texts:
        for match in _OTHER_NAME.finditer(str(text)):
            now = leading_name(str(text)[match.end() :], names)
            if now and now != term:
                return now
    how = "cites" if any(RENAMED.search(str(text)) for _, _, text in texts) else "redirects"
    # Older entries say the same, and looking at each edition takes time.
    entry = str(texts[0][1])
    edition = session.iris.parse(entry).edition
    graphs = [*session.scope(edition).documents, session.iris.derived(edition)]
    rows = session.run("finding", "obsolete_links", graphs, {"entry": [entry]}, kept=True)
    led = {str(other) for told, other in rows if told == how and other != term}
    return led.pop() if len(led) == 1 else ""


def leading_name(text: str, names: Mapping[str, str]) -> str:
    """Return the meaning of the longest name at the beginning of a text, or ``""``.

    >>> leading_name("moth lights, which glow.", {"moth-lights": "Moth Light", "moth": "Moth"})
    'Moth Light'
    """
    match = _WORDS.match(text)
    words = match[0].split() if match else []
    while words:
        found = names.get(slug(" ".join(words)))
        if found:
            return found
        words.pop()
    return ""

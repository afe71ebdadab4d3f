"""Write `graph/terms`: one concept for each name in any edition, with its labels."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...ontology import PREFIXES, RG, DocumentKind, Iris, QueryFiles, grouped, players_words, slug
from ..editions import EditionInfo
from ..graph.quads import RDF_TYPE, C, P, TripleSet, boolean, english, integer, node
from ..language.names import singular, title_names
from ..language.words import split_heading
from ..store.protocol import Queryable, statements, stored_triples, text_rows
from .edition import EditionView

_SKOS = PREFIXES["skos"]
SCHEME = {
    "title": english("Terms of the rules"),
    "creator": node("https://w3id.org/rulesgraph/"),
    "publisher": node("https://w3id.org/rulesgraph/"),
    "subject": node("http://www.wikidata.org/entity/Q207302"),
}
"""Statements about the scheme of terms: properties of DCTERMS and their values."""

_NO_SINGULAR = re.compile(r"\b(?:and|or|of|from|to|with|in|on|for)\b|[,/]|^\w+ing\b", re.IGNORECASE)
"""Titles that name several things, or an action on things, or whose last word is not the head.

*Casting Spells*, *Interaction of Continuous Effects*: without the last letter, they occur in no text.
"""

_QUERIES = QueryFiles.beside(__name__)


@dataclass(frozen=True, slots=True)
class NamedTerm:
    """The names of a term in one edition: `names` of its entry, `titles` of its rules.

    `cited` are the names by which texts refer to it; each of the three may be empty.
    """

    slug: str
    names: tuple[str, ...]
    titles: tuple[str, ...]
    cited: tuple[str, ...] = ()


def names_of_view(view: EditionView) -> list[NamedTerm]:
    """Return the names of every term of an edition."""
    headed = {slug(entry.names[0]) for entry in view.entries if entry.names}
    headed |= {view.entry_term(number) for number in view.cited_entries}
    found = []
    for term in sorted(view.names):
        rules = view.defining.get(term, ())
        titles = [view.titles[view.iris.parse(rule).key].strip().rstrip(".,;") for rule in rules]
        names = tuple(view.names[term]) if term in headed else ()
        cited = () if names or titles else tuple(view.names[term])
        found.append(NamedTerm(term, names, tuple(dict.fromkeys(titles)), cited))
    return found


_AS_NAMED: tuple[Callable[[str], tuple[str, ...]], ...] = (
    lambda heading: split_heading(heading).names,
    lambda title: (title.strip().rstrip(".,;"),),
    lambda citation: (citation.strip("\"'“”‘’ "),),
)
"""What headings, rule titles and citations name."""


def stored_names(
    store: Queryable, iris: Iris, editions: Sequence[EditionInfo], written: Mapping[str, Path]
) -> dict[str, list[NamedTerm]]:
    """Return the names of terms in a store, by edition id: each name in the newest edition that has it.

    `terms_triples` needs nothing else, and this is far less than what editions say. Names in texts count only
    for terms without a heading. `written` are files of graphs as they are now.
    """
    if not editions:
        return {}
    by_age = sorted(editions, key=lambda info: info.age_key)
    graphs = [
        (integer(place), iris.derived(info.edition), graph)
        for place, info in enumerate(by_age)
        for graph in (*map(iris.document, sorted(info.documents)), iris.derived(info.edition))
    ]
    ranked = [(place, graph) for place, _, graph in graphs]
    found: dict[tuple[int, str], tuple[list[str], ...]] = defaultdict(lambda: ([], [], []))
    headed = set[str]()

    def read(kind: int, query: str) -> None:
        for term, words, place in text_rows(store, query):
            headed.add(term)
            found[int(place), iris.slug_of(term)][kind].extend(_AS_NAMED[kind](words))

    read(0, _QUERIES.bound("headings", {"place graph": ranked}))
    read(1, _QUERIES.bound("rule_titles", {"place derived graph": graphs}))
    untitled = _known_terms(store, iris, [graph for _, graph in ranked if graph in written], written) - headed
    if untitled:
        read(2, _QUERIES.bound("cited_terms", {"place graph": ranked, "term": sorted(untitled)}))
    named: dict[str, list[NamedTerm]] = {info.edition: [] for info in by_age}
    for (rank, term), several in sorted(found.items()):
        names, titles, cited = (tuple(dict.fromkeys(kind)) for kind in several)
        named[by_age[rank].edition].append(NamedTerm(term, names, titles, cited))
    return named


def _known_terms(store: Queryable, iris: Iris, fresh: Sequence[str], written: Mapping[str, Path]) -> set[str]:
    """Return all terms that the store knows by a name, and those that `fresh` graphs refer to."""
    terms = iris.term("")
    known = {subject for subject, *_ in stored_triples(store, iris.graph("terms"))}
    known |= {value for *_, value in statements(store, fresh, (RG.to,), written)}
    return {it for it in known if it.startswith(terms)}


def terms_triples(
    names: Mapping[str, list[NamedTerm]],
    editions: Mapping[str, EditionInfo],
    iris: Iris,
    current: Collection[str] = (),
) -> TripleSet:
    """Return `graph/terms`: the newest edition's name is preferred, all others are alternatives.

    A term that has an entry or a rule only in editions other than the `current` ones is deprecated; one in
    the newest rules, or in tournament rules, is not.

    A rule's title is a name if no glossary has the term. If one has it, a title that is only another form of
    the name (*Enchantments*) is an alternative. A heading of two things (*Base Power, Base Toughness*) has
    the second as a hidden label, by which it is found. No label names two terms, either in the singular or in
    the plural.
    """
    preferred: dict[str, str] = {}
    others: dict[str, dict[str, None]] = defaultdict(dict)
    newest_first = sorted(editions.values(), key=lambda e: e.age_key, reverse=True)
    named = [it for info in newest_first for it in names.get(info.edition, ())]
    for it in named:
        if it.names:
            preferred.setdefault(it.slug, it.names[0])
            others[it.slug] |= dict.fromkeys(it.names)
    for it in named:
        for title in it.titles:
            if it.slug not in preferred:
                preferred[it.slug] = title
                others[it.slug] |= {
                    title: None,
                    title if _NO_SINGULAR.search(title) else singular(title): None,
                }
            elif title not in others[it.slug] and _is_form(title, others[it.slug]):
                others[it.slug][title] = None
    for it in named:
        if it.cited and it.slug not in preferred:
            preferred[it.slug] = it.cited[0]
            others[it.slug] |= dict.fromkeys(it.cited)
    triples = _labels(preferred, others, iris) | _other_numbers(preferred, names, newest_first, iris)
    rules = [it.edition for it in newest_first if it.is_rules][:1]
    numbered = [it.edition for it in newest_first if it.kind is DocumentKind.NUMBERED]
    # Which names in citations are read depends on the order of loading: only headings and titles count.
    defined = {of: {it.slug for it in own if it.names or it.titles} for of, own in names.items()}
    kept = set[str]().union(*(defined.get(it, ()) for it in (*current, *rules, *numbered)))
    for term in set[str]().union(*defined.values()) - kept:
        triples.say(node(iris.term(term)), deprecated=boolean(True))
    return triples


def _other_numbers(
    preferred: Mapping[str, str],
    names: Mapping[str, list[NamedTerm]],
    newest_first: Iterable[EditionInfo],
    iris: Iris,
) -> TripleSet:
    """Return `renamedTo` from a term that the rules lost to the same name as a singular or plural.

    If an edition has both, they are two things: a team, and the variant called Teams.
    """
    triples, found = TripleSet(), defaultdict[str, list[int]](list)
    for age, info in enumerate(it for it in newest_first if it.is_rules):
        for named in names.get(info.edition, ()):
            found[named.slug].append(age)
    forms = grouped((slug(singular(preferred[term])), term) for term in found if term in preferred)
    for terms in forms.values():
        living = min(terms, key=found.__getitem__)
        for it in terms:
            if it != living and not {*found[it]}.intersection(found[living]):
                triples.say(node(iris.term(it)), renamedTo=node(iris.term(living)))
    return triples


def hierarchy(said: TripleSet, terms: Iterable[str], iris: Iris) -> TripleSet:
    """Return the downward SKOS statements about the terms (slugs) of an edition; `said` are the upward ones.

    These are the inverse of each `broader`, and the top concepts of the scheme, which have no broader term.
    """
    triples = TripleSet()
    broader, scheme = f" {P['broader']} ", node(iris.scheme("terms"))
    below = set()
    for line in said.lines:
        if broader in line:
            term, _, above = line.split(" ")
            below.add(term)
            triples.say(above, narrower=term)
    for term in (node(iris.term(key)) for key in terms):
        if term not in below:
            triples.say(term, topConceptOf=scheme)
            triples.say(scheme, hasTopConcept=term)
    return triples


def _is_form(title: str, names: Iterable[str]) -> bool:
    """Return whether a title is one of the names: singular or plural, or followed by "Variant"."""
    known = {slug(singular(name)) for name in names}
    return any(slug(singular(name)) in known for name in title_names(title))


def _is_counterpart(one: str, other: str) -> bool:
    """Return whether two names of a heading name two things: only their last words differ.

    >>> _is_counterpart("Phased In", "Phased Out"), _is_counterpart("Poison Counter", "Poison Counters")
    (True, False)
    """
    (*start, last), (*begin, end) = (slug(singular(name)).split("-") for name in (one, other))
    return bool(start) and start == begin and last != end


def _labels(preferred: Mapping[str, str], others: Mapping[str, Iterable[str]], iris: Iris) -> TripleSet:
    triples = TripleSet()
    scheme = node(iris.scheme("terms"))
    taken = {name.casefold() for name in preferred.values()}
    owner = {slug(singular(name)): term for term, name in preferred.items()}
    free = node("https://creativecommons.org/publicdomain/zero/1.0/")
    triples.say(scheme, type=node(_SKOS + "ConceptScheme"), license=free, **SCHEME)
    triples.say(scheme, description=english("Names in the rules of every edition"))
    for term in sorted(preferred):
        me = node(iris.term(term))
        triples.say(me, type=(C["Term"], node(_SKOS + "Concept")), inScheme=scheme)
        triples.say(me, prefLabel=english(preferred[term]))
        for name in others[term]:
            if name.casefold() not in taken and owner.get(slug(singular(name)), term) == term:
                taken.add(name.casefold())
                kind = "hiddenLabel" if _is_counterpart(preferred[term], name) else "altLabel"
                triples.say(me, **{kind: english(name)})
    return triples


def words_of_players(terms: TripleSet, held: Collection[str], iris: Iris) -> TripleSet:
    """Return players' words for names, as hidden labels of the existing terms and provisions.

    `terms` are the triples of `terms_triples`; a label that the same term already has in them stays as it is.
    `held` are the existing provisions: see `known_provisions`.
    """
    triples = TripleSet()
    for thing, word, _ in players_words(iris.base):
        me, label = node(thing), english(word)
        named = (f"{me} {P[kind]} {label}" in terms.lines for kind in ("prefLabel", "altLabel"))
        known = thing in held or f"{me} {RDF_TYPE} {C['Term']}" in terms.lines
        if known and not any(named):
            triples.say(me, hiddenLabel=label)
    return triples


def known_provisions(
    store: Queryable, iris: Iris, histories: Sequence[str], written: Mapping[str, Path]
) -> set[str]:
    """Return the provisions that players have words for and that some history graphs have rules of.

    `written` are files of graphs as they are now.
    """
    wanted = {it for it, _, _ in players_words(iris.base) if iris.parse(it).kind == "provision"}
    fresh = [graph for graph in histories if graph in written]
    held = wanted & {provision for *_, provision in statements(store, fresh, (RG.provision,), written)}
    if held != wanted and len(fresh) < len(histories):
        query = _QUERIES.bound("provisions", {"provision": sorted(wanted - held)})
        held |= {provision for (provision,) in text_rows(store, query)}
    return held


def renamed_terms(store: Queryable, histories: Iterable[str], written: Mapping[str, Path]) -> TripleSet:
    """Return `renamedTo` for every renaming in some history graphs.

    `written` are files of graphs as they are now.
    """
    named: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for _, renaming, name, term in statements(store, histories, (RG.oldName, RG.newName), written):
        named[renaming][name].append(term)
    triples = TripleSet()
    for terms in named.values():
        for old in terms[RG.oldName]:
            triples.say(node(old), renamedTo=map(node, terms[RG.newName]))
    return triples

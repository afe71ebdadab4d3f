"""Write the terms of a scope as a SKOS thesaurus for vocabulary browsers.

Browsers do not reason, so links are written in both directions, with top concepts and definitions. Only kinds
are narrower than kinds; the name of one thing of a kind (*Trample*, a keyword ability) is a member of a
collection. A term without broader, narrower or related terms, and in no such collection, is in that of its
chapter, or else has a note that says why it is alone. Some links are left out because SKOS does not allow
them: a broader term that can also be reached through another, circles of broader terms, and related terms of
which one is above the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ...loaders.describing.describe import CC0, RIGHTS, STARTER
from ...loaders.graph.quads import TripleSet, boolean, day, english, node, text
from ...loaders.linking.labels import SCHEME, hierarchy
from ...ontology import PREFIXES, RG, grouped
from ..session import Scope, Session
from .notations import turtle_of

_SKOS, _DCTERMS, _OWL = (PREFIXES[name] for name in ("skos", "dcterms", "owl"))
_BROADER, _RELATED, _REPLACED = _SKOS + "broader", _SKOS + "related", _DCTERMS + "isReplacedBy"

Collections = dict[tuple[str, str], set[str]]
"""Key and label of a collection → its members."""

_MEMBERS = "Members of "
_ONLY_TERMS = "These are the members that are terms; a list in the rules may have more."

_LONE = "No text says what kind of thing it is, and no link leads from it to another term or a chapter."

TermLinks = dict[str, set[tuple[str, str]]]
"""Property of SKOS or DCTERMS → pairs of terms."""


Definition = tuple[dict[str, tuple[str, str]], dict[str, None]]
"""Entry or rule → its rank and name, for the places of a term's definitions; and their texts.

The rank of entries is ``"0"``. Rules count only if there are no entries.
"""


def thesaurus_turtle(session: Session, edition: str | None = None, *, words: bool = True) -> str:
    """Return the terms that a question about `edition` sees, as a SKOS concept scheme in Turtle.

    Without `words`, definitions point to the entry or rule instead of quoting it.
    """
    scope = session.scope(edition)
    seen = _scopes(session, scope)
    used = {(term, status) for it in seen for term, status in _rows(session, "used", it)}
    statuses = grouped((term, status) for term, status in used if status)
    obsolete = {term for term, its in statuses.items() if set(its) == {RG.Obsolete}}  # say all its entries
    pairs = {pair for it in seen for pair in _rows(session, "links", it)}
    replaced = {(old, "isReplacedBy", new) for old, kind, new in pairs if kind == "renamedTo"}
    own = session.iris.term("")
    names = [
        (term, kind, label)
        for kind in ("prefLabel", "altLabel", "hiddenLabel")
        for term, label in sorted(session.pairs(scope, _SKOS + kind))
        if term.startswith(own)
    ]
    terms = {term for term, _ in used} & {term for term, _, _ in names}
    former = {old for old, _, new in replaced if new in terms and old not in terms}
    terms |= former
    if scope.united:
        former.update(it for it, _ in session.pairs((session.iris.graph("terms"),), _OWL + "deprecated"))
    links = _allowed_links(terms, pairs | replaced)
    triples = TripleSet()
    scheme = node(session.iris.scheme("terms"))
    _describe_scheme(session, scope, scheme, words, triples)
    for term, kind, label in names:
        if term in terms:
            triples.say(node(term), **{kind: english(label)})
    for term in terms:
        triples.say(node(term), type=(node(_SKOS + "Concept"), node(RG.Term)), inScheme=scheme)
        triples.say(node(term), deprecated=term in obsolete | former and boolean(True))
    members = {(term, of) for term, kind, of in pairs if kind == "broaderInstantial" and {term, of} <= terms}
    labels = {term: label for term, kind, label in names if kind == "prefLabel"}
    collections: Collections = defaultdict(set)
    for term, of in members:
        collections[session.iris.parse(of).key, f"{_MEMBERS}{labels[of]}"].add(term)
    lone = terms.difference(*chain(members, *links.values()))
    collections |= _by_section(session, seen, lone)
    _gather(scheme, collections, triples)
    for term in lone.difference(*collections.values()):
        triples.say(node(term), editorialNote=english(_LONE))
    for kind, linked in links.items():
        for term, other in linked:
            triples.add(node(term), node(kind), node(other))
            if kind == _RELATED:
                triples.add(node(other), node(kind), node(term))
    defined: dict[str, Definition] = {}
    for it in seen:
        defined = _definitions(_rows(session, "definitions", it)) | defined
    for term in terms & defined.keys():
        _define(node(term), defined[term], words, triples)
    above = hierarchy(triples, (session.iris.parse(term).key for term in terms), session.iris)
    return turtle_of((triples | above).lines, session.iris.base)


def _by_section(session: Session, scopes: Iterable[Scope], terms: set[str]) -> Collections:
    """Return the sections of the rules with the terms, among those given, that are read from them."""
    found: Collections = defaultdict(set)
    sections: dict[str, tuple[str, str]] = {}
    for scope in scopes:
        for term, number, title in _rows(session, "sections", scope):
            if term in terms:
                own = (f"section-{number}", f"Terms of section {number}, {title}")
                found[sections.setdefault(term, own)].add(term)
    return found


def _gather(scheme: str, collections: Collections, triples: TripleSet) -> None:
    """Write collections: of the members of a kind, or of the terms of a section."""
    for (key, label), members in collections.items():
        me = node(f"{scheme[1:-1]}#{key}")
        triples.say(me, type=node(_SKOS + "Collection"), prefLabel=english(label), member=map(node, members))
        if label.startswith(_MEMBERS):
            triples.say(me, scopeNote=english(_ONLY_TERMS))


def _scopes(session: Session, scope: Scope) -> Sequence[Scope]:
    """Return one scope for each edition, newest first, because they share one view and must take turns."""
    if not scope.united:
        return [scope]
    return [session.scope(it.id) for it in session.editions() if it.id in scope.editions]


def _rows(session: Session, name: str, scope: Scope) -> Iterator[tuple[str, ...]]:
    for row in session.run("export", f"thesaurus_{name}", scope):
        yield tuple("" if value is None else str(value) for value in row)


def _define(term: str, it: Definition, words: bool, triples: TripleSet) -> None:
    """Write or link to the definition of a term, with its sources: its entries and defining rules."""
    places, texts = it
    first = min(rank for rank, _ in places.values())
    for place, (rank, label) in places.items():
        is_its_definition = bool(texts) and rank == first and not words
        triples.say(term, source=node(place), definition=is_its_definition and node(place))
        triples.say(node(place), label=english(label))
    triples.say(term, definition=words and map(english, texts))


def _definitions(rows: Iterable[tuple[str, ...]]) -> dict[str, Definition]:
    """Return term → its definition."""
    found: dict[str, Definition] = {}
    for term, rank, place, number, title, edition, words in rows:
        label = f"{number or title} ({edition})" if rank == "0" else f"Rule {number} ({edition})"
        places, texts = found.setdefault(term, ({}, {}))
        places.setdefault(place, (rank, label))
        if words:
            texts[words] = None
    return found


def _allowed_links(terms: set[str], rows: Iterable[tuple[str, ...]]) -> TermLinks:
    """Return the links between terms of the thesaurus that SKOS can express.

    Circles of broader terms are left out; a term is not related to terms above it, nor twice to the same.
    """
    import rustworkx

    said: TermLinks = defaultdict(set)
    for term, kind, other in rows:
        if term in terms and other in terms and term != other:
            said[kind].add((term, other))
    graph: rustworkx.PyDiGraph[str, None] = rustworkx.PyDiGraph()
    places = {term: graph.add_node(term) for term in sorted(terms)}
    graph.add_edges_from([(places[a], places[b], None) for a, b in sorted(said["broader"])])
    circle = {}
    for number, members in enumerate(rustworkx.strongly_connected_components(graph)):
        circle.update(dict.fromkeys(members, number))
    graph.remove_edges_from([(a, b) for a, b in graph.edge_list() if circle[a] == circle[b]])
    reduced, moved = rustworkx.transitive_reduction(graph)
    back = {new: old for old, new in moved.items()}
    broader = {(graph[back[a]], graph[back[b]]) for a, b in reduced.edge_list()}
    above = {
        term: {graph[it] for it in rustworkx.descendants(graph, place)} for term, place in places.items()
    }
    replaced = said["isReplacedBy"]
    related = {
        (min(pair), max(pair))
        for pair in said["related"]
        if pair[1] not in above[pair[0]] and pair[0] not in above[pair[1]] and pair not in replaced
    }
    return {_BROADER: broader, _RELATED: related, _REPLACED: replaced}


def _describe_scheme(session: Session, scope: Scope, me: str, words: bool, triples: TripleSet) -> None:
    """Describe the thesaurus itself: its editions, date, author and rights."""
    editions = [it for it in session.editions() if it.id in scope.editions]
    triples.say(me, type=node(_SKOS + "ConceptScheme"), versionInfo=text(scope.label), **SCHEME)
    described = f"Names in the rules: {', '.join(it.title for it in editions)}"
    dates = (it.issued for it in editions if it.issued)
    triples.say(me, description=english(described), issued=day(max(dates, default=None)))
    triples.say(me, source=[node(session.iris.edition(it.id)) for it in editions])
    is_owned = words and any(it.id != STARTER for it in editions)
    triples.say(me, rights=is_owned and english(RIGHTS), license=not is_owned and node(CC0))

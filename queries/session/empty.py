"""Remark on SPARQL queries: unknown names, and why a query may find nothing, or less than it seems to."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import cache
from itertools import islice

from ...loaders.store.results import Triples, plain
from ...ontology import PREFIXES, VOCABULARY, grouped
from ...ontology.terms import DCTERMS, GAME, IN_OLDER_EDITIONS, RG, SKOS, prefixed
from .answer import TRUTH, SparqlAnswer

_LABEL = re.compile(r"\b(?:prefLabel|altLabel|hiddenLabel|rdfs:label|rdf-schema#label)\b")
_PLAIN = re.compile(r"""(?:[lL]abel>?|=)\s*("[^"\n]*"|'[^'\n]*')(?!["'@^])""")
_NAME = re.compile(r"\brg:(\w+)|" + re.escape(f"<{VOCABULARY}") + r"(\w+)>")
_OURS = {"rg": RG, "game": GAME}
_OWN = re.compile(
    r"\b(rg|game):(\w*)|<(" + "|".join(re.escape(it.namespace) for it in _OURS.values()) + r")(\w*)>"
)
"""Names from our vocabularies, with a prefix or in full."""

_UNREAD = re.compile(
    r"""(<[^<>"{}|^`\\\s]*>)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*"""
    r"""|\bCONSTRUCT\s*\{[^{}]*\}""",
    re.IGNORECASE,
)
"""Parts of a query that are not searched for: strings, comments, results; and IRIs, which may contain a #."""

_DECLARED = re.compile(r"\bPREFIX\s+(\w+):\s*<([^>]*)>", re.IGNORECASE)

_EDITIONS = re.compile(r"\ba\s+rg:Edition\b")

_SEPARATOR = re.compile(r"""\bseparator\s*=\s*(?:"[^"]*"|'[^']*')""", re.IGNORECASE)
_STR = re.compile(r"\bSTR\s*\(", re.IGNORECASE)
_DAY = re.compile(r"""("\d{4}-\d\d-\d\d"|'\d{4}-\d\d-\d\d')(?!\^\^|@)""")
_SENSE = re.compile(r"\?(\w+)\s+a\s+(game:\w+)\b[^{}]*?(?:;|\?\1)\s+skos:prefLabel\b")
"""A thing that has a class of the game and the name of a term."""

_CLASS = re.compile(r"\bgame:\w+")

_ELSEWHERE = re.compile(r"\bGRAPH\b|\bFROM\b|\bed:|/?\bedition/", re.IGNORECASE)
"""The beginning of a part of a query about another graph."""

_FROM = re.compile(r"\bFROM\b", re.IGNORECASE)

_GRAPH = re.compile(r"\bGRAPH\s+(?!\S*graph/|\S*/derived|\S*/cards)(\S+)\s*\{", re.IGNORECASE)

_OTHERS = re.compile(r"\b(?:skos|dcterms|eli|prov):\w+")

_BEFORE = re.compile(r"\brg:(?:removedIn|\w+From)\b")
_BARE_NUMBER = re.compile(r"\b(?:skos:|core#)notation>?\s+(\d[\w.]*\w)")
_ALIAS = re.compile(r"(COUNT|SUM|AVG|MIN|MAX|SAMPLE)(\s*\([^()]*\))\s+AS\s+\?(\w+)", re.IGNORECASE)
_HAVING = re.compile(r"\bHAVING\b(.*)", re.IGNORECASE | re.DOTALL)

_INSTEAD = {
    re.compile(r"\bnotation>?\s+[\"']\d{3}(?:\.\d+[a-z]?)?[\"']"): (
        "Plain queries see the numbers of the newest edition: --edition asks an older one, "
        "and a tenure (rg:Tenure) has its number in any."
    ),
    re.compile(r"\bchangeKind>?\s+\S*\bremoved\b"): (
        "A tenure has the kind of change that began it: rg:removedIn has the edition without the rule."
    ),
    re.compile(r"\bskos:(?:broader|narrower)\b"): (
        "skos:broader is between kinds; that something is one of a kind is iso-thes:broaderInstantial."
    ),
    re.compile(r"\brg:status\b"): "rg:status is a property of entries: ?entry rg:defines ?term.",
    re.compile(r"\brg:hasKeyword\s*/\s*(?!rg:keyword)|\brg:hasKeyword\s+\[?\s*skos:"): (
        "A card has instances of keywords: rg:hasKeyword/rg:keyword is the term."
    ),
}
"""Parts of queries that find nothing → what to write instead."""

_MOST = 3
"""The number of unknown names reported, because each is compared with all known ones."""

_WRITTEN = re.compile(rf"<{re.escape(VOCABULARY)}(\w+)> <{re.escape(RG.written)}> \"(.*)\"@en")


def remarks_on(query: str, *, is_empty: bool = True, edition: str | None = None) -> tuple[str, ...]:
    """Return the unknown names in a query, and reasons why it may have no rows, such as untagged labels.

    If its answer is not empty, return only unknown names, and parts that the queried graphs do not have. A
    query about an `edition` has everything.

    >>> remarks_on("SELECT ?t { ?t skos:prefLabel 'Echo' }")
    ("Labels are in English: write 'Echo'@en, or compare STR(?label).",)
    >>> remarks_on("SELECT ?r { ?r skos:notation 704.5 }")
    ("Numbers are strings: write '704.5'.",)
    >>> remarks_on("SELECT ?x (COUNT(?y) AS ?n) { ?x rg:defines ?y } GROUP BY ?x HAVING (?n > 9)")
    ('HAVING does not see what SELECT names ?n: write COUNT(?y) there.',)
    >>> remarks_on("SELECT ?t { ?t rg:precedes ?next }")
    ('rg:precedes is written by rulesgraph check --reason alone.',)
    >>> remarks_on("SELECT ?t { ?t a game:KeywordAbilty }")
    ('The vocabulary has no game:KeywordAbilty; did you mean game:KeywordAbility?',)
    >>> remarks_on("SELECT ?t { ?t a rg:KeywordAbility }")
    ('The vocabulary has no rg:KeywordAbility; did you mean game:KeywordAbility?',)
    >>> remarks_on("SELECT ?t { ?t skos:prefLable ?name }")
    ('No data has skos:prefLable; did you mean skos:prefLabel?',)
    >>> remarks_on("SELECT ?t { ?t a skos:Concept ; skos:related ?x }")
    ('No data has skos:related, unless you added it; rulesgraph export --as skos writes more of SKOS.',)
    >>> remarks_on("SELECT ?t { ?t skos:broaderTransitive ?x }")
    ('No data has skos:broaderTransitive, unless you added it; write skos:broader+.',)
    >>> remarks_on("SELECT ?e { ?e dcterms:issued '2031-02-01' }")
    ("Dates are typed: write '2031-02-01'^^xsd:date.",)
    >>> remarks_on("SELECT ?t { ?new rg:rewordedFrom ?old . ?old rg:text ?t }")
    ('What a rule was before is in another graph: GRAPH ?document { ?old rg:wording ?words }.',)
    >>> remarks_on("SELECT ?t { ?t a game:Ability ; skos:prefLabel ?name }")
    ('A thing of the class game:Ability is a sense; its term has rg:hasKind game:Ability.',)
    """
    is_elsewhere = edition is None and _ELSEWHERE.search(query)
    # Errors come before things that only some data lack.
    found = list(islice(_unknown(query, is_empty=is_empty), _MOST))
    if not is_empty:
        if is_elsewhere:
            # Graphs given by FROM form one graph, which may have what a document lacks.
            found += () if _FROM.search(query) else _said(_in_graphs(query))
        elif edition is None and _EDITIONS.search(query):
            found.append(
                "Without GRAPH you see the newest edition: GRAPH ?any { ?it a rg:Edition } finds all."
            )
        return tuple(found)
    plain = _PLAIN.search(_SEPARATOR.sub("", query))
    if plain and _LABEL.search(query) and not _STR.search(query):
        found.append(f"Labels are in English: write {plain[1]}@en, or compare STR(?label).")
    days = () if _STR.search(query) else _DAY.findall(query)
    found += [f"Dates are typed: write {days[0]}^^xsd:date."] if days else []
    sense = _SENSE.search(query)
    if sense:
        found.append(f"A thing of the class {sense[2]} is a sense; its term has rg:hasKind {sense[2]}.")
    numbers = _BARE_NUMBER.findall(query)
    found += [f"Numbers are strings: write '{numbers[0]}'."] if numbers else []
    if _BEFORE.search(query) and not is_elsewhere:
        found.append(
            "What a rule was before is in another graph: GRAPH ?document { ?old rg:wording ?words }."
        )
    having = _HAVING.search(query)
    for aggregate, of, name in _ALIAS.findall(query) if having else ():
        if having and re.search(rf"\?{name}\b", re.split(r"\bORDER\b", having[1], flags=re.IGNORECASE)[0]):
            found.append(f"HAVING does not see what SELECT names ?{name}: write {aggregate}{of} there.")
    found += [said for it, said in _INSTEAD.items() if not is_elsewhere and it.search(query)]
    found += _said(query, IN_OLDER_EDITIONS.keys() if not is_elsewhere else ())
    return tuple(found)


def with_remarks(found: SparqlAnswer | bool | Triples, query: str, edition: str | None) -> SparqlAnswer:
    """Return the result of a query as an answer, with remarks that explain missing rows or names."""
    if isinstance(found, SparqlAnswer):
        return found
    triples = () if isinstance(found, bool) else tuple(found)
    notes = remarks_on(query, is_empty=not (triples or found is True), edition=edition)
    if isinstance(found, bool):
        return SparqlAnswer("sparql", TRUTH, ((found,),), notes=notes)
    rows = tuple((plain(it.subject), plain(it.predicate), plain(it.object)) for it in triples)
    return SparqlAnswer("sparql", ("subject", "predicate", "object"), rows, notes=notes, triples=triples)


def _said(query: str, but: Container[str] = ()) -> list[str]:
    """Return what the vocabulary says about rarely used names in a query, without the names in `but`."""
    names = {own or whole for own, whole in _NAME.findall(query)}
    told = [(how, f"rg:{name}") for name, how in _unstated().items() if name in names and name not in but]
    if "hasKind" not in but:  # it is written along with a class of the game
        told += [(IN_OLDER_EDITIONS["hasKind"], name) for name in dict.fromkeys(_CLASS.findall(query))]
    return [
        f"{', '.join(own)} {'is' if len(own) == 1 else 'are'} written {how}."
        for how, own in grouped(told).items()
    ]


def _in_graphs(query: str) -> str:
    """Return the parts of a query about graphs without a name, or about those of an edition.

    >>> _in_graphs("SELECT ?t { ?t a ?c MINUS { GRAPH ?g { ?t rg:quote ?q { ?q a ?d } } } }")
    ' ?t rg:quote ?q { ?q a ?d } '

    Any document tells which edition it is in:

    >>> _in_graphs("SELECT ?e { GRAPH ?d { ?d rg:inEdition ?e } }")
    '  ?e '
    """
    found = []
    for match in _GRAPH.finditer(query):
        depth = 1
        for place in range(match.end(), len(query)):
            depth += {"{": 1, "}": -1}.get(query[place], 0)
            if not depth:
                found.append(query[match.end() : place].replace(f"{match[1]} rg:inEdition", ""))
                break
    return " ".join(found)


def _unknown(query: str, *, is_empty: bool) -> Iterator[str]:
    """Yield a remark for each unknown name in a query, with similar known names.

    A name of another vocabulary that resembles none of its names in the data is one only if nothing
    was found: it may be in the user's own data.

    >>> list(_unknown("SELECT (COUNT(?r) AS ?n) { ?r rg:hasWording '# rg:x' } # rg:y", is_empty=False))
    ['The vocabulary has no rg:hasWording; did you mean rg:wording?']
    >>> list(_unknown("SELECT ?t { ?t eli:date_first_in_force ?day }", is_empty=True))
    ['No data has eli:date_first_in_force, unless you added it.']
    """
    query = _UNREAD.sub(lambda match: match[1] or " ", query)
    own = {prefix for prefix, space in _DECLARED.findall(query) if PREFIXES.get(prefix, space) != space}
    prefixes = {it.namespace: prefix for prefix, it in _OURS.items()}
    for name in dict.fromkeys(_OWN.findall(query)):
        prefix, local = (name[0], name[1]) if name[0] else (prefixes[name[2]], name[3])
        if local and local not in dir(_OURS[prefix]) and name[0] not in own:
            near = _nearest(prefix, local)
            meant = f"; did you mean {' or '.join(near)}?" if near else "."
            yield f"The vocabulary has no {prefix}:{local}{meant}"
    for name in dict.fromkeys(_OTHERS.findall(query)):
        prefix = name.partition(":")[0]
        if name in _borrowed() or prefix in own:
            continue
        from difflib import get_close_matches

        # Names of SKOS or Dublin Core may be right although no data has them.
        near = get_close_matches(name, _borrowed(), n=1, cutoff=0.8)
        if near:
            yield f"No data has {name}; did you mean {near[0]}?"
        elif is_empty:
            one = name.removesuffix("Transitive")
            ways = {one: f"; write {one}+", "skos": "; rulesgraph export --as skos writes more of SKOS"}
            yield f"No data has {name}, unless you added it{ways.get(one if one != name else prefix, '')}."


def _nearest(prefix: str, local: str) -> list[str]:
    """Return known names similar to an unknown one; for a property, only properties.

    >>> _nearest("rg", "hasWording"), _nearest("game", "Keywordability")
    (['rg:wording'], ['game:KeywordAbility'])
    """
    # Imported here because it loads more slowly than a question is answered.
    from difflib import get_close_matches

    known = {f"{own}:{it}": it for own, names in _OURS.items() for it in dir(names)}
    same = [it for it, name in known.items() if name == local]
    alike = {it for it, name in known.items() if name[:1].islower() == local[:1].islower()}
    bare = re.sub(r"^has(?=[A-Z])", "", local)
    near = [it for it in sorted(alike) if known[it].lower() == bare.lower()]
    return same or near or get_close_matches(f"{prefix}:{local}", sorted(alike), n=3, cutoff=0.8)


@cache
def _borrowed() -> frozenset[str]:
    """Return the names from other vocabularies that data may have, with their prefixes."""
    from ...loaders.graph.quads import P

    named = (
        f"{prefix}:{it}" for prefix, names in (("skos", SKOS), ("dcterms", DCTERMS)) for it in dir(names)
    )
    return frozenset(
        (*named, "skos:Concept", "skos:ConceptScheme", *(prefixed(it[1:-1]) for it in P.values()))
    )


@cache
def _unstated() -> dict[str, str]:
    """Return what the vocabulary says about names that loaders rarely or never use."""
    from ...loaders.graph.emit import vocabulary_triples

    lines = sorted(vocabulary_triples().lines)
    told = {match[1]: match[2] for line in lines if (match := _WRITTEN.fullmatch(line))}
    return IN_OLDER_EDITIONS | told

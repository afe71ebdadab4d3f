"""Write the page of a map: the layout and the words of its things in one self-contained file.

A page of several editions has each thing and wording once, with its places over time. A rule is identified by
its provision, whatever its number, a term by its name.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from ...ontology import RG, Json, NothingFoundError, UnknownNameError, UsageError, compact, grouped
from ...queries.session import ALL, Edition, Session, edition_called
from ...queries.session.statements import Statements
from ..html import ThingLists, empty_network, render
from ..page import CANVAS, KIND_DATA, PAGE, PANEL, add_thing, passage_data
from ..passages import read_history, read_passages
from ..select import LIST, AnsweredQuestion, highlights_of, joined
from ..selection import STRENGTH, Node, NodeKind
from .layout import MapLayout, Region, layout_of_map
from .placement import Centres

MAP = tuple(f"map/{it}.js" for it in ("regions", "marks", "links", "chain", "highlights", "map"))
"""The scripts that draw the map."""

SCRIPTS = (*CANVAS, *MAP, *PANEL, "map/overview.js", "map/answer.js", "ranking.js", *PAGE)
"""The parts of the page's script, in the order in which they are joined."""

SEARCH = "search/"
"""The address of the site's search index, for a map that fetches its words."""

MapData = dict[str, Any]
"""The data of the page's script.

A link is a list of its ends and its kinds, by their places in order of strength. The regions are `sections`,
`chapters` and `groups`, within the `outline` of the whole map; `bundles` sum up the links between chapters.
"""

MapPage = tuple[str, int, int, str, str]
"""The title of a map, its number of things and of links, its HTML, and the words that it fetches, as JSON.

The last is empty if the page contains the words.
"""


def render_map(stated: Statements, asked: AnsweredQuestion | None = None, *, words_at: str = "") -> MapPage:
    """Return the page of everything in the scope, with the things of an answer highlighted, if any.

    With an address in `words_at` the page fetches the words of things from there. Raises `NothingFoundError`
    if the scope is empty.
    """
    layout = layout_of_map(stated)
    title = " and ".join(stated.titles)
    data = map_data(stated, layout, title)
    kinds = {iri: layout.graph.things[iri].kind for iri in layout.places}
    data["editions"], stages = read_history(stated, kinds)
    for iri, node in zip(layout.places, data["nodes"], strict=True):
        if iri in stages:
            node["past"] = stages[iri]
    if asked:
        ids = {iri: k for k, iri in enumerate(layout.places)}
        data["answer"] = highlights_of(layout.graph, asked.answer, asked.title, asked.about, ids)
        title = asked.title
    words = ""
    if words_at:
        data["words"], words = set_apart([node.pop("passages", []) for node in data["nodes"]], words_at)
        data["search"] = SEARCH
    html = render(title, data, SCRIPTS, note=data["note"], listing=listing_of(layout), fetches=bool(words_at))
    return title, len(layout.places), len(data["links"]), html, words


def set_apart(words: object, address: str) -> tuple[Json, str]:
    """Return the page's reference to the words at an address, and their file, as JSON.

    Both contain the same key.
    """
    text = compact(words)
    of = sha256(text.encode()).hexdigest()[:16]
    return {"at": address, "of": of}, f'{{"of":"{of}","words":{text}}}'


def listing_of(layout: MapLayout) -> ThingLists:
    """Return the names of the things of each chapter, in the order of the numbers."""
    labels = ((chapter, layout.graph.things[iri].label) for iri, chapter in layout.chapter_of.items())
    things = grouped(labels)
    return [(region.name, things[k]) for k, region in enumerate(layout.chapters)]


def map_data(stated: Statements, layout: MapLayout, title: str) -> MapData:
    """Return the data of the page's script: things with places and words, links, regions and bundles."""
    iris = stated.session.iris
    order = list(layout.places)
    place = {iri: k for k, iri in enumerate(order)}
    passages = read_passages(stated, layout.graph, order)
    documents = sorted({p.document for some in passages.values() for p in some})
    network = empty_network()
    for k, iri in enumerate(order):
        thing = layout.graph.things[iri]
        x, y = layout.places[iri]
        told = [(it, passage_data(it, documents, place, iris)) for it in passages.get(iri, ())]
        add_thing(
            network,
            k,
            thing,
            iris,
            size=_size(thing, layout.weight.get(iri, 0.0)),
            x=x,
            y=y,
            least=layout.min_scale[iri],
            chapter=layout.chapter_of.get(iri),
            # A passage that is the thing itself needs no key.
            passages=[{k: v for k, v in it.items() if k != "key" or of.iri != iri} for of, it in told],
        )
    terms = sum(layout.graph.things[iri].kind is NodeKind.TERM for iri in order)
    others = f"all {len(order) - terms:,} sections, chapters and rules"
    return {
        "title": title,
        "note": f"All {terms:,} terms and {others} of {' and '.join(stated.titles)}.",
        "total": len(order),
        "focus": None,
        "base": iris.base,
        "documents": documents,
        "nodes": [_lean(node) for node in network.nodes],
        "links": _links(layout, place),
        **KIND_DATA,
        "outline": layout.outline,
        "sections": [_region(it, place) for it in layout.sections],
        "chapters": [_region(it, place) for it in layout.chapters],
        "groups": [_region(it, place) for it in layout.groups],
        "bundles": [list(bundle) for bundle in layout.bundles],
    }


LEFT_OUT = {"font", "color"}
"""Fields that pyvis sets for each node and the page states once."""

USUAL: dict[str, Json] = {"names": [], "status": "", "loaded": True, "number": "", "passages": []}
"""Fields written only where they differ from the page's default."""


def _lean(node: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in node.items()
        if key not in LEFT_OUT and not (key in USUAL and value == USUAL[key])
    }


def _size(thing: Node, weight: float) -> float:
    """Return the radius of a mark on the screen, in pixels, which grows with the reliance on the thing."""
    least = {NodeKind.CHAPTER: 6.0, NodeKind.SECTION: 7.0, NodeKind.TERM: 4.5}.get(thing.kind, 4.0)
    return round(min(13.0, least + 1.1 * math.log1p(weight)), 1)


def _links(layout: MapLayout, place: Mapping[str, int]) -> list[list[int]]:
    """Return each link, parts included, as its ends and its kinds by their places in order of strength."""
    edges = joined(layout.graph, place, place)
    return [[place[it.source], place[it.target], *(STRENGTH[kind] for kind in it.kinds)] for it in edges]


def _region(region: Region, place: Mapping[str, int]) -> dict[str, Any]:
    return {"name": region.name, "mark": place.get(region.mark), "within": region.within, **region.area}


EDITION_SCRIPTS = (*SCRIPTS[:-1], "map/editions.js", SCRIPTS[-1])
"""The parts of the script of a page with several editions."""

PLACES_DATA = ("outline", "sections", "chapters", "groups", "bundles", "documents")
"""The fields of a map besides things and links."""

MOST = 40
"""The maximum number of editions: a page with more opens too slowly, as each adds half a megabyte."""

AnswerOf = Callable[[str], AnsweredQuestion]
"""Answers one question in an edition, given its id."""

SharedIds = dict[str, int]
"""The ids of what editions share: of things by their identity, of wordings by their JSON."""


def chosen(session: Session, names: str) -> list[Edition]:
    """Return the editions of a map through time, oldest first: ``"A,B"``, or ``"all"``.

    All means those with a date and of the same kind as the newest. Raises `UnknownNameError` for one that is
    not loaded, and `UsageError` for one without a date, and for more than `MOST`.
    """
    loaded = session.editions()
    if names == ALL:
        kinds = {document.kind for document in loaded[0].documents} if loaded else set()
        found = [it for it in loaded if it.issued and kinds & {document.kind for document in it.documents}]
    else:
        wanted = [name.strip() for name in names.split(",") if name.strip()]
        found = list({it.id: it for it in (edition_called(name, loaded) for name in wanted)}.values())
    if not found or any(it.issued is None for it in found):
        raise UsageError("a map through time needs editions that have a date", way_out="rulesgraph editions")
    found = sorted(found, key=lambda it: (str(it.issued), it.id))
    if len(found) > MOST:
        some = dict.fromkeys(found[round(k * (len(found) - 1) / (MOST - 1))].id for k in range(MOST))
        raise UsageError(
            f"a map through time shows at most {MOST} editions, and you asked for {len(found)}",
            way_out=f"Choose some, such as --editions {','.join(some)}",
        )
    return found


def render_editions(
    session: Session,
    names: str,
    ask: AnswerOf | None = None,
    *,
    words_at: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> MapPage:
    """Return the page of several editions (see `chosen`), which opens on the newest.

    With `ask`, each edition shows its own answer to one question. The chapters of an edition start from their
    places in the next one, so that unchanged things keep their place. With an address in `words_at`, the page
    fetches the words of things from there. `progress` is called before each edition.

    Raises the errors of `chosen`, `NothingFoundError` if an edition is empty, and the errors of `ask` if no
    edition has an answer.
    """
    editions = chosen(session, names)
    things: SharedIds = {}
    texts: SharedIds = {}
    # By ends and kinds; a link exists in the editions whose bits are set, the newest first.
    links: dict[tuple[int, ...], int] = {}
    centres: Centres = {}
    times: list[dict[str, Any]] = []
    listing: ThingLists = ()
    for done, edition in enumerate(reversed(editions)):
        if progress:
            progress("drawing editions", done, len(editions))
        stated = Statements(session, session.scope(edition.id))
        layout = layout_of_map(stated, centres)
        centres = layout.centres
        listing = listing or listing_of(layout)
        data = map_data(stated, layout, edition.title)
        about: dict[str, Json] = {
            "edition": edition.id,
            "title": edition.title,
            "issued": str(edition.issued),
        }
        ids = _ids(stated, layout, things)
        if ask:
            about["answer"] = _answer(ask, edition.id, layout, ids)
        for a, b, *kinds in data["links"]:
            link = (ids[a], ids[b], *kinds)
            links[link] = links.get(link, 0) | 1 << len(times)
        times.insert(0, {**about, **_of_edition(edition.id, data, ids, texts)})
    if ask:
        _name_answers([time["answer"] for time in times], ask, editions[-1].id)
    newest = times[-1]
    title = editions[-1].title
    wordings = [json.loads(text) for text in texts]
    told, words = set_apart(wordings, words_at) if words_at else (None, "")
    whole = {
        **KIND_DATA,
        "focus": None,
        "title": title,
        "note": newest["note"],
        "base": session.iris.base,
        **({"words": told} if words_at else {"texts": wordings}),
        "nodes": [{"id": k} for k in range(len(things))],
        "links": [],
        "shared": [[held, *link] for link, held in links.items()],
        "times": times,
        **{key: newest[key] for key in PLACES_DATA},
    }
    html = render(title, whole, EDITION_SCRIPTS, note=newest["note"], listing=listing, fetches=bool(words_at))
    return title, len(things), len(links), html, words


def _ids(stated: Statements, layout: MapLayout, things: SharedIds) -> list[int]:
    """Return the shared id of each thing of one edition."""
    provisions = dict(sorted(stated.pairs(RG.provision)))
    return [things.setdefault(_identity(layout, it, provisions), len(things)) for it in layout.places]


def _answer(ask: AnswerOf, edition: str, layout: MapLayout, ids: Sequence[int]) -> dict[str, Json]:
    """Return the answer of one edition with shared ids; one without a title says why there is no answer."""
    try:
        found = ask(edition)
    except (UnknownNameError, NothingFoundError) as error:
        return {"title": "", "form": LIST, "about": [], "notes": [str(error)], "rows": []}
    shared = dict(zip(layout.places, ids, strict=True))
    return highlights_of(layout.graph, found.answer, found.title, found.about, shared)


def _name_answers(answers: Sequence[dict[str, Json]], ask: AnswerOf, newest: str) -> None:
    """Give answers without a title that of the others; raise the error if all lack one."""
    titles = [it["title"] for it in answers if it["title"]]
    if not titles:
        ask(newest)
    for it in answers:
        it["title"] = titles[-1]


def _of_edition(
    edition: str, data: Mapping[str, Any], ids: Sequence[int], texts: SharedIds
) -> dict[str, Any]:
    """Return the map of one edition with shared ids; a rule's key follows from its number."""
    nodes = []
    for node in data["nodes"]:
        passages = [_passage(passage, ids, texts) for passage in node.get("passages", ())]
        usual = f"edition/{edition}/rule/{node.get('number')}"
        left = {"passages", "iri", "shape", *(["key"] if node["key"] == usual else [])}
        kept = {key: value for key, value in node.items() if key not in left}
        nodes.append({**kept, "id": ids[node["id"]], **({"passages": passages} if passages else {})})
    regions = {
        key: [
            {**region, "mark": None if region["mark"] is None else ids[region["mark"]]}
            for region in data[key]
        ]
        for key in ("sections", "chapters", "groups")
    }
    return {"note": data["note"], "nodes": nodes, **{key: data[key] for key in PLACES_DATA}, **regions}


def _identity(layout: MapLayout, iri: str, provisions: Mapping[str, str]) -> str:
    """Return what identifies a thing in all editions: its provision, a section's number, or its own IRI."""
    thing = layout.graph.things[iri]
    return provisions.get(iri) or (f"{thing.kind.value} {thing.number}" if thing.number else iri)


def _passage(passage: Mapping[str, Any], ids: Sequence[int], texts: SharedIds) -> list[Json]:
    """Return a passage as its words in the shared table, kind, number, document, lines, authority, key."""
    pieces = [
        piece if isinstance(piece, str) else [piece[0], *(ids[k] for k in piece[1:])]
        for piece in passage["pieces"]
    ]
    usual = ("kind", "number", "document")
    own = [passage["key"]] if "key" in passage else []
    text = texts.setdefault(json.dumps(pieces, ensure_ascii=False), len(texts))
    return [text, *(passage[key] for key in usual), *passage["lines"], passage["by"], *own]

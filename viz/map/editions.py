"""Write the maps of several editions as one page: each thing and wording once, with its places over time.

A rule is the same through all its numbers by its provision, a term by its name; wordings that editions share
are held once, with the things that they name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...ontology.errors import NothingFoundError, UnknownNameError, UsageError
from ...ontology.json_values import Json
from ...ontology.terms import RG
from ...queries.session import ALL, Edition, Session, edition_called
from ...queries.session.statements import Statements
from ..html import ThingLists, render
from ..select import LIST, AnsweredQuestion, highlights_of
from .layout import MapLayout, layout_of_map
from .page import SCRIPTS, MapPage, listing_of, map_data, set_apart
from .placement import Centres

EDITION_SCRIPTS = (*SCRIPTS[:-1], "map/editions.js", SCRIPTS[-1])
"""The parts of the script of a page with several editions."""

PLACES_DATA = ("outline", "sections", "chapters", "groups", "bundles", "documents")
"""The fields of a map besides things and links."""


MOST = 40
"""The maximum number of editions: a page with more opens too slowly, as each adds half a megabyte."""

AnswerOf = Callable[[str], AnsweredQuestion]
"""Answers one question in the edition with an id."""

SharedIds = dict[str, int]
"""The ids of what editions share: of things by what makes them the same, of wordings by their JSON."""


def chosen(session: Session, names: str) -> list[Edition]:
    """Return the editions of a map through time, oldest first: ``"A,B"``, or ``"all"``.

    All are those with a date and of the same kind as the newest. Raises `UnknownNameError` for one that is
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
    base = session.iris.base
    editions = chosen(session, names)
    things: SharedIds = {}
    texts: SharedIds = {}
    # By ends and kinds; a link holds in the editions whose bits are set, the newest first.
    links: dict[tuple[int, ...], int] = {}
    centres: Centres = {}
    times: list[dict[str, Any]] = []
    listing: ThingLists = ()
    data: Mapping[str, Any] = {}
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
        **{key: data[key] for key in ("options", "kinds", "linkKinds", "focus")},
        "title": title,
        "note": newest["note"],
        "base": base,
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
    return [_id_in(things, _identity(layout, iri, provisions)) for iri in layout.places]


def _id_in(shared: SharedIds, key: str) -> int:
    return shared.setdefault(key, len(shared))


def _answer(ask: AnswerOf, edition: str, layout: MapLayout, ids: Sequence[int]) -> dict[str, Json]:
    """Return the answer of one edition with shared ids; without a title, why there is none."""
    try:
        found = ask(edition)
    except (UnknownNameError, NothingFoundError) as error:
        return {"title": "", "form": LIST, "about": [], "notes": [str(error)], "rows": []}
    shared = dict(zip(layout.places, ids, strict=True))
    return highlights_of(layout.graph, found.answer, found.title, found.about, shared)


def _name_answers(answers: Sequence[dict[str, Json]], ask: AnswerOf, newest: str) -> None:
    """Give answers without a title the title of the others; raise the error if all lack one."""
    titles = [it["title"] for it in answers if it["title"]]
    if not titles:
        ask(newest)
    for it in answers:
        it["title"] = titles[-1]


def _of_edition(
    edition: str, data: Mapping[str, Any], ids: Sequence[int], texts: SharedIds
) -> dict[str, Any]:
    """Return the map of one edition with shared ids; a rule's key is known by its number."""
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
    """Return what makes a thing the same in all editions: its provision, a section's number, or itself."""
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
    text = _id_in(texts, json.dumps(pieces, ensure_ascii=False))
    return [text, *(passage[key] for key in usual), *passage["lines"], passage["by"], *own]

"""The maps of several editions become one page: each thing and each wording once, and where all of it was.

A rule is the same through all its numbers by its provision, a term by its name; wordings that editions
share are held once, with the things that they name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ontology.errors import NothingFoundError, UnknownNameError, UsageError
from ...ontology.json_values import Json
from ...queries.session import ALL, Edition, Session, unknown_edition
from ..choosing import inquire, rows_of
from ..forms import LIST
from ..graph import Rows, in_words
from ..lights import lights, lights_data
from ..page import PageHead, render
from .chart import QUERIES, Chart, chart
from .page import SCRIPTS, Atlas, data_of, listing_of, set_apart
from .places import Spots

TIME_SCRIPTS = (*SCRIPTS[:-1], "atlas/time.js", SCRIPTS[-1])
"""The parts of the script of a page with several editions."""

GROUND = ("island", "countries", "towns", "districts", "roads", "documents")
"""What a map has of its own besides things and links."""


@dataclass(slots=True)
class _Shared:
    """What editions share: the ids of things by what makes them the same, wordings by their JSON.

    A link is its ends and its kinds, and holds in the editions whose bits are set, the newest first.
    """

    things: dict[str, int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    links: dict[tuple[int, ...], int] = field(default_factory=dict)

    def thing(self, key: str) -> int:
        return self.things.setdefault(key, len(self.things))

    def text(self, pieces: Json) -> int:
        return self.texts.setdefault(json.dumps(pieces, ensure_ascii=False), len(self.texts))


def chosen(session: Session, names: str) -> list[Edition]:
    """Return the editions of which a map through time is made, the oldest first: ``"A,B"``, or ``"all"``.

    All are those that have a date and are of the same kind as the newest. Raises `UnknownNameError` for
    one that is not loaded, and `UsageError` for one without a date.
    """
    loaded = session.editions()
    if names == ALL:
        kinds = {document.kind for document in loaded[0].documents} if loaded else set()
        found = [it for it in loaded if it.issued and kinds & {document.kind for document in it.documents}]
    else:
        by_id = {it.id: it for it in loaded}
        wanted = [name.strip() for name in names.split(",") if name.strip()]
        unknown = [name for name in wanted if name not in by_id]
        if unknown:
            raise unknown_edition(unknown[0], loaded)
        found = [by_id[name] for name in dict.fromkeys(wanted)]
    if not found or any(it.issued is None for it in found):
        raise UsageError("a map through time needs editions that have a date", way_out="rulesgraph editions")
    return sorted(found, key=lambda it: (str(it.issued), it.id))


def render_times(session: Session, names: str, asked: Sequence[str] = (), *, words_at: str = "") -> Atlas:
    """Return the page of several editions (see `chosen`), which opens on the newest.

    `asked` is a question (see `inquire`), of which each edition has its own answer. Each edition's towns
    start from where those of the next one lie, so that what stays keeps its place. With an address in
    `words_at` the page fetches the words of things from there. Raises as `chosen` does,
    `NothingFoundError` where an edition holds nothing, and as `inquire` does where none has an answer.
    """
    base = session.iris.base
    editions = chosen(session, names)
    shared = _Shared()
    spots: Spots = {}
    times: list[dict[str, Any]] = []
    listing: tuple[tuple[str, tuple[str, ...]], ...] = ()
    data: Mapping[str, Any] = {}
    for edition in reversed(editions):
        rows = rows_of(session, session.scope(edition.id))
        drawn = chart(rows, spots)
        spots = drawn.spots
        listing = listing or listing_of(drawn)
        data = data_of(rows, drawn, PageHead(edition.title, ""), base)
        about: dict[str, Json] = {
            "edition": edition.id,
            "title": edition.title,
            "issued": str(edition.issued),
        }
        ids = _ids(rows, drawn, shared)
        if asked:
            about["answer"] = _answer(session, asked, edition.id, drawn, ids)
        for a, b, *kinds in data["links"]:
            link = (ids[a], ids[b], *kinds)
            shared.links[link] = shared.links.get(link, 0) | 1 << len(times)
        times.insert(0, {**about, **_of_edition(edition.id, data, ids, shared)})
    if asked:
        _name_answers([time["answer"] for time in times], session, asked, editions[-1].id)
    newest = times[-1]
    head = PageHead(editions[-1].title, newest["note"], listing)
    texts = [json.loads(text) for text in shared.texts]
    told, words = set_apart(texts, words_at) if words_at else (None, "")
    whole = {
        **{key: data[key] for key in ("options", "kinds", "linkKinds", "focus")},
        "title": head.title,
        "note": head.note,
        "base": base,
        **({"words": told} if words_at else {"texts": texts}),
        "nodes": [{"id": k} for k in range(len(shared.things))],
        "links": [],
        "shared": [[held, *link] for link, held in shared.links.items()],
        "times": times,
        **{key: newest[key] for key in GROUND},
    }
    html = render(head, whole, TIME_SCRIPTS, fetches=bool(words_at))
    return Atlas(head.title, len(shared.things), len(shared.links), html, words)


def _ids(rows: Rows, drawn: Chart, shared: _Shared) -> list[int]:
    """Return the id that all editions share of each thing of one of them."""
    provisions = dict(sorted((rule, it) for rule, it in in_words(rows(QUERIES.bound("provisions", {})))))
    return [shared.thing(_identity(drawn, iri, provisions)) for iri in drawn.places]


def _answer(
    session: Session, asked: Sequence[str], edition: str, drawn: Chart, ids: Sequence[int]
) -> dict[str, Json]:
    """Return the answer of one edition with the ids that all share; without a title, why there is none."""
    try:
        found = inquire(session, asked, edition)
    except (UnknownNameError, NothingFoundError) as error:
        return {"title": "", "form": LIST, "about": [], "notes": [str(error)], "rows": []}
    lit = lights(drawn.graph, found.answer, found.title, found.about, found.answer.notes)
    return lights_data(lit, dict(zip(drawn.places, ids, strict=True)))


def _name_answers(
    answers: Sequence[dict[str, Json]], session: Session, asked: Sequence[str], newest: str
) -> None:
    """Give answers that lack one the title of the others; raise what is wrong where all lack one."""
    titles = [it["title"] for it in answers if it["title"]]
    if not titles:
        inquire(session, asked, newest)
    for it in answers:
        it["title"] = titles[-1]


def _of_edition(edition: str, data: Mapping[str, Any], ids: Sequence[int], shared: _Shared) -> dict[str, Any]:
    """Return the map of one edition with the ids that all share; a rule's key is known by its number."""
    nodes = []
    for node in data["nodes"]:
        passages = [_passage(passage, ids, shared) for passage in node.get("passages", ())]
        usual = f"edition/{edition}/rule/{node.get('number')}"
        left = {"passages", "iri", "shape", *(["key"] if node["key"] == usual else [])}
        kept = {key: value for key, value in node.items() if key not in left}
        nodes.append({**kept, "id": ids[node["id"]], **({"passages": passages} if passages else {})})
    regions = {
        key: [{**region, "mark": _id(ids, region["mark"])} for region in data[key]]
        for key in ("countries", "towns", "districts")
    }
    return {"note": data["note"], "nodes": nodes, **{key: data[key] for key in GROUND}, **regions}


def _identity(drawn: Chart, iri: str, provisions: Mapping[str, str]) -> str:
    """Return what makes a thing the same in all editions: its provision, a section's number, or itself."""
    thing = drawn.graph.things[iri]
    return provisions.get(iri) or (f"{thing.kind.value} {thing.number}" if thing.number else iri)


def _id(ids: Sequence[int], place: int | None) -> int | None:
    return None if place is None else ids[place]


def _passage(passage: Mapping[str, Any], ids: Sequence[int], shared: _Shared) -> list[Json]:
    """Return a passage as its words in the shared table, kind, number, document, lines, who says so, key."""
    pieces = [
        piece if isinstance(piece, str) else [piece[0], *(ids[k] for k in piece[1:])]
        for piece in passage["pieces"]
    ]
    text = shared.text(pieces)
    usual = ("kind", "number", "document")
    own = [passage["key"]] if "key" in passage else []
    return [text, *(passage[key] for key in usual), *passage["lines"], passage["by"], *own]

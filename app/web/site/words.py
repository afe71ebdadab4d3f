"""Passages become an index of their words in small files, which a page searches without a server."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator

from ....ontology.json_values import Json
from ..pages.addresses import page_of
from ..pages.names import named_things
from ..pages.shelf import Shelf

CHUNK = 100
"""How many passages stand in one file."""

_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+[a-z]*)?")


def index_files(shelf: Shelf, edition: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the index of an edition: passages by number, and words by their first two letters.

    A passage is [name, address, words]; a word leads to pairs of a passage and a weight.
    """
    passages: list[Json] = []
    found: dict[str, dict[str, list[list[int]]]] = defaultdict(dict)
    for it in named_things(shelf, edition):
        text = " ".join(passage.text for passage in it.passages)
        weights: dict[str, int] = {}
        for word in words_of(text):
            weights[word] = min(weights.get(word, 0) + 1, 5)
        for word in words_of(f"{it.number} {it.label}"):
            weights[word] = weights.get(word, 0) + 8
        for word, weight in sorted(weights.items()):
            found[word[:2]].setdefault(word, []).append([len(passages), weight])
        passages.append([it.label, page_of(shelf.iris, it.iri), text])
    for at in range(0, len(passages), CHUNK):
        yield f"search/passages-{at // CHUNK}.json", _json(passages[at : at + CHUNK])
    for start, words in sorted(found.items()):
        yield f"search/words-{start}.json", _json(dict(sorted(words.items())))
    yield "search/index.json", _json({"count": len(passages), "chunk": CHUNK, "starts": sorted(found)})


def words_of(text: str) -> Iterable[str]:
    """Return the words of a text as the index has them; the script of the page does the same.

    >>> list(words_of("Moths, 704.5a: the Dandân's!"))
    ['moth', '704.5a', 'the', 'dandan', 's']
    """
    flat = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).lower()
    for word in _WORD.findall(flat):
        yield word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _json(data: Json) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()

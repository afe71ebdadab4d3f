"""Find what a thing is called now, from what its obsolete entry says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...ontology.iris import slug
from ..session import Cells, Session

ARTICLE = (
    r"(?:(?:an object's|the object's|the|an|a|its)\s+)?(?:(?:term|word|phrase|name|supertype|subtype)\s+)?"
)

OTHER_NAME = (
    rf"now (?:called|known as) {ARTICLE}",
    rf"(?:obsolete|old|older|earlier|former) (?:term|name|word|phrase) for {ARTICLE}",
)
"""Ways to say that one thing has another name now, which follows: it is no other thing in its place."""

RENAMED = re.compile(r"\b(?:has|have|was|were) (?:been )?renamed\b", re.IGNORECASE)
"""How a text says so where the new name stands with the rule that it cites."""

_OTHER_NAME = re.compile(rf"\b(?:{'|'.join(OTHER_NAME)})", re.IGNORECASE)
_WORDS = re.compile(r"[^\s.,;:()\"“”]+(?: [^\s.,;:()\"“”]+){0,5}")


def name_now(session: Session, term: str, texts: Sequence[Cells], names: Mapping[str, str]) -> str:
    """Return the IRI of the term that an obsolete one, given by its IRI, is called now; or ``""``.

    `texts` are the rows of `obsolete.rq`. Only its own entry is heard: where it says that it is the old name
    of something, that it was renamed (then the one rule that it cites tells to what), or nothing but where to
    look. `names` maps slugs of names to terms.
    """
    for _, _, text in texts:
        for match in _OTHER_NAME.finditer(str(text)):
            now = leading_name(str(text)[match.end() :], names)
            if now and now != term:
                return now
    how = "cites" if any(RENAMED.search(str(text)) for _, _, text in texts) else "redirects"
    entries = list(dict.fromkeys(str(row[1]) for row in texts))
    rows = session.run("finding", "obsolete_links", None, {"entry": entries})
    led = {str(other) for _, told, other in rows if told == how and other != term}
    return led.pop() if len(led) == 1 else ""


def leading_name(text: str, names: Mapping[str, str]) -> str:
    """Return what the longest name stands for with which a text begins, or ``""``.

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

"""Find the texts that name a thing only within a longer name: *combat damage*, for damage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from ...loaders.language.names import either_number
from ...ontology import RG, counted, grouped, in_a_list, slug
from ..finding.names import identify, names_and_terms
from ..reliance.levels import Reach
from ..session import Answer, Scope, Session

_MENTIONS = Reach(via=("mention",))


def mentions_by_longer_names(
    session: Session, graphs: Scope | Sequence[str], terms: Sequence[str]
) -> dict[str, set[str]]:
    """Return term → the texts that mention it, for terms whose names contain the name of one of `terms`.

    Terms and texts are IRIs. Texts that also mention one of `terms` itself do not count.
    """
    preferred, _ = session.once(names_and_terms)
    own = {f"-{slug(form)}-" for it in terms if it in preferred for form in either_number(preferred[it])}
    longer = [
        it for it, name in preferred.items() if it not in terms and any(s in f"-{slug(name)}-" for s in own)
    ]
    naming = {text for text, _ in session.pairs(graphs, RG.mentions, to=terms)}
    found = session.pairs(graphs, RG.mentions, to=longer)
    return {
        it: set(texts)
        for it, texts in grouped((it, text) for text, it in found if text not in naming).items()
    }


def in_longer_names(session: Session, scope: Scope, terms: Sequence[str]) -> list[str]:
    """Return a remark on the texts that mention `terms` only by longer names, if there are any."""
    found = mentions_by_longer_names(session, scope, terms)
    if not found:
        return []
    preferred, _ = session.once(names_and_terms)
    most = sorted(found, key=lambda it: (-len(found[it]), it))
    told = in_a_list([f"{preferred[it]} ({len(found[it]):,})" for it in most])
    texts = counted(len(set().union(*found.values())), "more text")
    return [f"Also within longer terms, in {texts}: {told}."]


def with_longer_names(session: Session, found: Answer, name: str, ask: Callable[..., Answer]) -> Answer:
    """Return what relies on the term `name`, with what mentions only a longer name of a term.

    `ask` asks the same about another term; it takes the names and `reach`. Each thing keeps its first row.
    """
    preferred, _ = session.once(names_and_terms)
    scope = session.scope(found.edition)
    longer = mentions_by_longer_names(session, scope, identify(session, name).terms)
    more = (ask((preferred[it],), reach=_MENTIONS).rows for it in sorted(longer))
    rows = {str(row[0]): row for row in reversed([*chain(found.rows, *more)])}
    return found._replace(rows=tuple(reversed(rows.values())))

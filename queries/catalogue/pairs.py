"""The ways in which people ask about two things or two times at once, `{}` standing for each of them.

What stands in brackets are choices; no query of the catalogue answers these.
"""

from __future__ import annotations

_RULES = (
    "(what |what has |what is |what are |which rules |what rules |which rules have |how have the rules |)"
)
_CHANGED = (
    "(changed|changes|different|differs|differ|new|the difference|difference|the differences|differences"
    "|the changes|were changed|are different|are new|were added|was added|has changed|have changed"
    "|got changed) "
)
DIFFERENCE = (
    f"{_RULES}{_CHANGED}(between|from) {{}} (and|to|until|till|vs) {{}}",
    "(compare|diff|difference of) {} (and|with|to|against) {}",
    "how (did|do) (the |)rules (change|differ) (between|from) {} (and|to) {}",
)
SINCE = (
    f"{_RULES}{_CHANGED}(since|after) {{}}",
    "how (did|do) (the |)rules (change|differ) (since|after|from) {}",
)
FATE = (
    "what (happened|has happened) (to|with) {}",
    "what became of {}",
    "where (did|has) {} (go|gone|moved to|move to)",
    "where is {} now",
    "(what is |)(the |)history of {}",
    "what (was|is) {} (called|numbered) (before|now|earlier)",
)
CHAIN = (
    "why does {} (rely on|depend on|need|rest on) {}",
    "how does {} (rely on|depend on|rest on|lead to) {}",
    "how (is|are) {} (related|connected|linked) to {}",
)
APART = (
    "(what is |)(the |)difference between {} and {}",
    "how (is|are|does|do) {} (different|differ) from {}",
    "what (distinguishes|separates) {} from {}",
)

ALL = (*DIFFERENCE, *SINCE, *FATE, *CHAIN, *APART)

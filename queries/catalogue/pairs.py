"""The ways in which people ask about two things or two times at once, `{}` standing for each of them.

What stands in brackets are choices; no query of the catalogue answers these.
"""

from __future__ import annotations

_RULES = (
    "(what |what has |what is |what are |which rules |what rules |which rules have |how have the rules "
    "|list |show |show me |)"
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
WITHIN = (
    "what (has |)(changed|is new|is different|differs) (in|within) {} (between|from) {} (and|to) {}",
    "(what are |)(the |)(changes|differences) (in|to|within|of) {} (between|from) {} (and|to) {}",
    "(difference|diff|compare) {} (between|from|of) {} (and|to|with) {}",
    "how (did|has) {} (change|changed|differ) (between|from) {} (and|to) {}",
)
WITHIN_SINCE = (
    "what (has |)(changed|is new|is different|differs) (in|within) {} (since|after) {}",
    "(what are |)(the |)(changes|differences) (in|to|within|of) {} (since|after) {}",
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
    "what (replaced|took the place of) {}",
    "what (was|is) {} (called|numbered) (before|now|earlier)",
)
_COME = (
    "(appear|show up|enter the rules|enter the game|come into the rules|come into the game|come in|come up)"
)
_DONE = "(added|introduced|created|invented|printed|removed|changed|renamed|renumbered|reworded|moved)"
THEN = (
    "what (was|is) {} (called|numbered) in {}",
    "(what|which) number (did|does) {} have in {}",
    "where (was|is) {} in {}",
    "what (was|is) the number of {} in {}",
    "(what|which) rule (was|is) {} (in|before) {}",
)
_WHAT = "(what|which) {} (are|were|got|have been|was) {}"
KINDS_SINCE = (f"{_WHAT} (since|after) {{}}",)
KINDS_BETWEEN = (f"{_WHAT} (between|from) {{}} (and|to) {{}}",)
KINDS_IN = (f"{_WHAT} (in|with|by) {{}}",)
_NEW = "(what |which |what are |list |show |)(the |)new {} (are there |have there been |came |have come |)"
NEW_SINCE = (f"{_NEW}(since|after) {{}}",)
NEW_IN = (f"{_NEW}(in|with) {{}}",)
NEW_BETWEEN = (f"{_NEW}(between|from) {{}} (and|to) {{}}",)
WHAT_CHANGED = {"rules": "rule", "rule": "rule", "subrules": "rule", "entries": "entry", "terms": "entry"}
"""What people ask the changes of, and what a comparison calls it."""

HOW_CHANGED = {
    "new": "added", "added": "added", "introduced": "added", "removed": "removed", "deleted": "removed",
    "dropped": "removed", "reworded": "reworded", "rewritten": "reworded", "renumbered": "renumbered",
    "moved": "moved", "split": "split", "merged": "merged",
}  # fmt: skip
"""What people call a change, and what a comparison calls it."""
LIFE = (
    "(what is |tell |show |)(the |)history of {}",
    f"when (did|does|do) {{}} (first |){_COME}",
    "when did {} (change|last change|move|go away|go|leave the rules|leave the game|disappear)",
    f"when (was|were) {{}} (first |last |){_DONE}( to the rules| to the game|)",
    f"when did {{}} get {_DONE}",
    "(in |)(what|which) edition (did|was) {} (first |)(appear|show up|come in|added|introduced)",
    "how (has|have) {} changed( over time| over the years| since|)",
    "how did {} change( over time| over the years|)",
    "(has|have|did) {} (ever |)(changed|change)",
    "(since when|how long) (is|are|has|have) {} (been |)(there|in the rules|in the game|a rule|around)",
    "how old (is|are) {}",
    "since when (do|does|did) {} exist",
    "since when (is|are) there (a |an |) {}",
    "{} (history|over time|over the years|through the years)",
    "(what|what has|what is) (changed|new|different) (about|with|for) {}",
    "(what are |)(the |)changes (to|of|in) {}( over time| over the years|)",
)
WHEREABOUTS = (
    *FATE,
    "(is|are) {} still (a thing|used|in use|there|around|in the game|a rule|a term|)",
    "(does|do) {} still exist",
)
"""Of names that were given up it is told what took their place; of others, their lives."""

CHAIN = (
    "why does {} (rely on|depend on|need|rest on) {}",
    "(how does|does) {} (rely on|depend on|rest on|lead to) {}",
    "how (is|are) {} (related|connected|linked) to {}",
)
APART = (
    "(what is |)(the |)difference between {} and {}",
    "how (is|are|does|do) {} (different|differ) from {}",
    "what (distinguishes|separates) {} from {}",
    "compare {} (and|with|to) {}",
)

ALL = (
    *WITHIN, *WITHIN_SINCE, *DIFFERENCE, *SINCE, *KINDS_SINCE, *KINDS_BETWEEN, *KINDS_IN, *NEW_SINCE,
    *NEW_BETWEEN, *NEW_IN, *WHEREABOUTS, *THEN, *LIFE, *CHAIN, *APART,
)  # fmt: skip

"""The small words of English, which hold a question together and say little of what it is about."""

from __future__ import annotations

_ARTICLES_AND_POINTERS = (
    "a an the this that these those such same other another each every either neither both all any some "
    "no none"
)
_PRONOUNS = (
    "i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we "
    "us our ours they them their theirs themselves one ones someone somebody something anyone anybody "
    "anything everyone everybody everything nobody nothing"
)
_QUESTIONS = "what which who whom whose when where why how whether whats whos hows wheres"
_JOINING = "and or but nor so if then than as because while though although unless until since once"
_PREPOSITIONS = (
    "of in into on onto to from at by for with without within about above after again against along among "
    "around before behind below beside between beyond down during except off out over per through under "
    "up upon via"
)
_AUXILIARIES = (
    "am is are was were be been being do does did doing done have has had having will would shall should "
    "can could may might must ought cannot isn aren wasn weren don doesn didn haven hasn hadn won wouldn "
    "shouldn couldn mustn ain"
)
_LIGHT_VERBS = (
    "get gets got getting go goes going gone went make makes made making put puts let lets say says said "
    "tell tells mean means meant happen happens happened know want wants need needs like please"
)
_ADVERBS = (
    "not only just also too very even still yet already now here there ever never always often much many "
    "more most less least few own quite rather really maybe"
)
_PIECES = "s t re ll ve d m let us ok okay yes thing things stuff way"

FUNCTION_WORDS = frozenset(
    " ".join(
        (
            *(_ARTICLES_AND_POINTERS, _PRONOUNS, _QUESTIONS, _JOINING, _PREPOSITIONS),
            *(_AUXILIARIES, _LIGHT_VERBS, _ADVERBS, _PIECES),
        )
    ).split()
) - {"won"}
"""Words, in small letters, and what is left of words that an apostrophe parts; *won* is a verb of its own."""

"""Running text becomes sentences, and ends of them are known."""

from __future__ import annotations

import re

_END_OF_SENTENCE = re.compile(r"[.!?:…][”\"’')\]\ufffd]*$|[)\]”\"]$|\ufffd$")


def ends_sentence(text: str) -> bool:
    """Tell whether `text` ends as a paragraph does: with a stop, a colon, a bracket or a quote."""
    return bool(_END_OF_SENTENCE.search(text))

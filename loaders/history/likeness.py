"""Make checksums and short signatures of rules, which show how similar two rules are without their text.

The signature is MinHash (Broder 1997) over pairs of neighbouring words, cut to four bits a hash (Li and
König 2010). Two signatures of 64 hashes estimate how alike two texts are to about ±0.06, in 32 bytes. A
checksum is enough to recognise most rules, so numpy is imported only when one is not.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HASHES = 64
"""Hashes in a signature."""

_CHANCE = 1 / 16
"""How often four bits are equal by chance."""


def checksum(words: str) -> str:
    """Return 8 letters that name a text: 48 bits of its hash."""
    return b64encode(blake2b(words.encode(), digest_size=6).digest()).decode()


def signature(tokens: Sequence[str]) -> str:
    """Return the signature of a text as 43 letters.

    >>> likeness(signature("the moth lands".split()), signature("the moth lands".split()))
    1.0
    """
    import numpy as np

    pairs = {" ".join(pair) for pair in zip(["", *tokens], [*tokens, ""], strict=True)}
    hashes = np.fromiter((zlib.crc32(pair.encode()) for pair in sorted(pairs)), np.uint64, len(pairs))
    times, plus = _functions()
    least = ((hashes[:, None] * times + plus) >> np.uint64(32)).min(axis=0)
    bits = (least & np.uint64(15)).astype(np.uint8)
    return b64encode((bits[::2] << 4 | bits[1::2]).tobytes()).decode().rstrip("=")


def likeness(one: str, other: str) -> float:
    """Return the approximate share of word pairs common to two texts, from 0 to 1."""
    return likenesses([(one, other)])[0]


def likenesses(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the likeness of the two signatures of each pair."""
    if not pairs:
        return []
    import numpy as np

    one, other = (_bits([pair[side] for pair in pairs]) for side in (0, 1))
    found: list[float] = _scaled(np.count_nonzero(one == other, axis=1)).tolist()
    return found


def table(some: Sequence[str], others: Sequence[str]) -> NDArray[np.float64]:
    """Return the likeness of each of `some` signatures with each of `others`."""
    import numpy as np

    mine, theirs = _bits(some), _bits(others)
    equal = np.zeros((len(some), len(others)))
    for place in range(HASHES):
        equal += mine[:, place, None] == theirs[None, :, place]
    return _scaled(equal)


def _scaled(equal: NDArray[Any]) -> NDArray[np.float64]:
    """Return the likeness that numbers of equal hashes indicate."""
    import numpy as np

    return np.maximum(0.0, (equal / HASHES - _CHANCE) / (1 - _CHANCE))


def _bits(signatures: Sequence[str]) -> NDArray[np.uint8]:
    import numpy as np

    raw = b"".join(b64decode(it + "=") for it in signatures)
    packed = np.frombuffer(raw, np.uint8).reshape(len(signatures), HASHES // 2)
    return np.stack((packed >> 4, packed & 15), axis=2).reshape(len(signatures), HASHES)


@cache
def _functions() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the multipliers (odd) and addends of the hash functions; they must never change."""
    import numpy as np

    drawn = [blake2b(bytes([n]), digest_size=16).digest() for n in range(HASHES)]
    times = np.array([int.from_bytes(it[:8], "big") | 1 for it in drawn], np.uint64)
    plus = np.array([int.from_bytes(it[8:], "big") for it in drawn], np.uint64)
    return times, plus

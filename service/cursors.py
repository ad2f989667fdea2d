"""Where a reader of a player's news stands, in all of the games at once, as text that only the service reads."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import orjson

Place: TypeAlias = tuple[int, int]
"""How far one game was told: all before the event `seq`, and so many of the messages about that one."""

GAMES_MOST: Final = 100
"""How many games of a player are followed at a time: the cursor has to fit into a header."""

START: Final[Place] = (1, 0)

_LONGEST: Final = 3_500
_LARGEST: Final = 16_384
_MOST: Final = 2**53 - 1


class NoCursor(ValueError):
    """The text is not a cursor."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The places in all the games that are followed, by their ids; of those numbered up to `entered` none is missing."""

    entered: int
    places: Mapping[str, Place]


def write_cursor(cursor: Cursor) -> str:
    """Return the text that stands for a cursor."""
    plain = orjson.dumps([cursor.entered, *([game, *place] for game, place in cursor.places.items())])
    return urlsafe_b64encode(zlib.compress(plain, 1)).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """Return the cursor that a text stands for; raises NoCursor."""
    try:
        packed = urlsafe_b64decode(text[:_LONGEST].encode() + b"=" * (-len(text[:_LONGEST]) % 4))
        unpacking = zlib.decompressobj()
        entered, *rows = orjson.loads(unpacking.decompress(packed, _LARGEST))
        places = {game: (seq, told) for game, seq, told in rows}
    except (ValueError, TypeError, zlib.error) as error:
        raise NoCursor(text) from error
    numbers = (entered, *(number for place in places.values() for number in place))
    if not all(map(_is_number, numbers)) or not all(isinstance(game, str) for game in places):
        raise NoCursor(text)
    if any(place < START for place in places.values()):
        raise NoCursor(text)
    if len(places) > GAMES_MOST or not unpacking.eof:
        raise NoCursor(text)
    return Cursor(entered, places)


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST

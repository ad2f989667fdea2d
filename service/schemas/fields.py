"""Fields that take no near misses: `5.0`, `"5"`, `true` and `null` are no integers, `"yes"` is no boolean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final, Self

import marshmallow as ma
from marshmallow import fields

_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible, but part of how several scripts and many emoji are written."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and a symbol by their category, and yet nothing that can be seen."""


class TooMuch(str):
    """What is said of a value beyond a bound, with the code that stands for this bound."""

    __slots__ = ("code",)

    code: str

    def __new__(cls, code: str, text: str) -> Self:
        """Return the text, with its code."""
        made = super().__new__(cls, text)
        made.code = code
        return made


class AtMost(ma.validate.Range):
    """A whole number between two bounds, of which the upper one has a code of its own."""

    def __init__(self, low: int, high: int, code: str) -> None:
        super().__init__(low, high)
        self.code = code

    def __call__(self, value: Any) -> Any:
        """Return the value if it lies between the bounds."""
        if value > self.max:
            raise ma.ValidationError(TooMuch(self.code, f"At most {self.max}."))
        return super().__call__(value)


class LengthAtMost(ma.validate.Length):
    """A length between two bounds, of which the upper one has a code of its own."""

    def __init__(self, low: int, high: int, code: str) -> None:
        super().__init__(low, high)
        self.high = high
        self.code = code

    def __call__(self, value: Any) -> Any:
        """Return the value if its length lies between the bounds."""
        if len(value) > self.high:
            raise ma.ValidationError(TooMuch(self.code, f"Not longer than {self.high}."))
        return super().__call__(value)


def codes_of(field: fields.Field[Any]) -> set[str]:
    """Return the codes of the bounds that a field has."""
    validated = {one.code for one in field.validators if isinstance(one, AtMost | LengthAtMost)}
    return validated | ({Name.CODE} if isinstance(field, Name) else set())


class Integer(fields.Integer):
    """A JSON integer between `low` and `high`, both included; None leaves a side open."""

    def __init__(self, low: int | None = None, high: int | None = None, **options: Any) -> None:
        bounds = [] if low is None and high is None else [ma.validate.Range(low, high)]
        super().__init__(strict=True, validate=[*bounds, *options.pop("validate", [])], **options)


class Boolean(fields.Boolean):
    """`true` or `false`, and nothing that merely looks like it."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any
    ) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class QueryInteger(fields.Integer):
    """A whole number in the query, in plain decimal digits, between `low` and `high`."""

    _DIGITS: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)

    def __init__(self, low: int, high: int, *, code: str | None = None, **options: Any) -> None:
        bounds = AtMost(low, high, code) if code else ma.validate.Range(low, high)
        super().__init__(validate=bounds, **options)

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not self._DIGITS.fullmatch(value):
            raise self.make_error("invalid")
        return int(value)


class Name(fields.String):
    """What people call themselves: 1 to 40 characters, in Unicode's composed form (NFC), without spaces at its ends.

    Control characters, marks that turn the direction of text, other invisible characters and line breaks are refused, and
    towers of accents: a name must not be able to disturb the page that shows it.
    """

    LONGEST: Final = 40
    MARKS_MOST: Final = 4
    CODE: Final = "name_too_long"

    def __init__(self, **options: Any) -> None:
        metadata = {
            "description": "1 to 40 characters, trimmed; no control, invisible or direction-changing characters.",
            "minLength": 1,
            "maxLength": self.LONGEST,
            "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]+$",
            **options.pop("metadata", {}),
        }
        super().__init__(metadata=metadata, **options)

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any
    ) -> str:
        text = super()._deserialize(value, attr, data, **options)
        name = unicodedata.normalize("NFC", text).strip()
        if max(len(name), len(text)) > self.LONGEST:
            raise ma.ValidationError(TooMuch(self.CODE, f"A name has 1 to {self.LONGEST} characters."))
        if not name:
            raise ma.ValidationError(f"A name has 1 to {self.LONGEST} characters.")
        if any(_is_disturbing(character) for character in text):  # strip() takes line breaks, too
            raise ma.ValidationError("A name has no control, invisible or direction-changing characters.")
        if all(unicodedata.category(character)[0] in "CMZ" for character in name):
            raise ma.ValidationError("A name has at least one character that can be seen.")
        if _marks_in_a_row(name) > self.MARKS_MOST:
            raise ma.ValidationError(f"A name has at most {self.MARKS_MOST} marks on one letter.")
        return name


def _marks_in_a_row(name: str) -> int:
    runs = groupby(name, lambda character: unicodedata.category(character) in ("Mn", "Me"))
    return max((len([*run]) for are_marks, run in runs if are_marks), default=0)


class Id(fields.String):
    """The id of something that may or may not be there: opaque, and shorter than any that is worth looking for."""

    LONGEST: Final = 64

    def __init__(self, **options: Any) -> None:
        super().__init__(validate=ma.validate.Length(max=self.LONGEST), **options)


class Choice(fields.String):
    """One of a few words."""

    def __init__(self, *choices: str, **options: Any) -> None:
        super().__init__(validate=ma.validate.OneOf(choices), **options)


class Timestamp(fields.String):
    """A moment as the API writes it: RFC 3339 in UTC with milliseconds; for answers."""

    def __init__(self, **options: Any) -> None:
        metadata = {"format": "date-time", **options.pop("metadata", {})}
        super().__init__(metadata=metadata, **options)


class Card(fields.Field[int | str]):
    """A card: the number 1 to 104, or a Joker `"J0"` to `"J9"`. Which of them a table knows, the rules say."""

    default_error_messages = {"invalid": 'A card is a whole number from 1 to 104 or a Joker, "J0" to "J9".'}  # noqa: RUF012  # as marshmallow has it

    JSON_SCHEMA: Final = {
        "oneOf": [
            {"type": "integer", "minimum": 1, "maximum": 104},
            {"type": "string", "pattern": "^J[0-9]$"},
        ]
    }

    def _deserialize(
        self,
        value: Any,
        attr: str | None,
        data: Mapping[str, Any] | None,
        **options: Any,
    ) -> int | str:
        match value:
            case int() if not isinstance(value, bool) and 1 <= value <= 104:
                return value
            case str() if re.fullmatch(r"J[0-9]", value, re.ASCII):
                return value
            case _:
                raise self.make_error("invalid")


def document_card(_converter: Any, field: fields.Field[Any], **_: Any) -> dict[str, Any]:
    """Return the JSON Schema of a card field for the published document; nothing for any other field."""
    if not isinstance(field, Card):
        return {}
    forms = [*Card.JSON_SCHEMA["oneOf"], *([{"type": "null"}] if field.allow_none else [])]
    return {"oneOf": forms}


def _is_disturbing(character: str) -> bool:
    category = unicodedata.category(character)
    hidden = category == "Cf" and character not in _JOINERS
    return hidden or character in _BIDI | _BLANK or category in {"Cc", "Cs", "Co", "Zl", "Zp"}

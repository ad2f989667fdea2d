"""Frozen values to JSON and back, by their type hints: one codec for events, options and snapshots.

Dataclasses and named tuples are objects with their fields as keys, tuples are arrays, `Millis` are RFC 3339 text, bytes
are hexadecimal. A union of dataclasses is told apart by its keys. `read` is strict: an unknown key, a missing one
without a default or a value of another type raises `MalformedError`.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from engine.cards import Card, is_card
from engine.times import Millis, parse, rfc3339

Writer = Callable[[Any], Any]
Reader = Callable[[Any], Any]


class MalformedError(ValueError):
    """JSON that is not of the type it should be read as; the text says where."""


def write(kind: Any, value: Any) -> Any:
    """The JSON form of a value of type `kind`."""
    return _writer(kind)(value)


def read(kind: Any, value: Any) -> Any:
    """The value of type `kind` that `write` gave as JSON; raises `MalformedError`."""
    return _reader(kind)(value)


class _Slot(NamedTuple):
    name: str
    hint: Any
    required: bool


def _slots(kind: Any) -> list[_Slot] | None:
    """The fields of a dataclass or a named tuple; None for any other type."""
    required: dict[str, bool]
    if is_dataclass(kind):
        required = {field.name: field.default is MISSING for field in fields(kind)}
    elif hasattr(kind, "_field_defaults"):
        required = {name: name not in kind._field_defaults for name in kind._fields}
    else:
        return None
    hints = get_type_hints(kind)
    return [_Slot(name, hints[name], needed) for name, needed in required.items()]


def _same(value: Any) -> Any:
    return value


@cache
def _writer(kind: Any) -> Writer:
    if kind in (int, str, bool, Card):
        return _same
    if kind is Millis:
        return rfc3339
    if kind is bytes:
        return bytes.hex
    slots = _slots(kind)
    if slots is not None:
        parts = [(slot.name, _writer(slot.hint)) for slot in slots]
        return lambda value: {name: writer(getattr(value, name)) for name, writer in parts}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple:
        writer = _writer(arguments[0])
        return list if writer is _same else lambda value: [writer(item) for item in value]
    if origin in (Union, types.UnionType):
        return _union_writer(arguments)
    if origin in (Literal, dict):
        return _same
    raise TypeError(f"no JSON form for {kind!r}")


def _union_writer(members: tuple[Any, ...]) -> Writer:
    by_type = {
        get_origin(member) or (int if member is Millis else member): _writer(member)
        for member in members
        if member is not types.NoneType and get_origin(member) is not Literal
    }
    return lambda value: by_type.get(cast("Any", type(value)), _same)(value)


def _expect(kind: type) -> Reader:
    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise MalformedError(f"expected {kind.__name__}, got {value!r}")
        return value

    return check


def _read_card(value: Any) -> Card:
    if not is_card(value):
        raise MalformedError(f"no such card: {value!r}")
    return value  # type: ignore[no-any-return]  # is_card has just told


def _read_moment(value: Any) -> Millis:
    try:
        return parse(value)
    except (TypeError, ValueError) as error:
        raise MalformedError(str(error)) from None


def _read_bytes(value: Any) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise MalformedError(f"expected hexadecimal, got {value!r}") from None


@cache
def _reader(kind: Any) -> Reader:
    plain = {
        Card: _read_card,
        Millis: _read_moment,
        bytes: _read_bytes,
        types.NoneType: _expect(types.NoneType),
    }
    if kind in plain:
        return plain[kind]
    if kind in (int, str, bool):
        return _expect(kind)
    slots = _slots(kind)
    if slots is not None:
        return _object_reader(kind, slots)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is dict:
        return _expect(dict)
    if origin is tuple:
        return _tuple_reader(_reader(arguments[0]))
    if origin in (Union, types.UnionType):
        return _union_reader(tuple(_reader(member) for member in arguments), kind)
    if origin is Literal:
        return _literal_reader(arguments)
    raise TypeError(f"no JSON form for {kind!r}")


def _tuple_reader(reader: Reader) -> Reader:
    def read_items(value: Any) -> tuple[Any, ...]:
        if value.__class__ is not list:
            raise MalformedError(f"expected an array, got {value!r}")
        return tuple([reader(item) for item in value])

    return read_items


def _literal_reader(choices: tuple[Any, ...]) -> Reader:
    def read_choice(value: Any) -> Any:
        if type(value) is str and value in choices:
            return value
        raise MalformedError(f"expected one of {choices}, got {value!r}")

    return read_choice


def _union_reader(readers: tuple[Reader, ...], kind: Any) -> Reader:
    def read_first(value: Any) -> Any:
        for reader in readers:
            try:
                return reader(value)
            except MalformedError:
                continue
        raise MalformedError(f"expected {kind}, got {value!r}")

    return read_first


def _object_reader(kind: type, slots: list[_Slot]) -> Reader:
    parts = [(slot, _reader(slot.hint)) for slot in slots]
    names = {slot.name for slot in slots}

    def read_object(value: Any) -> Any:
        if type(value) is not dict or not value.keys() <= names:
            raise MalformedError(f"expected an object with the keys {sorted(names)}, got {value!r}")
        arguments: dict[str, Any] = {}
        for slot, reader in parts:
            if slot.name in value:
                arguments[slot.name] = reader(value[slot.name])
            elif slot.required:
                raise MalformedError(f"{kind.__name__} lacks {slot.name}")
        return kind(**arguments)

    return read_object

"""Alterations of a log: one value is another, and all that proves the log is made anew by a forger who knows how."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeAlias, get_args

from engine import options
from engine.log import Envelope, hash_of, part_digest
from engine.outcome import Reason
from engine.players import ActorKind, Kind
from engine.rows import Mode, Why
from engine.rulesets import RULESETS
from engine.times import Millis, parse, rfc3339

Path: TypeAlias = tuple[str | int, ...]

GONE: Final = object()
"""In the place of a value: the field is left out."""

WORDS: Final = [
    tuple(RULESETS),
    *map(get_args, (ActorKind, Kind, Mode, Why, Reason)),
    *map(get_args, (options.PolicyName, options.Reveal, options.Visibility, options.When, options.PaceName)),
]
"""Words of which one may stand where another does."""

SEATS: Final[list[dict[str, int]]] = [{}, {"seat": 0}, {"seat": 2}]
"""What `by` may say beside its kind."""


class Alteration(NamedTuple):
    """Another value at one place of an event; `resealed`: the digest of the opened part is made to fit, too."""

    place: int
    path: Path
    value: Any
    resealed: bool = False


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every value within a JSON value that holds no others; `by` counts as one."""
    if path == ("by",) or not isinstance(value, dict | list):
        yield path
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(item, (*path, key))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def name_of(path: Path) -> str:
    """The path without the numbers of its places."""
    return ".".join(key for key in path if isinstance(key, str))


def alterations(log: list[Envelope], place: int, path: Path) -> list[Alteration]:
    """What could stand there instead: of the same kind and of another, what stands there elsewhere, and nothing."""
    value = at(log[place], path)
    others: list[Any] = [GONE] if isinstance(path[-1], str) else []
    match value:
        case bool():
            others += [not value, int(value)]
        case int():
            others += [value + 1, value - 1, bool(value)]
        case None:
            others += [0, "", "p9", 60_000, rfc3339(Millis(parse(log[place]["at"]) + 60_000))]
        case dict():
            others = [{"kind": kind} | seat for kind in get_args(ActorKind) for seat in SEATS]
        case str():
            flipped = value[:-1] + ("1" if value.endswith("0") else "0")
            others += [flipped, value.upper(), None]
            others += [word for words in WORDS if value in words for word in words]
    if path == ("at",):
        others += [rfc3339(Millis(parse(value) + step_ms)) for step_ms in (-86_400_000, -1, 1, 86_400_000)]
    elsewhere = [
        at(envelope, other)
        for envelope in log
        if envelope["type"] == log[place]["type"]
        for other in leaves(envelope)
        if name_of(other) == name_of(path)
    ]
    others += [elsewhere[0], elsewhere[-1]]
    unlike = [other for other in others if (type(other), other) != (type(value), value)]
    return [
        Alteration(place, path, other, resealed)
        for other in unlike
        for resealed in ((False, True) if path[0] == "open" else (False,))
    ]


def altered(log: list[Envelope], alteration: Alteration) -> list[Envelope]:
    """The log after the alteration, with the digest, the chain and the seal made anew."""
    place, path, value, resealed = alteration
    changed = copy.deepcopy(log) if resealed else [dict(envelope) for envelope in log]
    changed[place] = copy.deepcopy(log[place])
    *above, last = path
    if value is GONE:
        del at(changed[place], tuple(above))[last]
    else:
        at(changed[place], tuple(above))[last] = value
    if resealed:
        reseal(changed, place)
    head = "0" * 64
    for number, envelope in enumerate(changed):
        kept = path if number == place else ()
        if kept != ("prev",):
            envelope["prev"] = head
        if envelope.get("type") == "game.sealed" and kept != ("data", "head"):
            envelope["data"] = envelope["data"] | {"head": head}
        if kept != ("hash",):
            envelope["hash"] = hash_of(envelope)
        head = envelope.get("hash", head)
    return changed


def reseal(log: list[Envelope], place: int) -> None:
    """Make the digests of an event, and what later events open of it, those of its open parts."""
    envelope = log[place]
    for part, opening in envelope["open"].items():
        envelope["sealed"][part] = part_digest(opening.get("salt"), opening.get("data"))
        openings = [again for later in log[place:] for again in later["data"].get("openings", ())]
        for again in openings:
            if (again["seq"], again["part"]) == (envelope["seq"], part):
                again.update(copy.deepcopy(opening))

"""The compact replay of a game, `take5-replay/1`: what the rules cannot know of it, in about two kilobytes of JSON.

It holds options, seats, deals and answers. `engine.replay.rebuild` plays them by the rules again, from game.started on:
the lobby is not in it. Cards that its reader may not know yet are null.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

from engine import events as e, wire
from engine.cards import Card
from engine.game import Game
from engine.log import Envelope, fold_log
from engine.options import IfLow, Options
from engine.outcome import Reason, Standing
from engine.players import ActorKind, Seat
from engine.rows import Mode
from engine.rulesets import RULESETS

REPLAY_FORMAT: Final = "take5-replay/1"
"""What a compact replay says it is."""


class Lay(NamedTuple):
    """A seat lays a card, in JSON `[seat, card]`.

    `by` stands as a third item where it is not the seat's holder, `if_low` as a fourth where the row was chosen in advance,
    and what was taken from the seat's bank as a fifth where it was anything.
    """

    seat: int
    card: Card | None
    by: ActorKind | None = None
    if_low: IfLow | None = None
    bank_used_ms: int = 0


class Choice(NamedTuple):
    """A seat chooses a row, in JSON `[turn, seat, row, mode]`; `by` and then `bank_used_ms` as in `Lay`."""

    turn: int
    seat: int
    row: int
    mode: Mode
    by: ActorKind | None = None
    bank_used_ms: int = 0


class Pick(NamedTuple):
    """A card is picked in the draft, in JSON `[card]`; `by` and then `bank_used_ms` as in `Lay`.

    Whose pick it is follows from the order.
    """

    card: Card
    by: ActorKind | None = None
    bank_used_ms: int = 0


class Word(NamedTuple):
    """Something said beside the play, in JSON `[seq, type, by, data]`: an event of the log, whole, at its number.

    What is sealed of it and not open to the reader is null in `data`.
    """

    seq: int
    type: str
    by: dict[str, Any]
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Round:
    """One deal and the answers to it: the rows' first cards, a hand a seat, the lays of each turn as they came.

    Rows and hands are empty in a log that ends just before the deal, and where the hands are drafted, in `picks`.
    Where every hand is open, a card that the service lays because it is a seat's last (option `auto_last_card`) is not
    among them.
    """

    round: int
    attempt: int
    rows: tuple[Card, ...]
    hands: tuple[tuple[Card, ...] | None, ...]
    turns: tuple[tuple[Lay, ...], ...]
    choices: tuple[Choice, ...]
    seed: bytes | None
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; standings are empty when it was abandoned."""

    reason: Reason
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A compact replay: `started` is the number of the event game.started, None if there was none.

    `events` counts the events of the log, `head` is the hash of the last; `seats` are as they were at the start.
    """

    format: str
    game: str
    engine: str
    options: Options
    seats: tuple[Seat | None, ...]
    started: int | None
    rounds: tuple[Round, ...]
    result: Result | None
    events: int
    head: str
    master: bytes | None
    words: tuple[Word, ...] = ()


WORDS: Final = frozenset(
    kind.type
    for kind in (
        e.DraftPlanned,
        e.SeatAway,
        e.SeatReturned,
        e.SeatResigned,
        e.SeatReplaced,
        e.VoteOpened,
        e.VoteCast,
        e.VoteClosed,
        e.GamePaused,
        e.GameResumed,
        e.RoundVoided,
        e.GameAbandoned,
    )
)
"""The types of the events that a compact replay holds whole: they are rare, and do not follow from the play."""


def compact(envelopes: Sequence[Envelope]) -> dict[str, Any]:
    """The compact replay of a log as JSON: of a whole one, or of one that is redacted for its reader."""
    starts = [envelope["seq"] for envelope in envelopes if envelope["type"] == e.GameStarted.type]
    started: int | None = starts[0] if starts else None
    lobby = fold_log(envelopes[: started - 1 if started else None]).game
    rounds: list[dict[str, Any]] = []
    words = [_word(one) for one in envelopes[started or len(envelopes) :] if one["type"] in WORDS]
    result, master = None, None
    for envelope in envelopes:
        data = envelope["data"]
        match envelope["type"]:
            case "round.started":
                rounds.append(_begun(data))
            case "game.finished" | "game.abandoned":
                result = {"reason": data["reason"], "standings": data.get("standings", [])}
            case "game.sealed":
                master = data["master"]
            case _ if rounds:
                _add(rounds[-1], envelope, lobby)
            case _:
                pass
    return {
        "format": REPLAY_FORMAT,
        "game": lobby.id,
        "engine": envelopes[0]["data"]["engine"],
        "options": wire.write(Options, lobby.options),
        "seats": [seat and wire.write(Seat, seat) for seat in lobby.seats],
        "started": started,
        "rounds": rounds,
        "result": result,
        "events": len(envelopes),
        "head": envelopes[-1]["hash"],
        "master": master,
        "words": words,
    }


def _word(envelope: Envelope) -> list[Any]:
    opened = {part: opening["data"] for part, opening in envelope["open"].items()}
    sealed = e.SEALED_FIELDS.get(envelope["type"], ())
    hidden = e.sealed_fields(envelope["type"], opened) if opened else dict.fromkeys(sealed)
    return [envelope["seq"], envelope["type"], envelope["by"], envelope["data"] | hidden]


def _begun(data: dict[str, Any]) -> dict[str, Any]:
    named = {"round": data["round"], "attempt": data["attempt"]}
    return named | {"rows": [], "hands": [], "turns": [], "choices": [], "seed": None, "picks": []}


def _add(round_: dict[str, Any], envelope: Envelope, lobby: Game) -> None:
    """Write what an event adds to its round; most follow from others and add nothing."""
    data, opened = envelope["data"], envelope["open"]
    match envelope["type"]:
        case "round.dealt":
            round_["rows"] = [row[0] for row in data["rows"]]
            parts = [opened.get(f"s{seat}") for seat in range(len(envelope["sealed"]))]
            round_["hands"] = [part and part["data"]["hand"] for part in parts]
        case "turn.opened":
            round_["turns"].append([])
        case "draft.picked":
            round_["picks"].append(_short(data["card"], _other(envelope, lobby), data.get("bank_used_ms", 0)))
        case "card.laid" if None in round_["hands"] or not _is_last_card(envelope, lobby):
            round_["turns"][-1].append(_lay(envelope, lobby))
        case "row.chosen":
            choice = envelope["turn"], data["seat"], data["row"], data["mode"]
            round_["choices"].append(_short(*choice, _other(envelope, lobby), data.get("bank_used_ms", 0)))
        case "round.revealed":
            round_["seed"] = data["round_seed"]
        case _:
            pass


def _lay(envelope: Envelope, lobby: Game) -> list[Any]:
    seat: int = envelope["data"]["seat"]
    part = envelope["open"].get(f"s{seat}")
    laid: dict[str, Any] = part["data"] if part else {}
    used = envelope["data"].get("bank_used_ms", 0)
    return [seat, *_short(laid.get("card"), _other(envelope, lobby), laid.get("if_low"), used)]


def _short(card: Any, *rest: Any) -> list[Any]:
    """What an answer is written as: without the items at its end that say nothing."""
    items = [*rest]
    while items and items[-1] in (None, 0):
        items.pop()
    return [card, *items]


def _is_last_card(envelope: Envelope, lobby: Game) -> bool:
    is_last = envelope["turn"] == lobby.rules.hand_size
    return is_last and lobby.options.auto_last_card and envelope["by"]["kind"] == "policy"


def _other(envelope: Envelope, lobby: Game) -> str | None:
    """Who answered, when it was somebody else than the seat's holder."""
    seat: int = envelope["by"]["seat"]
    holder, kind = lobby.seats[seat], envelope["by"]["kind"]
    own = "player" if holder is None or holder.kind == "human" else holder.kind
    return None if kind == own else kind


def read(value: Any) -> Replay:
    """The replay that a JSON value writes; raises `engine.wire.MalformedError` for any other."""
    try:
        if value["format"] != REPLAY_FORMAT:
            raise wire.MalformedError(f"not a {REPLAY_FORMAT} file: {value['format']!r}")
        rounds = [_named(one) for one in _items(value["rounds"])]
        words = [_fields(Word, one) for one in _items(value.get("words", []))]
        replay: Replay = wire.read(Replay, value | {"rounds": rounds, "words": words})
    except (AttributeError, KeyError, TypeError):
        raise wire.MalformedError(f"not a {REPLAY_FORMAT} file") from None
    _check(replay)
    return replay


def _named(round_: Any) -> Any:
    """The JSON of a round with objects for its arrays of lays, choices and picks, as the codec reads them."""
    turns = [[_fields(Lay, lay) for lay in _items(turn)] for turn in _items(round_["turns"])]
    choices = [_fields(Choice, one) for one in _items(round_["choices"])]
    picks = [_fields(Pick, one) for one in _items(round_.get("picks", []))]
    return round_ | {"turns": turns, "choices": choices, "picks": picks}


def _fields(kind: type[Lay | Choice | Pick | Word], item: Any) -> dict[str, Any]:
    items = _items(item)
    if len(items) > len(kind._fields):
        raise wire.MalformedError(f"more than a {kind.__name__} holds: {item!r}")
    return dict(zip(kind._fields, items, strict=False))


def _items(value: Any) -> Sequence[Any]:
    if type(value) is not list:
        raise wire.MalformedError(f"expected an array, got {value!r}")
    return cast("Sequence[Any]", value)


def _check(replay: Replay) -> None:
    """Raise MalformedError for seats and deals that no game of these options has; the answers are for the rules."""
    rules, seats = RULESETS.get(replay.options.ruleset), replay.options.seats
    if rules is None or len(replay.seats) != seats or not rules.min_seats <= seats <= rules.max_seats:
        raise wire.MalformedError(f"no game of {replay.options.ruleset!r} with {len(replay.seats)} seats")
    if replay.started is not None and None in replay.seats:
        raise wire.MalformedError("a game starts when every seat is taken")
    for word in replay.words:
        if word.type not in WORDS:
            raise wire.MalformedError(f"nothing said beside the play: {word.type!r}")
    for one in replay.rounds:
        hands = [hand for hand in one.hands if hand is not None]
        cards = [*one.rows, *(card for hand in hands for card in hand)]
        if (
            (len(one.rows), len(one.hands)) not in ((rules.rows, seats), (0, 0))
            or any(len(hand) != rules.hand_size for hand in hands)
            or len(set(cards)) != len(cards)
        ):
            raise wire.MalformedError(f"round {one.round} has no deal for {seats} seats")

"""A game to look at again, step by step: from its log, or rebuilt from its compact replay.

A rebuilt game has the same events and views as its log, from game.started on. What only a log has is missing in it: the
hashes (the head of every step is ""), moments, deadlines, salts and the stock; none but the head shows in a view.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from engine import commands as c, events as e, wire
from engine.cards import HIGHEST, JOKERS, Card, is_joker
from engine.chance import Context
from engine.compact import Choice, Lay, Pick, Replay, Result, Round
from engine.decide import decide
from engine.errors import Refusal
from engine.evolve import evolve
from engine.game import Game
from engine.log import Envelope, event_of, fold_log
from engine.players import ActorKind, By
from engine.rounds import picked
from engine.rulesets import RULESETS, RuleSet
from engine.stages import due
from engine.times import Millis, parse
from engine.views import laying, view
from engine.wire import MalformedError

Viewer: TypeAlias = int | Literal["public", "all"]
"""Who looks: a seat, everybody, or somebody who may see every hand of a game that is over."""

_AT: Final = Millis(0)


class Step(NamedTuple):
    """An event, the game after it, and its hash."""

    event: e.Event
    game: Game
    head: str


def steps(envelopes: Sequence[Envelope]) -> Iterator[Step]:
    """Every step of a log from its first event on, all parts open; raises `engine.wire.MalformedError`."""
    live = fold_log(envelopes[:1])
    game = live.game
    yield Step(event_of(envelopes[0]), game, live.head)
    for envelope in islice(envelopes, 1, None):
        event = event_of(envelope)
        game = evolve(game, event, parse(envelope["at"]))
        yield Step(event, game, envelope["hash"])


def frame(step: Step, viewer: Viewer) -> dict[str, Any]:
    """A step as JSON: the type of its event and a `view/1`.

    For "all", `hands` has every hand and `laid_cards` what lies face down before each seat; both are null for others.
    """
    game = step.game
    sees_all = viewer == "all"
    seat = viewer if isinstance(viewer, int) else None
    return {
        "type": step.event.type,
        "view": view(game, seat, step.head),
        "hands": [list(hand) for hand in game.hands] if sees_all else None,
        "laid_cards": [one and one.card for one in laying(game)] if sees_all else None,
    }


def frames(
    taken: Iterable[Step], viewer: Viewer, first: int = 1, last: int | None = None
) -> Iterator[dict[str, Any]]:
    """The frames of the steps with the numbers `first` to `last`, both included."""
    for step in taken:
        if last is not None and step.game.seq > last:
            return
        if step.game.seq >= first:
            yield frame(step, viewer)


@dataclass(frozen=True, slots=True)
class _Recorded:
    """The chance of a game as its compact replay has it."""

    replay: Replay
    rounds: dict[tuple[int, int], Round]

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        numbers = [card for hand in self._hands(number, attempt) for card in hand if not is_joker(card)]
        return (*numbers, *self._round(number, attempt).rows)

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        return tuple([card for hand in self._hands(number, attempt) for card in hand if is_joker(card)])

    def round_seed(self, number: int, attempt: int) -> bytes:
        return self._round(number, attempt).seed or b""

    def salt(self, seq: int, part: str) -> str:
        return ""

    @property
    def master(self) -> bytes:
        return self.replay.master or b""

    def _hands(self, number: int, attempt: int) -> list[tuple[Card, ...]]:
        one, rules = self._round(number, attempt), RULESETS[self.replay.options.ruleset]
        return [hand or _likely_hand(one, seat, rules) for seat, hand in enumerate(one.hands)]

    def _round(self, number: int, attempt: int) -> Round:
        try:
            return self.rounds[number, attempt]
        except KeyError:
            raise MalformedError(f"round {number} is missing") from None


def _likely_hand(one: Round, seat: int, rules: RuleSet) -> tuple[Card, ...]:
    """A hand for a seat whose hand is not open: the cards it is known to have laid, and any card for each other.

    No view but the seat's own shows these, and a reader for whom the hand is closed does not hold that seat.
    """
    laid = {lay.card for turn in one.turns for lay in turn if lay.seat == seat and lay.card is not None}
    numbers = [card for card in laid if not is_joker(card)]
    jokers = [card for card in laid if is_joker(card)]
    return (*(*numbers, *(HIGHEST,) * rules.dealt)[: rules.dealt], *(*jokers, *JOKERS)[: rules.jokers])


def rebuild(replay: Replay) -> Iterator[Step]:
    """Every step of a compact replay from game.started on, played by the rules again.

    Raises `engine.wire.MalformedError` where the answers cannot be played, or lead to another result than it says.
    """
    if replay.started is None:
        return
    rounds = {(one.round, one.attempt): one for one in replay.rounds}
    context = Context(_AT, _Recorded(replay, rounds))
    answers = _Answers(replay, rounds)
    game = Game(replay.game, replay.options, "", "", _AT, replay.seats, seq=replay.started - 1)
    players, client_seeds = zip(*((seat.player, seat.client_seed) for seat in game.taken), strict=True)
    following: deque[e.Event] = deque([e.GameStarted(players, client_seeds, By("host"))])
    result: Result | None = None
    while game.seq < replay.events:
        if word := answers.word(game):
            following = deque([word])
        if not following:
            following.extend(answers.next(game, context) or due(game, context))
        if not following:
            raise MalformedError(f"event {game.seq + 1} of {replay.events} does not follow")
        event = following.popleft()
        game = evolve(game, event, _AT)
        if isinstance(event, e.GameFinished | e.GameAbandoned):
            result = Result(event.reason, event.standings if isinstance(event, e.GameFinished) else ())
        yield Step(event, game, "")
    if result != replay.result:
        raise MalformedError("the result that it names does not follow from its cards")


class _Answers:
    """The answers of a replay that are still to be given, by turn, and what was said beside the play, by its number."""

    def __init__(self, replay: Replay, rounds: dict[tuple[int, int], Round]) -> None:
        self._words = {word.seq: word for word in replay.words}
        self._picks = {place: deque(one.picks) for place, one in rounds.items()}
        self._lays: dict[tuple[int, int, int], deque[Lay]] = {}
        self._choices: dict[tuple[int, int, int], deque[Choice]] = {}
        for place, one in rounds.items():
            for turn, lays in enumerate(one.turns, 1):
                self._lays[*place, turn] = deque(lays)
            for choice in one.choices:
                self._choices.setdefault((*place, choice.turn), deque()).append(choice)

    def next(self, game: Game, context: Context) -> tuple[e.Event, ...]:
        """The answer that was given in this state, if one was."""
        turn = game.round, game.attempt, game.turn
        if game.phase == "draft" and (picks := self._picks.get((game.round, game.attempt))):
            return (_picked(game, picks.popleft(), context),)
        if game.phase == "lay_card" and (lays := self._lays.get(turn)):
            return (_laid(game, lays.popleft()),)
        if game.phase == "choose_row" and not game.chosen and (choices := self._choices.get(turn)):
            return (_chosen(game, choices.popleft(), context),)
        return ()

    def word(self, game: Game) -> e.Event | None:
        """What was said beside the play at this number, if anything was."""
        found = self._words.get(game.seq + 1)
        if found is None:
            return None
        kind, data = e.EVENTS[found.type], dict(found.data)
        for name in e.SEALED_FIELDS.get(found.type, ()):
            data[name] = data.get(name) or []
        event: e.Event = wire.read(kind, data | {"by": found.by})
        return event


def _picked(game: Game, pick: Pick, context: Context) -> e.DraftPicked:
    if pick.card not in game.pool:
        raise MalformedError(f"pick {game.picks + 1} of round {game.round} cannot be {pick.card}")
    event = picked(game, game.drafter, pick.card, _by(game, game.drafter, pick.by), context)
    return replace(event, bank_used_ms=pick.bank_used_ms)


def _laid(game: Game, lay: Lay) -> e.CardLaid:
    hand = game.hands[lay.seat] if 0 <= lay.seat < len(game.hands) else ()
    card = lay.card if lay.card is not None else next(iter(hand), None)
    if card is None or card not in hand:
        raise MalformedError(f"seat {lay.seat} cannot lay {lay.card} in turn {game.round}.{game.turn}")
    by = _by(game, lay.seat, lay.by)
    return e.CardLaid(lay.seat, card, by, lay.if_low, game.table, lay.bank_used_ms)


def _chosen(game: Game, choice: Choice, context: Context) -> e.RowChosen:
    command = c.ChooseRow(choice.seat, game.round, game.turn, choice.row, choice.mode, game.attempt)
    try:
        decide(game, command, context)
    except Refusal as refusal:
        raise MalformedError(f"in turn {game.round}.{game.turn}: {refusal.detail}") from None
    by = _by(game, choice.seat, choice.by)
    return e.RowChosen(choice.seat, choice.row, choice.mode, by, choice.bank_used_ms)


def _by(game: Game, seat: int, other: ActorKind | None) -> By:
    return By(other, seat) if other else game.actor(seat)

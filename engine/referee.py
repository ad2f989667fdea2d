"""Whether a log was played by the rules: every event is decided again, from the events before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from engine import __version__, commands as c, deals, events as e
from engine.agreements import returning, timed_out
from engine.automatic import Answered, answer, may_answer
from engine.cards import Card
from engine.chance import Chance, Context
from engine.checks import Pending, master_of, seeds_of
from engine.decide import KEPT_MS, decide
from engine.decisions import next_pick, open_decisions
from engine.errors import Refusal
from engine.evolve import created, evolve
from engine.game import Game
from engine.options import Options
from engine.players import By
from engine.records import FaultError, Record
from engine.resolve import asked_for, resolve
from engine.stages import due
from engine.times import Millis

_Events: TypeAlias = tuple[e.Event, ...]

AUTOMATIC: Final = ("timeout", "policy", "away")
"""Why the service answers in the place of a seat."""

_NOTHING: Final[_Events] = ()


class _UnpublishedError(Exception):
    """A secret that the log does not open yet; the text says which."""


@dataclass(frozen=True, slots=True)
class _Published:
    """The chance of a game that is not over, as far as its log has opened it."""

    seeds: dict[tuple[int, int], bytes]
    salts: dict[tuple[int, str], str]

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        key = deals.deck_key(self.round_seed(number, attempt), game, number, attempt, client_seeds)
        return deals.number_deck(key, high)

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        return deals.joker_deck(
            deals.deck_key(self.round_seed(number, attempt), game, number, attempt, client_seeds)
        )

    def round_seed(self, number: int, attempt: int) -> bytes:
        try:
            return self.seeds[number, attempt]
        except KeyError:
            raise _UnpublishedError(f"the seed of round {number}") from None

    def salt(self, seq: int, part: str) -> str:
        # A part that the log does not open has no salt: what would need it is not caused by the rules then.
        return self.salts.get((seq, part), "")

    @property
    def master(self) -> bytes:
        raise _UnpublishedError("the master secret")


def check_rules(log: Sequence[Record]) -> Pending | None:
    """Every event is what the rules cause there, or what somebody may have caused who was allowed to.

    An answer that the service gave in a seat's place is that of the table's policy. Raises `FaultError`; returns from where
    on hidden cards keep it from being told.
    """
    chance = _chance(log)
    game, owed, is_settling = _created(log[0]), _NOTHING, False
    for before, one in pairwise(log):
        if not one.is_open:
            return Pending(one.seq, f"Event {one.seq} is not wholly open yet.")
        try:
            if is_settling and not owed:
                owed = due(game, Context(before.at, chance))
            _check_moment(before, one, is_one_command=bool(owed))
            owed, is_settling = _follow(game, one, owed, Context(one.at, chance))
        except _UnpublishedError as secret:
            return Pending(one.seq, f"Event {one.seq} follows from {secret}, which is not published yet.")
        except Refusal as refusal:
            raise FaultError(one.seq, f"Event {one.seq} breaks the rules: {refusal.detail}") from None
        game = evolve(game, one.event, one.at)
        if (one.envelope["round"], one.envelope["turn"]) != (game.round, game.turn):
            raise FaultError(one.seq, f"Event {one.seq} is of round {game.round}, turn {game.turn}.")
    return None


def _check_moment(before: Record, one: Record, *, is_one_command: bool) -> None:
    """Time does not go back, and stands still while one command causes one event after the other."""
    if one.at < before.at:
        raise FaultError(one.seq, f"Event {one.seq} is earlier than the one before it.")
    if is_one_command and one.at != before.at:
        detail = f"Event {one.seq} has another moment than the command that it belongs to."
        raise FaultError(one.seq, detail)


def _chance(log: Sequence[Record]) -> Chance:
    master = master_of(log)
    if master is not None:
        return deals.FairShuffle(master)
    salts = {
        (one.seq, part): opening["salt"] for one in log for part, opening in one.envelope["open"].items()
    }
    return _Published(seeds_of(log), salts)


def _created(one: Record) -> Game:
    event = one.event
    if not isinstance(event, e.GameCreated):
        raise FaultError(one.seq, "A log begins with game.created.")
    if (event.engine, event.shuffle) != (__version__, deals.SHUFFLE):
        detail = f"The game was played by rules {event.engine} with {event.shuffle}"
        raise FaultError(one.seq, f"{detail}; these are {__version__} with {deals.SHUFFLE}.")
    if event.by != By("player") or (one.envelope["round"], one.envelope["turn"]) != (0, 0):
        raise FaultError(one.seq, "A game is created by a player, before its first round.")
    try:
        _check_options(event.options)
    except Refusal as refusal:
        raise FaultError(one.seq, f"The options cannot be: {refusal.detail}") from None
    kept_until = Millis(one.at + KEPT_MS) if event.kept else None
    if event.kept_until != kept_until or len(event.kept) not in (0, event.options.seats):
        raise FaultError(one.seq, "The seats of a rematch are kept for two minutes, each for one player.")
    return created(one.envelope["game"], event, one.at)


def _check_options(options: Options) -> None:
    if resolve(asked_for(options)) != options:
        raise Refusal("bad_options")


def _follow(game: Game, one: Record, owed: _Events, context: Context) -> tuple[_Events, bool]:
    """What the command that caused this event causes next, and whether all that is due then comes of it, too.

    Raises when nothing causes this event.
    """
    if owed:
        if not _is_same(owed[0], one.event):
            raise FaultError(
                one.seq, f"Event {one.seq} is not the {owed[0].type} that the rules cause there."
            )
        return owed[1:], True
    for expected in (due(game, context), timed_out(game, context)):
        if expected and _is_same(expected[0], one.event):
            # A seat may also pick itself, and alone, what its plan would have picked.
            return expected[1:], not isinstance(one.event, e.DraftPicked)
    if _is_automatic(game, one.event, context) or _is_return(game, one.event):
        return _NOTHING, False
    caused = decide(game, _command(game, one), context)
    if caused[:1] != (one.event,):
        raise FaultError(one.seq, f"Event {one.seq}, {one.event.type}, is not what the rules make of it.")
    return caused[1:], False


def _is_same(expected: e.Event, event: e.Event) -> bool:
    """Whether the event is the expected one; the head in game.sealed is the chain's affair."""
    if isinstance(event, e.GameSealed) and isinstance(expected, e.GameSealed):
        return (expected.master, expected.events) == (event.master, event.events)
    return expected == event


def _is_return(game: Game, event: e.Event) -> bool:
    """Whether a seat that is away returns, which it may with any answer; what else is due then, is due anyway."""
    if not isinstance(event, e.SeatReturned) or not 0 <= event.seat < len(game.seats):
        return False
    return (event,) == returning(game, event.seat)


def _is_automatic(game: Game, event: e.Event, context: Context) -> bool:
    """Whether the event is what the service had to answer in the place of a seat that is late, away, or whose bot failed."""
    if not isinstance(event, Answered) or event.by.kind not in AUTOMATIC:
        return False
    return any(
        decision.seat == event.seat
        and may_answer(game, decision, event.by.kind, context.now)
        and event == answer(game, decision, event.by.kind, context)
        for decision in open_decisions(game)
    )


def _command(game: Game, one: Record) -> c.Command:
    """What somebody must have wanted for the event to happen."""
    match one.event:
        case e.CardLaid(seat, card, if_low=if_low):
            return c.LayCard(seat, game.round, game.turn, card, game.attempt, if_low)
        case e.DraftPicked(seat, card):
            return c.Pick(seat, game.round, game.picks + 1, card, game.attempt)
        case e.DraftPlanned(seat, plan):
            return c.PlanPicks(
                seat, game.round, next_pick(game, seat) if seat in game.order else 0, plan, game.attempt
            )
        case e.RowChosen(seat, row, mode):
            return c.ChooseRow(seat, game.round, game.turn, row, mode, game.attempt)
        case e.SeatJoined(player=None, seat=seat, level=level):
            return c.SeatBot(game.host, seat, level or "")
        case e.SeatJoined(seat, str() as player, name, "bot", by=By("host"), owner=owner):
            return c.InviteBot(game.host, seat, player, name, owner)
        case e.SeatJoined(seat, str() as player, name, ("human" | "bot") as kind, _, client_seed) as joined:
            return c.JoinSeat(player, name, kind, seat, client_seed, joined.accepts_bots, joined.owner)
        case e.SeatUpdated(seat, ready, client_seed) as updated:
            return c.ChangeSeat(_holder(game, one, seat), ready, client_seed, updated.accepts_bots)
        case e.SeatLeft(seat=seat, by=By("host")):
            return c.RemoveBot(game.host, seat)
        case e.SeatLeft(seat=seat):
            return c.LeaveSeat(_holder(game, one, seat))
        case e.GameChanged(options):
            _check_options(options)
            return c.ChangeOptions(game.host, asked_for(options))
        case e.GameStarted():
            return c.StartGame(game.host)
        case e.GameAbandoned(reason="operator"):
            return c.Abandon()
        case e.GameAbandoned():
            return c.CloseLobby(game.host)
        case event:
            return _table_command(game, one, event)


def _table_command(game: Game, one: Record, event: e.Event) -> c.Command:
    """The same for what seated players do beside the play."""
    match event:
        case e.SeatAway(seat):
            return c.GoAway(_holder(game, one, seat))
        case e.SeatResigned(seat):
            return c.Resign(_holder(game, one, seat))
        case e.VoteOpened(_, kind, seat, target):
            return c.OpenVote(_holder(game, one, seat), kind, target)
        case e.VoteCast(vote, seat, choice):
            return c.CastBallot(_holder(game, one, seat), vote, choice)
        case _:
            raise FaultError(one.seq, f"Event {one.seq}, {event.type}, does not follow from the rules there.")


def _holder(game: Game, one: Record, seat: int) -> str:
    holder = game.seats[seat] if 0 <= seat < len(game.seats) else None
    if holder is None or holder.player is None:
        raise FaultError(one.seq, f"No player holds seat {seat} at event {one.seq}.")
    return holder.player

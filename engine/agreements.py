"""What seated players may do beside playing: step away, return, resign, and agree by vote (rules, section 8).

A vote needs a yes of every seated person. Whoever opens it has said yes; one no ends it, and so does its deadline, for
silence is no. What was agreed happens with the last yes.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine import commands as c, events as e
from engine.chance import Context
from engine.decisions import open_decisions
from engine.errors import Refusal
from engine.game import Game, Vote
from engine.players import SUBSTITUTE, By, Seat
from engine.table import VoteKind, VoteReason
from engine.times import Millis

SHORTEST_VOTE_MS: Final = 30_000
"""How long a vote is open at least; else as long as a turn."""
UNTIMED_VOTE_MS: Final = 24 * 3_600_000
"""How long a vote is open at a table without time limits."""
MISSED_MS: Final = 24 * 3_600_000
"""After how long one person alone may have somebody replaced who is not away, but does not answer."""
COOL_DOWN_MS: Final = 60_000
"""How long nobody may open another vote after one that failed."""
LONGEST_PAUSE_MS: Final = 24 * 3_600_000
"""How long a table can agree to wait; then the game goes on by itself."""
LONGEST_LOBBY_MS: Final = 24 * 3_600_000
"""How long a lobby stays open in which nothing happens."""
MOST_VOTES: Final = 200
"""How many votes a game can have."""

_BY_VOTE: Final = By("vote")


def agreed(game: Game, context: Context) -> tuple[e.Event, ...]:
    """What is due beside the rules: an absence to be noted, or a vote that is decided, with what it decides."""
    if game.overdue:
        seat = game.overdue[0]
        return (e.SeatAway(seat, "timeouts", By("timeout", seat)),)
    vote = game.vote
    if vote is None:
        return ()
    casts = [vote.ballots[seat] for seat in game.voters()]
    if not casts or _is_moot(game, vote, context):
        return (_closed(vote, "moot", context, _BY_VOTE),)
    if any(cast and cast.choice == "no" for cast in casts):
        return (_closed(vote, "a_no", context, _BY_VOTE),)
    if all(casts):
        return (_closed(vote, "all_yes", context, _BY_VOTE), _effect(vote, context))
    return ()


def timed_out(game: Game, context: Context, grace_ms: int = 0) -> tuple[e.Event, ...]:
    """What ends because its time is up: a lobby, a vote that somebody was silent in, with some grace, or a pause."""
    vote, until, closes_at = game.vote, pause_ends(game), lobby_ends(game)
    if closes_at is not None and closes_at <= context.now:
        return (e.GameAbandoned("not_begun", By("timeout")),)
    if vote and vote.deadline + grace_ms <= context.now:
        return (_closed(vote, "time_up", context, By("timeout")),)
    if until is not None and until <= context.now:
        return (e.GameResumed(By("timeout")),)
    return ()


def lobby_ends(game: Game) -> Millis | None:
    """When a game is given up that nobody begins, if nothing happens in its lobby until then."""
    return Millis(game.at + LONGEST_LOBBY_MS) if game.status == "lobby" else None


def pause_ends(game: Game) -> Millis | None:
    """When a game that is paused goes on by itself: it does so at once when nobody is left who could agree to it."""
    return game.at if game.paused_until is not None and not game.voters() else game.paused_until


def decide_table(game: Game, command: c.TableCommand, context: Context) -> tuple[e.Event, ...]:
    """The events of a seated player's command beside the play; raises `Refusal`."""
    if not game.is_running:
        raise Refusal("game_over" if game.is_over else "game_not_playing")
    seat = game.seat_of(command.player)
    holder = None if seat is None else game.seats[seat]
    if seat is None or holder is None:
        raise Refusal("not_seated")
    match command:
        case c.GoAway():
            return () if holder.away else (e.SeatAway(seat, "asked", game.actor(seat)),)
        case c.Return():
            return returning(game, seat)
        case c.Resign():
            return (e.SeatResigned(seat, SUBSTITUTE, game.actor(seat)),)
        case c.OpenVote():
            return _open(game, seat, holder, command, context)
        case c.CastBallot():
            return (*returning(game, seat), *_cast(game, seat, command))
        case _:
            assert_never(command)


def returning(game: Game, seat: int) -> tuple[e.Event, ...]:
    """The return of a seat that is away; answering anything is one."""
    holder = game.seats[seat]
    return (e.SeatReturned(seat, game.actor(seat)),) if holder and holder.away else ()


def _open(game: Game, seat: int, holder: Seat, command: c.OpenVote, context: Context) -> tuple[e.Event, ...]:
    kind, target = command.kind, command.target
    if not game.options.votes:
        raise Refusal("votes_off")
    if holder.kind != "human":
        raise Refusal("not_a_voter")
    if game.vote:
        if (game.vote.seat, game.vote.kind, game.vote.target) == (seat, kind, target):
            return ()
        raise Refusal("vote_open", f"Vote {game.vote.number}, to {game.vote.kind}, is open.")
    if game.votes >= MOST_VOTES and kind != "resume":  # or the table would stand until the pause is over
        raise Refusal("too_many_votes", f"A game has at most {MOST_VOTES} votes.")
    if context.now < game.next_vote_at:
        wait = game.next_vote_at - context.now
        detail = f"The last vote failed; the next may be opened in {wait} ms."
        raise Refusal("vote_too_soon", detail, retry_after_ms=wait)
    _check_kind(game, kind, seat, target)
    if target is not None:
        _check_target(game, seat, target, context)
    number = game.votes + 1
    closes = Millis(context.now + vote_ms(game))
    by = game.actor(seat)
    return (
        *returning(game, seat),
        e.VoteOpened(number, kind, seat, target, closes, by),
        e.VoteCast(number, seat, "yes", by),
    )


def vote_ms(game: Game) -> int:
    """How long a vote is open at this table."""
    turn_ms = game.options.pace.turn_ms
    return UNTIMED_VOTE_MS if turn_ms is None else max(SHORTEST_VOTE_MS, turn_ms)


def _check_kind(game: Game, kind: VoteKind, seat: int, target: int | None) -> None:
    if kind == "resume" and game.status != "paused":
        raise Refusal("vote_not_possible", "The game is not paused.", pointers=("/kind",))
    if kind in ("pause", "redeal") and game.status == "paused":
        raise Refusal("vote_not_possible", "The game is paused.", pointers=("/kind",))
    if (kind == "replace") != (target is not None):
        raise Refusal(
            "vote_not_possible", "A vote to replace, and no other, names a seat.", pointers=("/seat",)
        )


def _check_target(game: Game, seat: int, target: int, context: Context) -> None:
    """Refuse to ask for a seat that cannot be replaced: by one person alone only who does not come can be put out."""
    if not 0 <= target < len(game.seats):
        detail = f"Seats are numbered 0 to {len(game.seats) - 1}."
        raise Refusal("seat_out_of_range", detail, pointers=("/seat",))
    holder = game.seats[target]
    if holder is None or holder.level is not None:
        raise Refusal("vote_not_possible", f"A house bot plays seat {target} already.", pointers=("/seat",))
    if target == seat:
        raise Refusal("vote_not_possible", "You may resign your own seat at any time.", pointers=("/seat",))
    if _is_put_out_alone(game, target, context):
        rule = "a seat can only be replaced once it is away or has been waited for for a day"
        detail = f"There is nobody else who could agree, so {rule}."
        raise Refusal("vote_not_possible", detail, pointers=("/seat",))


def _is_put_out_alone(game: Game, target: int, context: Context) -> bool:
    """Whether less than two could agree that somebody is replaced who is there, or may yet come."""
    holder = game.seats[target]
    is_away = holder is not None and holder.away
    return len({*game.voters()} - {target}) < 2 and not is_away and not _is_missed(game, target, context)


def _is_missed(game: Game, seat: int, context: Context) -> bool:
    return any(
        decision.seat == seat and decision.opened_at + MISSED_MS <= context.now
        for decision in open_decisions(game)
    )


def _cast(game: Game, seat: int, command: c.CastBallot) -> tuple[e.Event, ...]:
    vote = game.vote
    if command.vote > game.votes:
        raise Refusal("decision_not_open", f"There was no vote {command.vote} yet.")
    if vote is None or vote.number != command.vote:
        raise Refusal("decision_closed")
    if seat not in game.voters():
        raise Refusal("not_a_voter")
    cast = vote.ballots[seat]
    if cast is None:
        return (e.VoteCast(vote.number, seat, command.choice, game.actor(seat)),)
    if cast.choice == command.choice:
        return ()
    raise Refusal("already_answered", "A ballot is final.")


def _is_moot(game: Game, vote: Vote, context: Context) -> bool:
    """Whether what the vote is about has passed meanwhile, or whoever else could agree has given the seat up."""
    match vote.kind:
        case "redeal":
            return game.is_over or (game.round, game.attempt) != (vote.round, vote.attempt)
        case "replace":
            target = vote.target or 0
            holder = game.seats[target]
            is_gone = game.is_over or holder is None or holder.level is not None
            return is_gone or _is_put_out_alone(game, target, context)
        case "pause" | "resume":
            return game.is_over or (game.status == "paused") == (vote.kind == "pause")
        case "abandon":
            return game.is_over
        case _:
            assert_never(vote.kind)


def _closed(vote: Vote, reason: VoteReason, context: Context, by: By) -> e.VoteClosed:
    wait = COOL_DOWN_MS if reason in ("a_no", "time_up") else 0
    return e.VoteClosed(vote.number, vote.kind, reason == "all_yes", reason, Millis(context.now + wait), by)


def _effect(vote: Vote, context: Context) -> e.Event:
    match vote.kind:
        case "redeal":
            return e.RoundVoided(vote.number, _BY_VOTE)
        case "abandon":
            return e.GameAbandoned("vote", _BY_VOTE)
        case "pause":
            return e.GamePaused(vote.number, Millis(context.now + LONGEST_PAUSE_MS), _BY_VOTE)
        case "resume":
            return e.GameResumed(_BY_VOTE)
        case "replace":
            return e.SeatReplaced(vote.target or 0, SUBSTITUTE, vote.number, _BY_VOTE)
        case _:
            assert_never(vote.kind)

"""What can be checked of a log without playing it: chain, digests, commitments, deals, seal.

Each check takes the records of a log, of which there is at least one. It raises `FaultError` at the first event that is
wrong, and else returns what cannot be told yet, or None when all of it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine import deals, events as e
from engine.dealing import Deal, dealt
from engine.log import NO_HEAD, hash_of, part_digest
from engine.options import Options
from engine.records import FaultError, Record
from engine.rulesets import RULESETS


class Pending(NamedTuple):
    """The event from which on something cannot be told yet, and a sentence that says what."""

    seq: int
    detail: str


_IN_THE_MIDST: Final = (
    e.GameStarted,
    e.RoundStarted,
    e.DraftClosed,
    e.RoundDealt,
    e.TurnRevealed,
    e.CardPlaced,
    e.CardExplained,
    e.TurnClosed,
    e.RoundScored,
    e.RoundVoided,
    e.RoundRevealed,
    e.VoteOpened,
    e.GameFinished,
    e.GameAbandoned,
)
"""What never is the last event of a command: whatever follows from it by the rules is written in the same step."""


def check_chain(log: Sequence[Record]) -> Pending | None:
    """The events are numbered without a gap, are of one game, and each holds the hash of the one before."""
    game, head = log[0].envelope["game"], NO_HEAD
    for place, one in enumerate(log, 1):
        envelope = one.envelope
        if one.seq != place:
            raise FaultError(place, f"Event {place} is missing: number {one.seq} stands in its place.")
        if envelope["game"] != game:
            raise FaultError(place, f"Event {place} is of another game, {envelope['game']!r}.")
        if envelope["prev"] != head:
            raise FaultError(place, f"Event {place} does not follow on the one before: its prev differs.")
        if hash_of(envelope) != envelope["hash"]:
            raise FaultError(place, f"Event {place} is not what its hash was made of.")
        head = envelope["hash"]
    return None


def check_digests(log: Sequence[Record]) -> Pending | None:
    """Every part that is open, where it was sealed or in a later event, is what had been sealed."""
    sealed: dict[tuple[int, str], str] = {}
    waiting: Pending | None = None
    for one in log:
        sealed.update({(one.seq, part): digest for part, digest in one.envelope["sealed"].items()})
        for part, opening in one.envelope["open"].items():
            if part_digest(opening["salt"], opening["data"]) != sealed[one.seq, part]:
                raise FaultError(one.seq, f"Part {part} of event {one.seq} is not what had been sealed.")
        for opening in one.envelope["data"].get("openings", ()):
            digest = sealed.get((opening["seq"], opening["part"]))
            if part_digest(opening["salt"], opening["data"]) != digest:
                where = f"part {opening['part']} of event {opening['seq']}"
                raise FaultError(one.seq, f"Event {one.seq} opens {where} to what had not been sealed there.")
        if not one.is_open and waiting is None:
            waiting = Pending(one.seq, f"Not every part of event {one.seq} is open yet.")
    if waiting and master_of(log) is not None:
        raise FaultError(waiting.seq, f"The game is over, and event {waiting.seq} is not wholly open.")
    return waiting


def check_commitments(log: Sequence[Record]) -> Pending | None:
    """The secrets that were opened are those committed to, and every seed and salt follows from the master secret."""
    master = master_of(log)
    commit = ""
    for one in log:
        match one.event:
            case e.GameCreated() as created if master is not None:
                if deals.seed_commit(master) != created.seed_commit:
                    raise FaultError(one.seq, "The master secret is not the one that the game committed to.")
            case e.RoundStarted() as started:
                commit = started.round_commit
                seed = master and deals.round_seed(master, started.round, started.attempt)
                if seed and deals.round_commit(seed) != commit:
                    detail = f"Round {started.round} committed to a seed that is not from the master secret."
                    raise FaultError(one.seq, detail)
            case e.RoundRevealed(round_seed=bytes() as seed) if deals.round_commit(seed) != commit:
                raise FaultError(one.seq, f"Event {one.seq} reveals a seed that was not committed to.")
            case _:
                pass
        for part, opening in one.envelope["open"].items():
            if master is not None and opening["salt"] != deals.salt(master, one.seq, part):
                raise FaultError(
                    one.seq, f"The salt of {part} in event {one.seq} is not from the master secret."
                )
    if master is None:
        return Pending(len(log), "The master secret is published when the game is over.")
    return None


def check_deals(log: Sequence[Record]) -> Pending | None:
    """Every deal is what its seed, the game and the client seeds make of the deck."""
    seeds = seeds_of(log)
    client_seeds: tuple[str, ...] = ()
    options: Options | None = None
    deal: Deal | None = None
    waiting: Pending | None = None
    for one in log:
        match one.event:
            case (e.GameCreated() | e.GameChanged()) as agreed:
                options = agreed.options
            case e.GameStarted() as game_started:
                client_seeds = game_started.client_seeds
            case e.RoundStarted() as started:
                seed = seeds.get((started.round, started.attempt))
                key = None
                if seed is not None:
                    place = log[0].envelope["game"], started.round, started.attempt
                    key = deals.deck_key(seed, *place, client_seeds)
                elif waiting is None:
                    waiting = Pending(one.seq, f"The seed of round {started.round} is not published yet.")
                deal = _deal(key, options, len(client_seeds))
            case e.RoundDealt() as shown if deal:
                _check_deal(one, shown, deal)
            case e.RoundRevealed(deck=tuple() as deck, stock=stock) if deal:
                if (deck, stock) != (deal.deck, deal.stock):
                    raise FaultError(one.seq, f"Event {one.seq} shows another deck than the seed makes.")
            case _:
                pass
    return waiting


def _deal(key: bytes | None, options: Options | None, seats: int) -> Deal | None:
    """The deal of a round; None where its key is not known, or no such table can be dealt to, which the rules find."""
    rules = RULESETS.get(options.ruleset) if options else None
    if key is None or rules is None or not rules.min_seats <= seats <= rules.max_seats:
        return None
    numbers = deals.number_deck(key, rules.deck_range(seats)[1])
    return dealt(rules, seats, numbers, deals.joker_deck(key) if rules.jokers else ())


def _check_deal(one: Record, shown: e.RoundDealt, deal: Deal) -> None:
    """The hands that are open, and the rows, are those of the deal."""
    for part, opening in one.envelope["open"].items():
        seat = int(part[1:])
        if seat >= len(deal.hands) or tuple(opening["data"]["hand"]) != deal.hands[seat]:
            raise FaultError(
                one.seq, f"The hand {part} of event {one.seq} is not the one that the seed deals."
            )
    if shown.rows != deal.rows:
        raise FaultError(one.seq, f"The rows of event {one.seq} are not those that the seed deals.")


def check_seal(log: Sequence[Record]) -> Pending | None:
    """The last event, and no other, seals the game: it counts the events before it and names the hash of the last."""
    *before, last = log
    for one in before:
        if isinstance(one.event, e.GameSealed):
            raise FaultError(one.seq + 1, f"Event {one.seq + 1} comes after the game was sealed.")
    if isinstance(last.event, _IN_THE_MIDST):
        detail = (
            f"After event {last.seq}, {last.event.type}, something follows at once: the log was cut short."
        )
        raise FaultError(last.seq + 1, detail)
    if not isinstance(last.event, e.GameSealed):
        return Pending(last.seq, "The game is not over.")
    if last.event.events != len(before) or last.event.head != last.envelope["prev"]:
        raise FaultError(last.seq, f"Event {last.seq} seals another log than the one before it.")
    return None


def master_of(log: Sequence[Record]) -> bytes | None:
    """The master secret, which the last event of a game that is over opens."""
    last = log[-1].event
    return last.master if isinstance(last, e.GameSealed) else None


def seeds_of(log: Sequence[Record]) -> dict[tuple[int, int], bytes]:
    """The round seeds that can be known, by round and attempt: from the master secret, else as they were revealed."""
    master = master_of(log)
    seeds: dict[tuple[int, int], bytes] = {}
    current = 0, 0
    for one in log:
        match one.event:
            case e.RoundStarted() as started:
                current = started.round, started.attempt
                if master is not None:
                    seeds[current] = deals.round_seed(master, *current)
            case e.RoundRevealed(round_seed=bytes() as seed):
                seeds.setdefault(current, seed)
            case _:
                pass
    return seeds

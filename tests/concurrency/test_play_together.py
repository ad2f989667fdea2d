"""What is done at a table at the same instant: every answer counts once, and nothing is lost or done twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.log import Envelope
from engine.verify import verify_log
from tests.concurrency.fleet import Ask, Fleet, answer_path, lay

Times = Callable[[int, int], int]

ROUNDS = 5
PLAYED = {"end": {"rounds": ROUNDS}, "auto_last_card": False}


def of(log: list[Envelope], kind: str) -> list[Envelope]:
    """Return the events of one kind."""
    return [envelope for envelope in log if envelope["type"] == kind]


def holds(log: list[Envelope]) -> bool:
    """Whether a log verifies as far as it has come."""
    return verify_log(log).outcome in ("ok", "pending")


def check_turns(log: list[Envelope], seats: int, laid: Counter[tuple[int, int]]) -> None:
    """Check that each turn was laid by each seat once, and revealed and closed once; and that the log verifies."""
    cards = Counter((one["round"], one["turn"], one["data"]["seat"]) for one in of(log, "card.laid"))
    assert set(cards.values()) == {1}
    assert Counter((number, turn) for number, turn, _ in cards) == laid
    assert set(laid.values()) == {seats}
    for kind in ("turn.revealed", "turn.closed"):
        done = Counter((one["round"], one["turn"]) for one in of(log, kind))
        assert set(done.values()) <= {1}
        assert set(laid) - set(done) <= {max(laid)}
    assert [one["seq"] for one in log] == list(range(1, len(log) + 1))
    assert holds(log)


def test_the_last_two_cards_of_a_turn_fired_together(together: Fleet, times: Times) -> None:
    pairs = times(6, 500)
    while pairs > 0:
        tokens = [together.sign_up(name) for name in ("ada", "bob")]
        game = together.started(*tokens, **PLAYED)
        laid: Counter[tuple[int, int]] = Counter()
        for _ in range(min(pairs, 10 * ROUNDS)):
            decisions = together.cards(tokens, game)
            answers = together.together(*map(lay, tokens, decisions))
            assert [answer.status for answer in answers] == [200, 200], answers
            view = decisions[0]["view"]
            laid[view["round"], view["turn"]] += 2
            events = {one["seq"]: one for one in of(together.log(game), "card.laid")}
            for seat, answer in enumerate(answers):
                event = events[answer.json["seq"]]
                assert (event["data"]["seat"], event["sealed"][f"s{seat}"]) == (seat, answer.json["sealed"])
            pairs -= 1
        if pairs > 0:
            finish(together, tokens, game)
        check_turns(together.log(game), 2, laid)


def finish(fleet: Fleet, tokens: list[str], game: str) -> None:
    """Play on until the game is over: whoever has to choose a row does so."""
    while fleet.done(tokens[0], "GET", f"/v1/games/{game}")["status"] != "finished":
        for token in tokens:
            for item in fleet.owed(token, game, wait=0):
                assert item["kind"] == "row"
                fleet.done(token, "PUT", answer_path(item), {"row": 0})


def test_ten_seats_that_lay_at_the_same_instant_all_count(together: Fleet, times: Times) -> None:
    tries = times(2, 60)
    while tries > 0:
        tokens = [together.sign_up(f"player {seat}") for seat in range(10)]
        game = together.started(*tokens, **PLAYED)
        laid: Counter[tuple[int, int]] = Counter()
        for _ in range(min(tries, 10)):
            decisions = together.cards(tokens, game)
            answers = together.together(*map(lay, tokens, decisions))
            assert [answer.status for answer in answers] == [200] * 10, answers
            view = decisions[0]["view"]
            laid[view["round"], view["turn"]] += 10
            tries -= 1
        check_turns(together.log(game), 10, laid)


def test_the_same_card_twenty_times_at_once_is_laid_once(together: Fleet, times: Times) -> None:
    tokens = [together.sign_up(name) for name in ("ada", "bob")]
    game = together.started(*tokens, end={"rounds": 100}, auto_last_card=False)
    for _ in range(times(5, 100)):
        decisions = together.cards(tokens, game)
        answers = together.together(*[lay(tokens[0], decisions[0])] * 20)
        assert [answer.status for answer in answers] == [200] * 20, answers
        assert len({str(answer.json) for answer in answers}) == 1
        view = decisions[0]["view"]
        now = view["round"], view["turn"], 0
        cards = [
            one
            for one in of(together.log(game), "card.laid")
            if (one["round"], one["turn"], one["data"]["seat"]) == now
        ]
        assert [one["seq"] for one in cards] == [answers[0].json["seq"]]
        assert together.together(lay(tokens[1], decisions[1]))[0].status == 200
    assert holds(together.log(game))


def test_of_different_cards_at_once_one_is_laid(together: Fleet, times: Times) -> None:
    tokens = [together.sign_up(name) for name in ("ada", "bob")]
    game = together.started(*tokens, end={"rounds": 100}, auto_last_card=False)
    for number in range(times(5, 90)):
        if number % 10 == 9:  # nothing to choose between
            for token, decision in zip(tokens, together.cards(tokens, game), strict=True):
                together.together(lay(token, decision))
        decisions = together.cards(tokens, game)
        choices = len(decisions[0]["legal"]["cards"])
        answers = together.together(*(lay(tokens[0], decisions[0], index) for index in range(choices)))
        codes = Counter(answer.code for answer in answers)
        assert codes == {"": 1, "already_answered": choices - 1} if choices > 1 else {"": 1}, codes
        assert together.together(lay(tokens[1], decisions[1]))[0].status == 200
    seats = Counter(
        (one["round"], one["turn"], one["data"]["seat"]) for one in of(together.log(game), "card.laid")
    )
    assert set(seats.values()) == {1}
    assert holds(together.log(game))


def ballot(token: str, game: str, vote: int, seat: int, choice: str = "yes") -> Ask:
    """Return the request that answers a vote."""
    return Ask(token, "PUT", f"/v1/games/{game}/decisions/v{vote}.s{seat}.ballot", {"choice": choice})


def test_the_last_ballot_and_the_last_card_together(together: Fleet, times: Times) -> None:
    """Bob has laid, Ada has asked to deal anew: now her card and his yes come at once."""
    tokens = [together.sign_up(name) for name in ("ada", "bob")]
    game = together.started(*tokens, votes=True, end={"rounds": 2}, auto_last_card=False)
    for number in range(1, times(4, 120) + 1):
        ada, bob = together.cards(tokens, game)
        assert together.together(lay(tokens[1], bob))[0].status == 200
        vote = together.done(tokens[0], "POST", f"/v1/games/{game}/votes", {"kind": "redeal"})
        assert vote["vote"] == number
        asks = [lay(tokens[0], ada), ballot(tokens[1], game, number, 1)]
        card, said = together.together(*asks[:: 1 - 2 * (number % 2)])[:: 1 - 2 * (number % 2)]
        assert said.status == 200, said
        log = together.log(game)
        place = ada["view"]["round"], ada["view"]["attempt"], ada["view"]["turn"]
        laid = [
            one for one in of(log, "card.laid") if one["data"]["seat"] == 0 and attempt_of(log, one) == place
        ]
        assert len(laid) == (card.status == 200), (card, laid)
        assert card.status == 200 or card.code in ("decision_closed", "decision_not_open"), card
        closed = [one["data"] for one in of(log, "vote.closed") if one["data"]["vote"] == number]
        casts = [one["data"]["seat"] for one in of(log, "vote.cast") if one["data"]["vote"] == number]
        assert [(one["passed"], one["reason"]) for one in closed] == [(True, "all_yes")]
        assert sorted(casts) == [0, 1]
        assert len(of(log, "round.voided")) == number
    assert holds(together.log(game))


def attempt_of(log: list[Envelope], wanted: Envelope) -> tuple[int, int, int]:
    """Return the round, the attempt and the turn in which an event stands."""
    attempt = 0
    for envelope in log[: wanted["seq"]]:
        if envelope["type"] == "round.started":
            attempt = envelope["data"]["attempt"]
    return wanted["round"], attempt, wanted["turn"]


def test_two_votes_that_are_asked_for_at_once_are_one(together: Fleet, times: Times) -> None:
    tokens = [together.sign_up(name) for name in ("ada", "bob", "cy")]
    game = together.started(*tokens, votes=True)
    votes = f"/v1/games/{game}/votes"
    for number in range(1, times(2, 60) + 1):
        kind = "pause" if number % 2 else "resume"
        answers = together.together(*(Ask(token, "POST", votes, {"kind": kind}) for token in tokens))
        opened = [seat for seat, answer in enumerate(answers) if answer.status == 201]
        assert len(opened) == 1, answers
        assert {answer.code for answer in answers} == {"", "vote_open"}
        others = [seat for seat in range(3) if seat not in opened]
        said = together.together(*(ballot(tokens[seat], game, number, seat) for seat in others))
        assert [answer.status for answer in said] == [200, 200], said
    log = together.log(game)
    assert len(of(log, "vote.opened")) == len(of(log, "vote.closed")) == number
    assert len(of(log, "game.paused")) + len(of(log, "game.resumed")) == number
    assert holds(log)


def test_all_who_are_ready_at_once_start_the_game_once(together: Fleet, times: Times) -> None:
    tokens = [together.sign_up(f"player {seat}") for seat in range(5)]
    for _ in range(times(2, 60)):
        game = together.opened(tokens[0], seats=5)
        for token in tokens[1:]:
            together.done(token, "POST", f"/v1/games/{game}/seats", {"accept_bots": True})
        me: dict[str, Any] = {"ready": True}
        asks = [Ask(token, "PATCH", f"/v1/games/{game}/seats/me", me) for token in tokens]
        start = Ask(tokens[0], "POST", f"/v1/games/{game}/start")
        answers = together.together(*asks, start)
        assert {answer.code for answer in answers} <= {"", "game_started"}, answers
        log = together.log(game)
        assert len(of(log, "game.started")) == len(of(log, "turn.opened")) == 1
        assert holds(log)

"""Who wants the same thing at the same instant: the last seat, a key, a busy bot, a token that is just being revoked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Event, Thread
from time import monotonic
from typing import Any

from service.store.players import BOTS_MAX, TOKENS_MAX
from tests.concurrency.fleet import Ask, Fleet, lay

Times = Callable[[int, int], int]
Until = Callable[[Callable[[], bool]], None]

KEY = "qW3c0h5x1mZ8rTn2bYk6uA"


def active(fleet: Fleet, token: str) -> list[str]:
    """Return a player's games that are not over."""
    games: list[str] = fleet.done(token, "GET", "/v1/me")["active_games"]
    return games


def test_of_two_who_want_the_last_seat_one_gets_it(together: Fleet, times: Times) -> None:
    ada, bob, cy = (together.sign_up(name) for name in ("ada", "bob", "cy"))
    for number in range(times(4, 200)):
        game = together.opened(ada, seats=2)
        body = ({}, {"seat": 1})[number % 2]
        answers = together.together(*(Ask(who, "POST", f"/v1/games/{game}/seats", body) for who in (bob, cy)))
        assert Counter(answer.status for answer in answers) == {201: 1, 409: 1}, answers
        assert {answer.code for answer in answers} <= {"", "game_full", "seat_taken"}
        winner, loser = (bob, cy) if answers[0].status == 201 else (cy, bob)
        seats = together.done(ada, "GET", f"/v1/games/{game}")["seats"]
        assert seats[1]["player"] == together.done(winner, "GET", "/v1/me")["id"]
        assert game in active(together, winner)
        assert game not in active(together, loser)
        together.done(ada, "DELETE", f"/v1/games/{game}")


def test_who_asks_twenty_times_at_once_sits_once(together: Fleet, times: Times) -> None:
    ada, bob = together.sign_up("ada"), together.sign_up("bob")
    for _ in range(times(3, 40)):
        game = together.opened(ada, seats=10)
        answers = together.together(*[Ask(bob, "POST", f"/v1/games/{game}/seats", {})] * 20)
        assert Counter(answer.code for answer in answers) == {"": 1, "already_seated": 19}, answers
        assert together.done(ada, "GET", f"/v1/games/{game}")["seats"].count(None) == 8
        assert game in active(together, bob)
        together.done(ada, "DELETE", f"/v1/games/{game}")


def test_one_key_with_other_bodies_at_once_makes_one_thing(together: Fleet, times: Times) -> None:
    for number in range(times(3, 100)):
        ada = together.sign_up("ada")
        bodies = [
            {"ruleset": "classic", "seats": seats, "recommit": recommit}
            for seats in range(2, 11)
            for recommit in (False, True)
        ]
        asks = [Ask(ada, "POST", "/v1/games", body, f"{KEY}{number}") for body in bodies]
        answers = together.together(*asks)
        made = [place for place, answer in enumerate(answers) if answer.status == 201]
        assert len(made) == 1, answers
        codes = {answer.code for answer in answers if answer.status != 201}
        assert codes <= {"idempotency_key_reused", "idempotency_key_running"}
        assert active(together, ada) == [answers[made[0]].json["id"]]
        again = together.together(*asks)
        assert [answer.status for answer in again] == [
            201 if bodies[place] == bodies[made[0]] else 422 for place in range(len(asks))
        ]
        replayed = {str(answer.json) for answer in again if answer.status == 201}
        assert replayed == {str(answers[made[0]].json)}


def test_one_key_with_one_body_twenty_times_at_once_makes_one_thing(together: Fleet, times: Times) -> None:
    for number in range(times(3, 100)):
        ada = together.sign_up("ada")
        ask = Ask(ada, "POST", "/v1/games", {"ruleset": "classic", "seats": 2}, f"{KEY}{number}")
        answers = together.together(*[ask] * 20)
        assert {answer.code for answer in answers} <= {"", "idempotency_key_running"}, answers
        assert len({str(answer.json) for answer in answers if answer.status == 201}) == 1
        assert len(active(together, ada)) == 1


def made_bot(fleet: Fleet, owner: str, **wanted: Any) -> tuple[str, str]:
    """Return the id and the token of a new bot."""
    made = fleet.done(owner, "POST", "/v1/me/bots", {"name": "max", **wanted})
    return made["player"]["id"], made["token"]


def test_a_bot_never_sits_at_more_tables_than_it_has_promised(together: Fleet, times: Times) -> None:
    ada = together.sign_up("ada")
    for _ in range(times(3, 50)):
        bot, token = made_bot(together, ada, max_concurrent=3)
        games = [together.opened(ada, seats=2) for _ in range(10)]
        own = [Ask(token, "POST", f"/v1/games/{game}/seats", {"accept_bots": True}) for game in games]
        invited = [Ask(ada, "POST", f"/v1/games/{game}/seats/1/bot", {"player": bot}) for game in games]
        created = [Ask(token, "POST", "/v1/games", {"ruleset": "classic", "seats": 2})]
        answers = together.together(*own, *invited, *created)
        codes = Counter(answer.code for answer in answers)
        assert codes.keys() <= {"", "bot_busy", "seat_taken", "already_seated", "game_full"}, codes
        assert codes[""] == 3
        assert len(active(together, token)) == 3
        at = {game for game in games if together.play.live(game).game.seat_of(bot) is not None}
        assert at <= {*active(together, token)}
        for game in games:
            together.done(ada, "DELETE", f"/v1/games/{game}")
        together.done(ada, "DELETE", f"/v1/me/bots/{bot}")


def test_a_place_that_a_bot_gives_up_is_given_to_one(together: Fleet, times: Times) -> None:
    """It leaves a table and is wanted at five others at the same instant."""
    ada = together.sign_up("ada")
    bot, token = made_bot(together, ada, max_concurrent=1)
    at = together.opened(ada, seats=2)
    together.done(ada, "POST", f"/v1/games/{at}/seats/1/bot", {"player": bot})
    for _ in range(times(4, 60)):
        games = [together.opened(ada, seats=2) for _ in range(5)]
        wanted = [Ask(ada, "POST", f"/v1/games/{game}/seats/1/bot", {"player": bot}) for game in games]
        left, *answers = together.together(Ask(token, "DELETE", f"/v1/games/{at}/seats/me"), *wanted)
        assert left.status == 204
        got = [game for game, answer in zip(games, answers, strict=True) if answer.status == 201]
        assert len(got) <= 1, answers
        assert {answer.code for answer in answers} <= {"", "bot_busy"}
        if not got:
            together.done(ada, "POST", f"/v1/games/{games[0]}/seats/1/bot", {"player": bot})
            got = games[:1]
        assert active(together, token) == got
        at = got[0]


def test_bots_that_are_made_at_once_are_not_too_many(together: Fleet, times: Times) -> None:
    for _ in range(times(1, 10)):
        ada = together.sign_up("ada")
        answers = together.together(*[Ask(ada, "POST", "/v1/me/bots", {"name": "max"})] * (BOTS_MAX + 10))
        assert Counter(answer.code for answer in answers) == {"": BOTS_MAX, "too_many_bots": 10}


def has(things: list[Any], number: int) -> Callable[[], bool]:
    """Return what tells whether there are so many by now."""
    return lambda: len(things) >= number


def tokens_of(fleet: Fleet, token: str) -> list[Any]:
    """Return what is listed of a player's tokens."""
    items: list[Any] = fleet.done(token, "GET", "/v1/me/tokens")["items"]
    return items


def one_more(fleet: Fleet, token: str) -> tuple[str, str]:
    """Return the id and the text of one more token."""
    made = fleet.done(token, "POST", "/v1/me/tokens", {"name": "more"})
    return made["id"], made["token"]


def test_a_token_that_is_revoked_and_used_at_once_counts_whole_or_not_at_all(
    together: Fleet, times: Times
) -> None:
    ada, bob = together.sign_up("ada"), together.sign_up("bob")
    game = together.started(ada, bob, end={"rounds": 100}, auto_last_card=False)
    outcomes: Counter[int] = Counter()
    for number in range(times(4, 200)):
        token_id, spare = one_more(together, ada)
        decisions = together.cards((ada, bob), game)
        asks = [Ask(ada, "DELETE", f"/v1/me/tokens/{token_id}"), lay(spare, decisions[0])]
        order = 1 - 2 * (number % 2)
        revoked, laid = together.together(*asks[::order])[::order]
        assert revoked.status == 204, revoked
        assert laid.status == 200 or laid.code == "token_invalid", laid
        outcomes[laid.status] += 1
        for process in range(2):
            assert together.ask(spare, "GET", "/v1/me", process=process).code == "token_invalid"
        owed = together.owed(ada, game, wait=0)
        assert [item["key"] for item in owed] == ([] if laid.status == 200 else [decisions[0]["key"]])
        for token, decision in ((ada, decisions[0]), (bob, decisions[1])):
            assert together.together(lay(token, decision))[0].status == 200
    assert outcomes.total() == number + 1


def test_after_the_answer_to_a_revocation_no_process_takes_the_token(
    together: Fleet, times: Times, until: Until
) -> None:
    """Both processes are asked without a pause by somebody who has the token; each request says when it was begun."""
    ada = together.sign_up("ada")
    for _ in range(times(2, 30)):
        token_id, spare = one_more(together, ada)
        used: list[tuple[float, str]] = []
        is_over = Event()

        def use(process: int, spare: str = spare, used: Any = used, is_over: Event = is_over) -> None:
            while not is_over.is_set():
                begun = monotonic()
                used.append((begun, together.ask(spare, "GET", "/v1/me", process=process).code))

        threads = [Thread(target=use, args=(process,)) for process in (0, 1)]
        for thread in threads:
            thread.start()
        until(has(used, 10))
        together.done(ada, "DELETE", f"/v1/me/tokens/{token_id}")
        revoked, seen = monotonic(), len(used)
        until(has(used, seen + 10))
        is_over.set()
        for thread in threads:
            thread.join()
        assert "" in {code for _, code in used}
        assert {code for begun, code in used if begun > revoked} == {"token_invalid"}
    together.together(Ask(ada, "GET", "/v1/me"))


def test_a_token_is_replaced_without_a_gap(together: Fleet, times: Times, until: Until) -> None:
    """One client goes on asking with whatever token it was given last, while another replaces it again and again."""
    ada = together.sign_up("ada")
    given = [ada]
    refused: list[Any] = []
    asked: list[int] = []
    is_over = Event()

    def use() -> None:
        while not is_over.is_set():
            token = given[-1]
            answer = together.ask(token, "GET", "/v1/me", process=len(asked) % 2)
            if answer.status != 200:
                refused.append(answer)
            asked.append(len(given))

    thread = Thread(target=use)
    thread.start()
    for _ in range(times(3, 100)):
        old = given[-1]
        (old_id,) = [token["id"] for token in tokens_of(together, old) if token["own"]]
        given.append(one_more(together, old)[1])
        changed = len(asked)
        until(has(asked, changed + 2))  # what was begun with the old one is answered
        together.done(given[-1], "DELETE", f"/v1/me/tokens/{old_id}")
    is_over.set()
    thread.join()
    assert refused == []
    assert len(tokens_of(together, given[-1])) == 1
    together.together(Ask(given[-1], "GET", "/v1/me"))


def test_tokens_that_revoke_each_other_at_once_leave_one(together: Fleet, times: Times) -> None:
    for _ in range(times(3, 100)):
        ada = together.sign_up("ada")
        (own,) = tokens_of(together, ada)
        spare_id, spare = one_more(together, ada)
        answers = together.together(
            Ask(ada, "DELETE", f"/v1/me/tokens/{spare_id}"),
            Ask(spare, "DELETE", f"/v1/me/tokens/{own['id']}"),
        )
        assert Counter(answer.status for answer in answers)[204] == 1, answers
        assert {answer.code for answer in answers} <= {"", "last_token", "token_invalid"}
        left = ada if answers[0].status == 204 else spare
        assert len(tokens_of(together, left)) == 1


def test_tokens_that_are_made_at_once_are_not_too_many(together: Fleet, times: Times) -> None:
    for _ in range(times(1, 10)):
        ada = together.sign_up("ada")
        answers = together.together(*[Ask(ada, "POST", "/v1/me/tokens", {})] * (TOKENS_MAX + 10))
        assert Counter(answer.code for answer in answers) == {"": TOKENS_MAX - 1, "too_many_tokens": 11}
        assert len(tokens_of(together, ada)) == TOKENS_MAX

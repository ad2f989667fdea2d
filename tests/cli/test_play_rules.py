"""`take5 play` by every rule set, and with other people at the table: what is asked, what is told, what may be typed."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from engine.rulesets import RULESETS
from engine.verify import verify
from take5.client import Client, Decision
from take5.person import Person

Word = str | type[BaseException] | Callable[[], str]


def legal(decision: Decision) -> str:
    """Something legal, as one would type it."""
    match decision.kind:
        case "card" | "pick":
            return str(decision.cards[0])
        case "row":
            return f"0 {decision.rows[0][0]}"
        case "ballot":
            return "yes"


class Table:
    """A table with ada at the terminal; whoever else is a person answers when ada waits, as `others` says."""

    def __init__(self, clients: list[Client], bots: int, **options: Any) -> None:
        ada = clients[0]
        self.seats = len(clients) + bots
        self.others = clients[1:]
        self.game: str = ada.create_game(
            **{"ruleset": "classic", "seats": self.seats, "end": {"rounds": 1}, "pace": "untimed", **options}
        )["id"]
        for client in self.others:
            client.join(self.game, accept_bots=True)
        for seat in range(len(clients), self.seats):
            ada.seat_bot(self.game, seat, "random")
        ada.start(self.game)
        self.ada = ada
        self.prompts: list[str] = []
        self._words: list[Word] = []
        self._screen = io.StringIO()
        self._events = ada.events
        ada.events = self._news  # type: ignore[method-assign]  # nobody else answers while ada waits in this process

    def _news(self, game: str, after: int = 0, *, wait: int = 0) -> Any:
        for client in self.others:
            while owed := [one for one in client.decisions(game=game) if one.kind != "ballot"]:
                for decision in owed:
                    client.answer(decision, **_body(decision))
        return self._events(game, after, wait=min(wait, 1))

    def play(self, *words: Word) -> str:
        """Play while ada types these words, and from then on something legal; what was on the screen."""
        self._words = list(words)
        console = Console(file=self._screen, soft_wrap=True, highlight=False)
        Person(self.ada, self.game, console, self._typed).play()
        return self._screen.getvalue()

    def _typed(self, prompt: str) -> str:
        self.prompts.append(prompt)
        self._screen.write(prompt)
        text = self._next()
        self._screen.write(text + "\n")
        return text

    def _next(self) -> str:
        if not self._words:
            owed = sorted(self.ada.decisions(game=self.game), key=lambda one: one.kind != "ballot")
            return legal(owed[0]) if owed else "vote resume"
        word = self._words.pop(0)
        if isinstance(word, str):
            return word
        if isinstance(word, type):
            raise word
        return word()


def _body(decision: Decision) -> dict[str, Any]:
    match decision.kind:
        case "row":
            return {"row": 0, "mode": decision.rows[0][0]}
        case _:
            return {"card": decision.cards[0]}


@pytest.fixture
def table(sign_up: Callable[..., Client]) -> Callable[..., Table]:
    def sit(people: int = 1, bots: int = 2, **options: Any) -> Table:
        names = ("ada", "bob", "cleo")
        return Table([sign_up(name, "human") for name in names[:people]], bots, **options)

    return sit


@pytest.mark.parametrize("name", RULESETS)
def test_a_whole_game_of_every_rule_set_is_played_and_verifies(
    table: Callable[..., Table], name: str
) -> None:
    sat = table(ruleset=name)
    shown = sat.play()
    assert "The game is over; the lowest total wins." in shown
    hand = RULESETS[name].hand_size
    assert len(re.findall(r"^laid ", shown, re.MULTILINE)) == hand
    assert sum("lay a card" in prompt for prompt in sat.prompts) == hand - 1  # the last one lays itself
    assert verify(sat.ada.replay(sat.game).splitlines()).outcome == "ok"


def test_a_joker_may_be_appended_or_taken_and_is_asked_for_with_both(table: Callable[..., Table]) -> None:
    sat = table(ruleset="jokers")
    (decision,) = sat.ada.decisions(game=sat.game)
    joker = decision.cards[0]
    shown = sat.play("help", str(joker).lower())
    assert "`2 append`, `2 take`" in shown
    assert re.search(rf"^Your {joker} comes: .*take any row with it\.$", shown, re.MULTILINE)
    assert "choose a row (0 to 3), append or take: " in sat.prompts


def test_in_a_draft_the_open_deck_and_the_hands_are_shown_and_a_plan_is_used_up(
    table: Callable[..., Table],
) -> None:
    sat = table(bots=1, ruleset="pro")
    plan = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5"
    shown = sat.play("?", "help", "99", plan)
    assert "There is a hint for each card when you lay one" in shown
    assert "Only the cards from 1 to 24 are in play." in shown
    assert "Type one card, or several: a plan" in " ".join(shown.split())
    assert "In the deck there is no card 99." in shown
    assert "   21   22   23   24" in shown
    assert f"ada: plans to pick {plan}" in shown
    assert len([prompt for prompt in sat.prompts if prompt.startswith("pick")]) == 4  # the plan sufficed
    assert "Everybody has a hand; the 4 cards left start the rows." in shown
    assert len(re.findall(r"^pass ", shown, re.MULTILINE)) >= 10


def test_a_learning_round_tells_all_hands_and_reasons_and_then_the_game_begins(
    table: Callable[..., Table],
) -> None:
    sat = table(learning_rounds=1)
    shown = sat.play("help")
    assert "nothing counts." in shown
    log = sat.ada.events(sat.game, wait=0)["items"]
    sentences = [event["data"]["sentence"] for event in log if event["type"] == "card.explained"]
    assert sentences
    assert all(sentence in shown for sentence in sentences)
    assert "> ada" in shown
    assert re.search(r"^Learning round 1, turn 10\nrow 0 .*\n(row .*\n){3}lays ", shown, re.MULTILINE)
    assert "its bullheads are shown and do not count" in shown
    assert shown.index("do not count") < shown.index("Now the game begins") < shown.index("Round 2, turn 1")


def test_a_game_for_learning_only_has_no_winner(table: Callable[..., Table]) -> None:
    assert "nobody has won" in table(learning_rounds=1, learning_only=True).play()


def test_a_row_may_be_said_with_the_card_where_the_table_allows_it(table: Callable[..., Table]) -> None:
    sat = table(bots=1, row_policy="ahead")
    (decision,) = sat.ada.decisions(game=sat.game)
    shown = sat.play(f"{decision.cards[0]} low", "help")
    assert "`37 low` lays 37" in shown
    log = sat.ada.events(sat.game, wait=0)["items"]
    laid = next(one for one in log if one["type"] == "card.laid" and one["data"]["seat"] == 0)
    assert laid["open"]["s0"]["data"] == {"card": decision.cards[0], "if_low": "fewest_bullheads"}


def test_every_turn_has_its_heading_and_the_last_card_is_said_to_be_laid(table: Callable[..., Table]) -> None:
    sat = table()
    shown = sat.play()
    headings = re.findall(r"^Round 1, turn ([0-9]+)$", shown, re.MULTILINE)
    assert headings == [str(turn) for turn in range(1, 11)]
    last = sat.ada.call("GET", f"/v1/games/{sat.game}/decisions/r1.t10.s0.card")["answer"]["card"]
    told = f"Your last card, {last}, is laid for you."
    assert shown.index("Round 1, turn 10") < shown.index(told) < shown.rindex("laid    ")


def test_who_watches_sees_which_turn_it_is(table: Callable[..., Table]) -> None:
    shown = table().play("resign")
    assert re.findall(r"^Round 1, turn ([0-9]+)$", shown, re.MULTILINE) == [
        str(turn) for turn in range(1, 11)
    ]


def test_a_question_mark_says_what_each_card_would_do(table: Callable[..., Table]) -> None:
    sat = table()
    (decision,) = sat.ada.decisions(game=sat.game)
    shown = sat.play("?")
    told = shown.partition("lay a card: ?\n")[2].partition("lay a card: ")[0]
    assert [line.split()[0] for line in told.splitlines()] == [str(card) for card in decision.cards]
    assert all(line.endswith(".") for line in told.splitlines())


def test_a_vote_of_one_person_passes_at_once_and_a_paused_game_asks_to_go_on(
    table: Callable[..., Table],
) -> None:
    sat = table()
    shown = sat.play("vote pause", "37", "vote sleep", "vote resume", "vote redeal", "vote replace 0")
    for sentence in (
        "ada: asks the table to pause the game (vote 1)",
        "The game is paused.",
        "Type `vote resume`, or q to leave the table.",
        "There is no vote on sleep. Say what about: vote redeal, abandon, pause, resume, or replace and a seat's number.",
        "The game goes on.",
        "Round 1 is void and is dealt anew; the totals stay as they were before it.",
        "Round 1a1, turn 1",
        "You may resign your own seat at any time.",
    ):
        assert sentence in shown
    assert shown.index("The game is paused.") < shown.index("The game goes on.") < shown.index("is void")


def test_whoever_resigns_watches_to_the_end(table: Callable[..., Table]) -> None:
    sat = table()
    shown = sat.play("resign")
    assert "ada: gives the seat up, and the house plays on" in shown
    assert len(sat.prompts) == 1
    assert "The game is over; the lowest total wins." in shown


def test_somebody_else_s_vote_is_asked_before_the_card(table: Callable[..., Table]) -> None:
    sat = table(people=2, bots=1)

    def asked() -> str:
        (mine,) = sat.ada.decisions(game=sat.game)
        sat.others[0].vote(sat.game, "abandon")
        return str(mine.cards[0])

    shown = sat.play(asked, "perhaps", "no")
    assert "bob: asks the table to end the game without a winner (vote 1)" in shown
    assert re.search(r"^to end the game without a winner, yes or no, .* left: perhaps$", shown, re.MULTILINE)
    assert "Type yes or no." in shown
    assert "Vote 1, to end the game without a winner, has failed: somebody said no." in shown
    assert sat.ada.votes(sat.game)[0]["reason"] == "a_no"


def test_a_vote_that_passes_is_followed_before_anything_else_is_asked(table: Callable[..., Table]) -> None:
    sat = table(people=2, bots=1)

    def asked() -> str:
        (mine,) = sat.ada.decisions(game=sat.game)
        sat.others[0].vote(sat.game, "redeal")
        return str(mine.cards[0])

    shown = sat.play(asked, "yes")
    assert shown.index("to deal this round anew, yes or no, ") < shown.index("Round 1a1, turn 1")
    assert "This decision is over" not in shown

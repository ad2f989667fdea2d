"""A person at the terminal: what happens is told, what the person owes is asked, and what is typed is said at the table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from rich.console import Console, RenderableType
from rich.text import Text

from take5 import help as explained, open_table, pages, screen, typed, words
from take5.client import LONGEST_WAIT_S, ApiProblem, Client, Decision, Json
from take5.story import SERVED, Place, Scene, follow
from take5.timing import Until
from take5.values import printable


class Person:
    """Somebody who plays a game at the terminal."""

    def __init__(
        self, client: Client, game: str, console: Console, ask: Callable[[str], str], told: int = 0
    ) -> None:
        """Show `game` on `console`, ask `client` for news, and the person by `ask`; up to the event `told` all is known."""
        self._client = client
        self._game = game
        self._console = console
        self._ask = ask
        self._told = told
        self._scene: Scene | None = None
        self._around: list[Scene] = []
        """Picks, or cards laid openly, that are told in one line with those that follow."""
        self._is_talking = False
        """Whether what was told last was said beside the play."""
        self._you: int | None = None
        self._is_away = False
        self._headed: Place | None = None
        """The turn whose rows were shown last."""

    def play(self) -> None:
        """Play until the game is over; raises Left, EOFError and what the client raises."""
        game = self._client.game(self._game)
        self._you = game["you"]
        self._is_away = self._you is not None and game["seats"][self._you]["controller"] == "policy"
        wait = LONGEST_WAIT_S
        while True:
            scene = self._look(wait)
            if scene.is_over:
                return
            wait = 0 if self._turn(scene) else LONGEST_WAIT_S

    def _look(self, wait: int) -> Scene:
        """The table after everything that has happened, which is told."""
        scene = self._scene
        for event in self._client.events(self._game, scene.seq if scene else 0, wait=wait)["items"]:
            self._scene = scene = follow(scene, event)
            if scene.seq <= self._told:
                continue
            self._tell(scene)
            if self._you is not None and scene.data.get("seat") == self._you:
                self._tell_you(scene, self._you)
        if scene is None:
            raise AssertionError("a game has a first event")
        return scene

    def _turn(self, scene: Scene) -> bool:
        """Ask for what the person owes; whether to look again at once, and not only when something happens."""
        owed = sorted(self._client.decisions(game=self._game), key=lambda one: one.kind != "ballot")
        for decision in owed:
            if decision.view["seq"] > scene.seq:
                return True  # what led to the decision is shown before it is asked
            if not {*(decision.view.get("plan") or ())}.isdisjoint(decision.cards):
                continue  # the plan is about to answer it
            self._tell_around()
            self._answer(scene, decision)
            return True  # whatever was said may have changed what is owed
        if scene.is_paused and not scene.is_voting and not owed and self._is_seated():
            self._asked("`vote resume` goes on", typed.only("Type `vote resume`, or q to leave the table."))
            return True
        if self._is_away and not owed:
            if self._client.events(self._game, scene.seq)["items"]:
                return True  # perhaps the way back, or the end
            self._asked(
                "you are away: `back` returns you, Enter only looks on",
                typed.only("Type `back` to play on yourself, Enter to look on, or q to leave the table."),
                is_looking=True,
            )
            return True
        return False

    def _is_seated(self) -> bool:
        return self._client.game(self._game)["you"] is not None

    def _answer(self, scene: Scene, decision: Decision) -> None:
        answer = self.answer(scene, decision)
        if answer is None:
            return
        try:
            self._client.answer(decision, **answer)
        except ApiProblem as problem:
            if self._was_served(decision):
                with suppress(ApiProblem):  # whoever answers is there, also when it is too late
                    self._client.back(self._game)
            else:
                self._print(printable(problem.detail, 500))

    def _was_served(self, decision: Decision) -> bool:
        """Whether the service has answered in the person's place, as the events are about to tell."""
        shown = self._client.call("GET", f"/v1/games/{self._game}/decisions/{decision.key}")
        return shown["answered_by"] in SERVED

    def answer(self, scene: Scene, decision: Decision) -> Json | None:
        """What the person answers to a decision; None when something else was said that may have changed it."""
        match decision.kind:
            case "card":
                return self._card(scene, decision)
            case "row":
                return self._row(scene, decision)
            case "pick":
                return self._pick(scene, decision)
            case "ballot":
                self._print("")
                return self._asked(f"to {words.about(scene)}, yes or no", typed.ballot_answer, decision)

    def _card(self, scene: Scene, decision: Decision) -> Json | None:
        view = decision.view
        self._head(scene)
        self._print(screen.score_line(scene))
        if scene.is_open:
            self._print("", open_table.open_hands(scene, view["you"]))
        else:
            self._print(Text.assemble("your hand  ", screen.cards_text(decision.cards)))
        ahead: bool = view["rules"].get("if_low", False)
        return self._asked(
            "lay a card", lambda text: typed.card_answer(text, decision.cards, ahead=ahead), decision
        )

    def _row(self, scene: Scene, decision: Decision) -> Json | None:
        pending, last = decision.view["pending"], len(decision.rows) - 1
        self._print("", screen.row_lines(scene))
        if pending.get("why") == "joker":
            joined = [str(row) for row, modes in enumerate(decision.rows) if "append" in modes]
            where = f"append it to row {_either(joined)}, or " if joined else ""
            self._print(Text(f"Your {pending['card']} comes: {where}take any row with it."))
            prompt = f"choose a row (0 to {last}), append or take"
        else:
            self._print(Text(f"Your {pending['card']} fits nowhere."))
            prompt = f"take a row (0 to {last})"
        return self._asked(prompt, lambda text: typed.row_answer(text, decision.rows), decision)

    def _pick(self, scene: Scene, decision: Decision) -> Json | None:
        self._print("", screen.heading(scene), open_table.Deck(scene), "", open_table.picked_lines(scene))
        return self._asked(
            "pick a card, or several as a plan",
            lambda text: typed.pick_answer(text, decision.cards),
            decision,
        )

    def _asked(
        self,
        prompt: str,
        understood: Callable[[str], Json],
        decision: Decision | None = None,
        *,
        is_looking: bool = False,
    ) -> Json | None:
        """The answer that the person types, asked for until there is one.

        None when a word was said to the table, when the time was up meanwhile, or when nothing was typed by somebody who
        only looks on.
        """
        until = Until(decision.left_s if decision else None)
        while True:
            text = self._ask(f"{prompt}{until}: ").strip()
            try:
                match typed.word(text):
                    case "help":
                        self._print(explained.text(self._options()))
                    case "hints":
                        self._hint(decision)
                    case "resign" | "back" | typed.Vote() as said:
                        self._say(said)
                        return None
                    case None if text:
                        return understood(text)
                    case None:
                        pass
            except typed.NotUnderstood as not_understood:
                self._print(printable(str(not_understood), 200))
            if until.is_up or (is_looking and not text):
                return None

    def _say(self, said: typed.Vote | Literal["resign", "back"]) -> None:
        match said:
            case "resign":
                self._try(lambda: self._client.resign(self._game))
            case "back":
                self._try(lambda: self._client.back(self._game))
            case typed.Vote():
                self._try(lambda: self._client.vote(self._game, said.kind, said.seat))

    def _try(self, command: Callable[[], object]) -> None:
        """Do what may be refused, as what comes late is, or was answered elsewhere: the events say what happened instead."""
        try:
            command()
        except ApiProblem as problem:
            self._print(printable(problem.detail, 500))

    def _hint(self, decision: Decision | None) -> None:
        if decision is None or decision.kind != "card":
            self._print("There is a hint for each card when you lay one; `help` explains the game.")
        else:
            self._try(lambda: self._print(*map(open_table.hinted, self._client.hints(self._game))))

    def _options(self) -> dict[str, Any]:
        return self._scene.options if self._scene else {}

    def _tell(self, scene: Scene) -> None:
        if pages.is_around(scene):
            if scene.event["by"]["kind"] == "policy" and scene.place != self._headed and scene.is_open:
                self._head(scene)  # of the last turn, in which nobody is asked
            self._around.append(scene)
            if pages.completes(scene):
                self._tell_around()
            return
        match scene.kind:
            case "round.dealt" if scene.is_open:
                self._tell_around("", screen.heading(scene), pages.happened(scene))
            case "round.dealt" if (
                scene.place.round > 1 and scene.options.get("learning_rounds") == scene.place.round - 1
            ):
                self._tell_around(
                    "", Text("Now the game begins: hands are hidden, and everybody has 0.", "bold")
                )
            case "draft.opened":
                self._tell_around("", pages.happened(scene))
            case "draft.closed":
                self._tell_around(pages.happened(scene))
            case "draft.planned" if scene.event.get("open"):
                self._tell_around(open_table.plan_line(scene))
            case "turn.revealed":
                self._tell_around()
                if scene.place != self._headed and not scene.is_open:
                    self._head(scene)  # nobody was asked in this turn
                self._print("", screen.laid_line(scene))
            case "card.explained":
                self._tell_around(open_table.reason(scene))
            case "card.placed":
                self._tell_around(screen.placed_line(scene))
            case "round.scored" | "game.finished":
                self._tell_around("", pages.happened(scene))
            case _ if words.said(scene):
                self._tell_around(*[""] * (not self._is_talking), pages.happened(scene))
                self._is_talking = True

    def _head(self, scene: Scene) -> None:
        """Show where in the game we are, and the rows of this turn."""
        self._headed = scene.place
        self._print("", screen.heading(scene), screen.row_lines(scene))

    def _tell_you(self, scene: Scene, you: int) -> None:
        """Tell what the service does in the person's place, and how to come back."""
        match scene.kind:
            case "card.laid" | "row.chosen" | "draft.picked" if scene.event["by"]["kind"] in SERVED:
                self._tell_around(words.served(scene, you))
            case "card.laid" if scene.event["by"]["kind"] == "policy" and not scene.is_open:
                self._tell_around()
                self._head(scene)
                self._print(words.last_card(scene, you))
            case "seat.away":
                self._is_away = True
                self._tell_around("Any answer brings you back, and so does `back`.")
            case "seat.returned" | "seat.resigned" | "seat.replaced":
                self._is_away = False
            case _:
                pass

    def _tell_around(self, *things: RenderableType) -> None:
        """Tell what was gathered, then these things."""
        if self._around:
            self._print(open_table.around_line(self._around))
            self._around.clear()
        self._print(*things)

    def _print(self, *things: RenderableType) -> None:
        self._is_talking = False
        for thing in things:
            # Plain words are other people's as well: nothing in them is markup.
            self._console.print(Text(thing) if isinstance(thing, str) else thing)


def _either(words: list[str]) -> str:
    """Words to choose from, as in "1, 2 or 3"."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)

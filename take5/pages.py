"""Scenes of a game as pages to step through, and as one text to be written to a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.text import Text

from take5 import open_table, screen, words
from take5.story import Scene
from take5.values import printable

_STEPS: Final = frozenset(
    {
        "round.dealt",
        "draft.opened",
        "draft.planned",
        "draft.picked",
        "draft.closed",
        "turn.revealed",
        "card.placed",
        "round.scored",
    }
)
_DEALT: Final = frozenset({"round.dealt", "draft.closed"})
_CARDS_LIE: Final = frozenset({"turn.revealed", "card.placed"})


def steps_of(told: Iterable[Scene]) -> list[Scene]:
    """The scenes that are shown as a step each: at which the table looks different, or somebody says something."""
    return [scene for scene in told if _is_step(scene)]


def _is_step(scene: Scene) -> bool:
    return scene.kind in _STEPS or is_around(scene) or words.said(scene) is not None


def page(scene: Scene, why: Scene | None, hands: Sequence[int]) -> RenderableType:
    """One step: where we are, what lies on the table, what has just happened, the scores.

    `why` is the scene in which the card that was placed is explained, at an open table; `hands` are the seats whose hands
    are shown.
    """
    placed = scene.data["card"] if scene.kind in ("card.placed", "draft.picked") else None
    parts: list[RenderableType] = [screen.heading(scene), ""]
    if scene.order:
        parts += [open_table.Deck(scene, placed), "", open_table.picked_lines(scene), ""]
    if scene.rows:
        parts += [screen.row_lines(scene, placed), ""]
    if scene.plays and scene.kind in _CARDS_LIE:
        parts += [screen.laid_line(scene), ""]
    lies_open = scene.is_open and scene.kind in ("round.dealt", "card.laid")
    if lies_open:
        parts += [open_table.open_hands(scene), ""]
    if why:
        parts.append(open_table.reason(why))
    parts.append(happened(scene))
    if scene.rows and scene.kind not in ("round.scored", "game.finished"):
        shown = hands and not lies_open
        parts += ["", screen.score_table(scene, hands) if shown else screen.score_line(scene)]
    return Group(*parts)


def happened(scene: Scene) -> RenderableType:
    """What the scene's event has changed."""
    match scene.kind:
        case "round.dealt":
            return Text(
                "The cards are dealt." + " They lie open: this round is for learning." * scene.is_open
            )
        case "draft.opened":
            order = ", ".join(scene.name(seat) for seat in scene.order)
            return Text(f"The deck lies open. Each picks a card in turn: {order}, and around again.")
        case "draft.planned":
            return open_table.plan_line(scene)
        case "draft.picked":
            return open_table.pick_line(scene)
        case "draft.closed":
            return Text(f"Everybody has a hand; the {len(scene.rows)} cards left start the rows.")
        case "card.laid":
            return open_table.lays_line(scene)
        case "turn.revealed":
            return Text("The cards are turned up." if not scene.is_open else "Everybody has laid a card.")
        case "card.placed":
            return screen.placed_line(scene)
        case "round.scored":
            return Group(Text(words.counted(scene), "bold"), "", screen.round_table(scene))
        case "game.finished" if scene.data["standings"]:
            return Group(Text(words.said(scene) or "", "bold"), "", screen.standings_table(scene))
        case "game.finished" | "game.abandoned":
            return Text(words.said(scene) or "", "bold")
        case _:
            return Text(words.said(scene) or "", "italic")


def write(console: Console, told: Sequence[Scene], steps: Sequence[Scene], hands: Sequence[int]) -> None:
    """Write steps one below the other, as for a file: of each turn the rows before it, the cards, where they went."""
    console.print(title(told[-1]))
    reasons = reasons_of(told)
    played = {scene.place[:2] for scene in steps if scene.place.turn}
    around: list[Scene] = []
    before: Scene | None = None
    for scene in steps:
        if is_around(scene):
            if scene.kind == "card.laid" and len(scene.laid) == 1:
                console.print("", screen.heading(scene), screen.row_lines(scene), sep="\n")
            around.append(scene)
        else:
            _write_around(console, around)
            if scene.kind in _DEALT and scene.place[:2] not in played:
                console.print("", page(scene, None, hands), sep="\n")  # no turn follows that shows the rows
            else:
                _write_step(console, scene, before, reasons.get(scene.seq), hands)
        if completes(scene):
            _write_around(console, around)
        before = scene
    _write_around(console, around)
    if not told[-1].is_over:
        console.print(Text("\nThe game goes on where this file ends.", "dim"))


def reasons_of(told: Iterable[Scene]) -> dict[int, Scene]:
    """By the number of the event that placed a card at an open table: the scene in which that is explained."""
    found: dict[int, Scene] = {}
    newest: Scene | None = None
    for scene in told:
        if scene.kind == "card.explained":
            newest = scene
        elif scene.kind == "card.placed" and newest:
            found[scene.seq], newest = newest, None
    return found


def is_around(scene: Scene) -> bool:
    """Whether the step stands in a line with those of the other seats: a pick, or a card laid openly."""
    return scene.kind == "draft.picked" or (scene.kind == "card.laid" and scene.is_open)


def completes(scene: Scene) -> bool:
    """Whether the step is the last in such a line."""
    if scene.kind == "draft.picked":
        return scene.place.picks % len(scene.order) == 0
    return len(scene.laid) == len(scene.names)


def _write_around(console: Console, around: list[Scene]) -> None:
    if around:
        console.print(open_table.around_line(around))
        around.clear()


def _write_step(
    console: Console, scene: Scene, before: Scene | None, why: Scene | None, hands: Sequence[int]
) -> None:
    heading = screen.heading(scene)
    match scene.kind:
        case "round.dealt" | "draft.opened":
            underlined = Text(heading.plain.removesuffix(", draft"), "bold underline")
            console.print("", underlined, sep="\n")
            if scene.order:
                console.print(happened(scene), open_table.Deck(scene), "", sep="\n")
            elif scene.is_open:
                console.print(happened(scene), "", open_table.open_hands(scene), sep="\n")
            elif hands:
                console.print(screen.score_table(scene, hands))
        case "draft.closed":
            console.print(happened(scene))
            if hands:
                console.print(screen.score_table(scene, hands))
        case "turn.revealed":
            if not scene.is_open:
                console.print("", heading, screen.row_lines(scene), sep="\n")
            console.print(*screen.hand_lines(scene, hands), screen.laid_line(scene), sep="\n")
        case "card.placed" | "draft.planned":
            reason = [open_table.reason(why)] if why else []
            console.print(*reason, happened(scene), sep="\n")
        case _ if before and words.said(scene) and words.said(before):
            console.print(happened(scene))
        case _:
            console.print("", happened(scene), sep="\n")


def title(scene: Scene) -> Text:
    """The game, its rules and who sits at it."""
    names = " · ".join(scene.name(seat) for seat in range(len(scene.names)))
    game, rules = printable(str(scene.event.get("game"))), printable(str(scene.options.get("ruleset")))
    return Text.assemble((game, "bold"), f"  {rules}, {aim(scene.options)}\n{names}")


def aim(options: dict[str, object]) -> str:
    """When a game of these options ends."""
    learning = options.get("learning_rounds")
    rounds = ""
    if isinstance(learning, int) and learning:
        rounds = "1 learning round" if learning == 1 else f"{learning} learning rounds"
    if options.get("learning_only") is True:
        return f"{rounds} only"
    end = _end(options.get("end"))
    return f"{rounds}, then {end}" if rounds else end


def _end(end: object) -> str:
    match end:
        case {"rounds": int(rounds)}:
            return "1 round" if rounds == 1 else f"{rounds} rounds"
        case {"points": int(points), "when": "exceeded"}:
            return f"past {screen.heads(points)}"
        case {"points": int(points)}:
            return f"to {screen.heads(points)}"
        case _:
            return "to an end unknown here"

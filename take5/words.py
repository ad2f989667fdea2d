"""What is said at a table beside the play, in sentences: votes, absences, pauses, void rounds, plans, and the end."""

from __future__ import annotations

from typing import Any, Final

from take5.story import Scene
from take5.values import printable

_ABOUT: Final = {
    "redeal": "deal this round anew",
    "abandon": "end the game without a winner",
    "pause": "pause the game",
    "resume": "go on with the game",
    "replace": "let the house play for {name}",
}
_FAILED: Final = {
    "a_no": "somebody said no",
    "time_up": "not everybody said yes in time",
    "moot": "there is nothing left to vote on",
}
_ENDED: Final = {
    "host_closed": "its host closed the table",
    "not_begun": "nobody began it for a day",
    "operator": "the operator of the service ended it",
    "vote": "the table agreed on it",
}
_AWAY: Final = {
    "asked": "steps away, and is played for until coming back",
    "timeouts": "has been late too often, and is played for until coming back",
}


def said(scene: Scene) -> str | None:
    """The sentence for the scene's event; None for one that says nothing beside the play."""
    data = scene.data
    who = scene.name(data["seat"]) if "seat" in data else ""
    match scene.kind:
        case "vote.opened":
            return f"{who}: asks the table to {about(scene)} (vote {data['vote']})"
        case "vote.cast":
            if scene.vote and data["seat"] == scene.vote["seat"]:
                return None  # whoever asks has said yes
            return f"{who}: {data['choice']}"
        case "vote.closed":
            if data["passed"]:
                return f"Everybody has said yes to vote {data['vote']}, to {about(scene)}."
            why = _FAILED.get(data["reason"], printable(str(data["reason"])))
            return f"Vote {data['vote']}, to {about(scene)}, has failed: {why}."
        case "game.paused":
            return "The game is paused."
        case "game.resumed":
            return "The game goes on."
        case "round.voided":
            return f"Round {scene.place.round} is void and is dealt anew; the totals stay as they were before it."
        case "seat.away":
            return f"{who}: {_AWAY.get(data['why'], 'is away')}"
        case "seat.returned":
            return f"{who}: is back"
        case "seat.resigned":
            return f"{who}: gives the seat up, and the house plays on"
        case "seat.replaced":
            return f"The house plays on for {who}."
        case "game.abandoned":
            reason = printable(str(data.get("reason")))
            return f"The game was abandoned: {_ENDED.get(reason, reason)}."
        case "game.finished" if not data["standings"]:
            return "The learning game is over; nothing of it counts, so nobody has won."
        case "game.finished":
            return "The game is over; the lowest total wins."
        case _:
            return None


def served(scene: Scene, you: int) -> str:
    """What the service has answered in your place, and why."""
    data = scene.data
    match scene.kind:
        case "row.chosen":
            did = f"chose row {data['row']}"
        case "draft.picked":
            did = f"picked {data['card']}"
        case _:
            did = f"laid {_laid(scene, you)}"
    why = "You are away" if scene.event["by"]["kind"] == "away" else "Too late"
    return f"{why}: the service {did} for you."


def last_card(scene: Scene, you: int) -> str:
    """That the last card of a hand is laid, since nothing is left to choose."""
    return f"Your last card, {_laid(scene, you)}, is laid for you."


def _laid(scene: Scene, you: int) -> Any:
    return scene.event["open"][f"s{you}"]["data"]["card"]


def about(scene: Scene) -> str:
    """What the newest vote asks for, as in "to pause the game"."""
    vote = scene.vote or scene.data
    kind, target = str(vote["kind"]), vote.get("target")
    name = "a seat" if target is None else scene.name(target)
    return _ABOUT.get(kind, printable(kind)).format(name=name)


def counted(scene: Scene) -> str:
    """What a round's count means for the totals."""
    if scene.is_open:
        return "The learning round is over; its bullheads are shown and do not count."
    return f"Round {scene.place.round} is over."

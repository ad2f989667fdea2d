"""What must be true of a played game, whatever happened to the service meanwhile."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from engine.compact import read
from engine.decisions import Key
from engine.log import Envelope, Live, fold_log
from engine.replay import frames, rebuild, steps
from engine.verify import verify
from service.store import codec
from service.store.play import Play
from tests.e2e.people import Answered, Party


def faults(play: Play, party: Party, snapshots: dict[int, bytes]) -> list[str]:
    """What is wrong with a finished game: its log, every snapshot it ever had (by seq), receipts and files."""
    log, client = play.log(party.game), party.clients[0]
    return [
        f"{party.game}: {fault}"
        for fault in (
            *_order_faults(log),
            *_turn_faults(log),
            *_snapshot_faults(log, snapshots, play.live(party.game)),
            *_receipt_faults(log, party.answered),
            *file_faults(log, client.replay(party.game), client.replay(party.game, "replay")),
        )
    ]


def _order_faults(log: list[Envelope]) -> Iterator[str]:
    if [envelope["seq"] for envelope in log] != list(range(1, len(log) + 1)):
        yield "the events are not numbered without gaps"
    types = [envelope["type"] for envelope in log]
    ends = [kind for kind in types[-3:] if kind != "vote.closed"]  # one that was open becomes moot
    if ends[-2:] != ["game.finished", "game.sealed"]:
        yield f"it ends with {types[-3:]}"


def _turn_faults(log: list[Envelope]) -> Iterator[str]:
    """What does not stand as often as it must in each turn of each deal that was played out."""
    game = fold_log(log).game
    seats, rules = len(game.seats), game.rules
    for deal in _deals(log):
        table, kinds = deal[0]["data"]["table"], Counter(one["type"] for one in deal)
        if kinds["round.voided"]:
            continue
        name = f"round {deal[0]['round']}, attempt {deal[0]['data']['attempt']}"
        wanted = dict.fromkeys(("turn.opened", "turn.revealed", "turn.closed"), 1) | dict.fromkeys(
            ("card.laid", "card.placed"), seats
        )
        wanted |= dict.fromkeys(("seat.called", "card.explained"), seats if table == "open" else 0)
        for kind, times in wanted.items():
            counted = Counter(one["turn"] for one in deal if one["type"] == kind)
            if counted != Counter({turn: times for turn in range(1, rules.hand_size + 1) if times}):
                yield f"in {name} {kind} does not stand {times} times in every turn"
        if kinds["row.requested"] != kinds["row.chosen"]:
            yield f"in {name} not every row was chosen once"
        if kinds["draft.picked"] != (rules.dealt * seats if rules.drafts else 0):
            yield f"in {name} there were {kinds['draft.picked']} picks"


def _deals(log: list[Envelope]) -> list[list[Envelope]]:
    """The events of each deal, from round.started on."""
    deals: list[list[Envelope]] = []
    for envelope in log:
        if envelope["type"] == "round.started":
            deals.append([])
        if deals:
            deals[-1].append(envelope)
    return deals


def _snapshot_faults(log: list[Envelope], snapshots: dict[int, bytes], live: Live) -> Iterator[str]:
    state: Live | None = None
    for envelope in log:
        state = fold_log([envelope], state)
        snapshot = snapshots.get(state.game.seq)
        if snapshot is not None and codec.read_snapshot(snapshot) != state:
            yield f"the snapshot at {state.game.seq} is not what the log folds to"
    if live != state:
        yield "the live game is not what the log folds to"


def _receipt_faults(log: list[Envelope], answered: Iterable[Answered]) -> Iterator[str]:
    for one in answered:
        seq, key = one.receipt["seq"], Key.parse(one.key)
        event = log[seq - 1] if seq <= len(log) else None
        if key is None or event is None or not _is_of(key, event):
            yield f"the receipt of {one.key} names event {seq}, which is another"
            continue
        opened = [part["data"] for part in event["open"].values()]
        stands = event["data"] | (opened[0] if opened else {})
        if any(stands.get(name) != value for name, value in one.answer.items()):
            yield f"{one.key} was acknowledged as {one.answer} and stands as {stands}"


def _is_of(key: Key, event: Envelope) -> bool:
    """Whether an event can hold the answer to a decision; a plan may be older than the pick it was given for."""
    kinds = {
        "card": {"card.laid"},
        "row": {"row.chosen"},
        "pick": {"draft.picked", "draft.planned"},
        "ballot": {"vote.cast"},
    }
    if event["type"] not in kinds[key.kind] or event["data"]["seat"] != key.seat:
        return False
    if key.kind == "ballot":
        return bool(event["data"]["vote"] == key.number)
    return bool(event["round"] == key.round and (key.kind == "pick" or event["turn"] == key.number))


def file_faults(log: list[Envelope], events: bytes, replay: bytes) -> Iterator[str]:
    """What is wrong with a finished game's two files, as they were downloaded."""
    for check in verify(events.splitlines()).checks:
        if check.outcome != "ok":
            yield f"{check.name} of the file is {check.outcome} at {check.seq}: {check.detail}"
    start = next(envelope["seq"] for envelope in log if envelope["type"] == "game.started")
    rebuilt = map(_but_head, frames(rebuild(read(json.loads(replay))), "all"))
    if list(rebuilt) != list(map(_but_head, frames(steps(log), "all", first=start))):
        yield "the frames rebuilt from the compact replay are not those of the log"


def _but_head(frame: dict[str, Any]) -> dict[str, Any]:
    """A frame without the one thing that a compact replay cannot know: the hash of its event."""
    return frame | {"view": frame["view"] | {"head": ""}}


def snapshots_ever(data: Path) -> dict[str, dict[int, bytes]]:
    """Every snapshot that the store under `data` ever wrote, by game and seq, from its append-only file."""
    found: defaultdict[str, dict[int, bytes]] = defaultdict(dict)
    for file in sorted((data / "games" / "log").glob("*.incr.aof")):
        with file.open("rb") as lines:
            for command in _commands(lines):
                if command[0].upper() == b"HSET" and command[1].endswith(b":snapshot"):
                    fields = dict(zip(command[2::2], command[3::2], strict=True))
                    game = command[1].split(b":")[-2].decode()
                    found[game][int(fields[b"seq"])] = fields[b"state"]
    return found


def _commands(lines: BinaryIO) -> Iterator[list[bytes]]:
    """The commands of an append-only file; the last one may be cut off."""
    while head := lines.readline():
        if head.startswith(b"#"):  # an annotation
            continue
        command = []
        for _ in range(int(head[1:])):
            size = int(lines.readline()[1:] or b"0")
            command.append(lines.read(size + 2)[:-2])
        yield command

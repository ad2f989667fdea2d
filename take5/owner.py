"""What a player owns: tokens, and bots with tokens of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from take5.calling import Caller, Json


class Owner(Caller):
    """A player who looks after tokens and bots; one that is made is shown with its `token` this once."""

    def tokens(self) -> Iterator[Json]:
        """What can be shown of each of your tokens, oldest first; `own` is the one you ask with."""
        return self._listed("/v1/me/tokens")

    def create_token(self, name: str = "token") -> Json:
        """One more token of yours, for another device or to replace one."""
        return self.call("POST", "/v1/me/tokens", {"name": name})

    def revoke_token(self, token: str, *, own: bool = False) -> None:
        """End one of your tokens, named by its `id`; with `own` also the one you ask with."""
        self.call("DELETE", f"/v1/me/tokens/{token}", query={"own": "true"} if own else None)

    def bots(self) -> Iterator[Json]:
        """Your bots, oldest first."""
        return self._listed("/v1/me/bots")

    def create_bot(self, name: str, **wishes: Any) -> Json:
        """`{player, token}` of a new bot of yours; wishes are `max_concurrent` and `invitations`."""
        return self.call("POST", "/v1/me/bots", {"name": name, **wishes})

    def give_up_bot(self, bot: str) -> None:
        """Give a bot up: its tokens end at once, and in games that it plays the clock answers for it."""
        self.call("DELETE", f"/v1/me/bots/{bot}")

    def bot_tokens(self, bot: str) -> Iterator[Json]:
        """What can be shown of each token of a bot of yours, oldest first."""
        return self._listed(f"/v1/me/bots/{bot}/tokens")

    def create_bot_token(self, bot: str, name: str = "token") -> Json:
        """One more token of a bot of yours, to replace one or because all are lost."""
        return self.call("POST", f"/v1/me/bots/{bot}/tokens", {"name": name})

    def revoke_bot_token(self, bot: str, token: str) -> None:
        """End a token of a bot of yours, named by its `id`; also the last."""
        self.call("DELETE", f"/v1/me/bots/{bot}/tokens/{token}")

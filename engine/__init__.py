"""The rules of Take 5 / 6 nimmt! as pure functions on frozen values: no clock, no chance, no input or output."""

from typing import Final

__version__: Final = "1.0"
"""The version of the rules, as it stands in every log; a change that decides anything differently raises it."""

"""Write every playthrough anew."""

from tests.playthroughs.games import PLAYTHROUGHS
from tests.playthroughs.script import told

if __name__ == "__main__":
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(told(playthrough))

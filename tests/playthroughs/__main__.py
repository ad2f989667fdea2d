"""Write every playthrough anew."""

from tests.playthroughs.script import PLAYTHROUGHS, told

if __name__ == "__main__":
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(told(playthrough))

"""What the service keeps: games, players, repeated answers, wake-ups; no HTTP and no rules in here."""

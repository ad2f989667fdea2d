"""The game service: the HTTP API and the store it shares with the worker."""

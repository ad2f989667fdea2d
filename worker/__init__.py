"""The workers: they resolve turns, play house bots and keep the deadlines."""

"""What bodies and arguments look like, for loading them strictly and for the published document."""

"""The public face: the command line, a client and a kit for bots."""

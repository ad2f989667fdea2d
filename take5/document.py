"""`take5 openapi`: the published document of the API, made from the routes."""

from __future__ import annotations

import click

from service.app import published


@click.command("openapi")
def openapi() -> None:
    """Print the OpenAPI document of the API."""
    click.echo(published(), nl=False)

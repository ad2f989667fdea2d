"""The application: Flask with our blueprints, checks, headers and answers, and nothing kept outside of it."""

from __future__ import annotations

import json

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import limiting, openapi
from service.api import BLUEPRINTS, docs
from service.http import errors, guard, headers, logs
from service.services import Services, in_memory


def create_app(services: Services) -> Flask:
    """Return the WSGI application that serves the whole API with these services.

    Any number of applications may live in one process.  For production: `create_app(connect(config))`, after forking.
    """
    app = Flask("service", static_folder=None)
    app.config.update(
        # Of a chunked body this much is read: one byte more than we take, to see that there is more.
        MAX_CONTENT_LENGTH=services.config.body_limit_bytes + 1,
        PROPAGATE_EXCEPTIONS=False,
        **openapi.settings(),
    )
    app.url_map.merge_slashes = False  # a redirect would turn a PUT into somebody's GET
    app.extensions["take5"] = services
    app.wsgi_app = headers.with_constants(app.wsgi_app)  # type: ignore[assignment, method-assign]  # Flask's own advice
    if services.config.trusted_proxies:
        # Of the addresses a proxy hands on we believe those that the proxies we know of have added.
        proxied = ProxyFix(app.wsgi_app, x_for=services.config.trusted_proxies, x_proto=0, x_host=0)
        app.wsgi_app = proxied  # type: ignore[method-assign]  # Flask's own advice

    app.before_request(logs.start_clock)
    app.before_request(headers.answer_options)
    app.before_request(limiting.begin)
    app.before_request(guard.check_request)
    app.after_request(limiting.end)
    app.after_request(headers.add_headers)
    app.after_request(logs.log_request)  # Flask runs the last one first
    app.teardown_request(limiting.give_up)
    app.teardown_request(logs.forget)

    api = openapi.Api(app)
    openapi.prepare(api)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint)
    app.register_blueprint(docs.pages)
    errors.register(app)
    return app


def published() -> str:
    """Return the document of the API as it is committed: indented JSON with a newline at its end."""
    return json.dumps(openapi.document(create_app(in_memory())), indent=2, ensure_ascii=False) + "\n"

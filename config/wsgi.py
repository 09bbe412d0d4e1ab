"""The WSGI application that gunicorn serves (never with --preload: see core.dynamo.connection)."""

import gc
import os

# What is imported stays: to look for garbage in it meanwhile takes a sixth of the start.
gc.disable()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from config.backlog import Backlog  # noqa: E402

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = Backlog(get_wsgi_application())
# Now rather than with the first request.
get_resolver().url_patterns  # noqa: B018

# Nor is it looked through later: each page is 5 % faster.
gc.freeze()
gc.enable()

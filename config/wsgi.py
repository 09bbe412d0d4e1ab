"""The WSGI application that gunicorn serves (never with --preload: see core.dynamo.connection)."""

import gc
import os

# Imported modules are never freed: garbage collection during the imports takes a sixth of the start.
gc.disable()

from django.core.signals import request_finished, request_started  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import close_old_connections, reset_queries  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from config.backlog import Backlog  # noqa: E402

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = Backlog(get_wsgi_application())
# There is no relational database whose connections Django would look after with each request.
request_started.disconnect(reset_queries)
request_started.disconnect(close_old_connections)
request_finished.disconnect(close_old_connections)
# Load the URLconf now rather than at the first request.
get_resolver().url_patterns  # noqa: B018

# Excluded from later collections as well, which makes each page 5 % faster.
gc.freeze()
gc.enable()

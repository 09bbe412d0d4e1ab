"""Settings, root URLconf, WSGI application, middleware and local engines."""

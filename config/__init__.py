"""Settings, URL root, WSGI and middleware order: wiring only, no rules."""

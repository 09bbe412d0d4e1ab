"""Webhooks: addresses of other programs, which are told about kinds of changes: docs/webhooks.md."""

"""The JSON API over the services of the domains; its modules are imported with the first request to it."""

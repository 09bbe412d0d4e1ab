"""A part of the URLconf whose module is imported with the first request to it."""

from django.urls import URLResolver
from django.urls.resolvers import RoutePattern


class LazyInclude(URLResolver):
    """Replaces `path(route, include(module))`, which imports the module with the URLconf.

    Its addresses are reversed with its namespace: `reverse("api:openapi")`.
    """

    def __init__(self, route: str, module: str, *, namespace: str) -> None:
        super().__init__(RoutePattern(route), module, app_name=namespace, namespace=namespace)

    def _populate(self) -> None:
        """Nothing: the first `reverse` of any address would import the module."""

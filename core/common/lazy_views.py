"""Lazy views for a URLconf: their modules are imported at the first request."""

from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string


class LazyView:
    """A proxy of a view function or class; other attributes, such as its rights, come from the view."""

    def __init__(self, module: str, name: str) -> None:
        # Django names a view by these; they are set without importing it.
        self.__module__, self.__name__, self.__qualname__ = module, name, name

    @cached_property
    def view(self) -> Any:
        found = import_string(f"{self.__module__}.{self.__name__}")
        return found.as_view() if hasattr(found, "as_view") else found

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase = self.view(request, *args, **kwargs)
        return response

    def __getattr__(self, name: str) -> Any:
        # The first `reverse` reads this from every view, which must not import them all.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.view, name)


class LazyViews:
    """Replaces `from app.views import games` in a URLconf: each attribute is a `LazyView` of that module."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> LazyView:
        return LazyView(self._module, name)

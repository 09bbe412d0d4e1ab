"""Lazy views for a URLconf: their modules are imported at the first request."""

from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string


class LazyView:
    """A proxy of a view function or class; other attributes, such as its rights, come from the view."""

    def __init__(self, module: str, name: str) -> None:
        # By these Django names a view, and need not import it to know them.
        self.__module__, self.__name__, self.__qualname__ = module, name, name

    @cached_property
    def view(self) -> Any:
        found = import_string(f"{self.__module__}.{self.__name__}")
        return found.as_view() if hasattr(found, "as_view") else found

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response: HttpResponseBase = self.view(request, *args, **kwargs)
        return response

    def __getattr__(self, name: str) -> Any:
        # The first `reverse` asks every view whether it is made of a class.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.view, name)


class LazyViews:
    """In a URLconf, in place of `from app.views import games`: each attribute is a view of that module."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> LazyView:
        return LazyView(self._module, name)

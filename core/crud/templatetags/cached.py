"""A template tag that caches a part of a template."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language

register = template.Library()
MOST_CACHED = 256


@register.tag
def cached(parser: Parser, token: Token) -> "CachedNode":
    """`{% cached name=value … %}…{% endcached %}`: once for each language, time zone and these values.

    The block has no other context, so the cached text depends on nothing but these values.
    """
    tag, *bits = token.split_contents()
    values = token_kwargs(bits, parser)
    if bits:
        raise template.TemplateSyntaxError(f"{tag!r} takes name=value only, not {bits[0]!r}.")
    nodelist = parser.parse(("endcached",))
    parser.delete_first_token()
    return CachedNode(values, nodelist)


class CachedNode(template.Node):
    def __init__(self, values: Mapping[str, FilterExpression], nodelist: NodeList) -> None:
        self.values = values
        self.nodelist = nodelist
        self._cached: dict[tuple[Any, ...], SafeString] = {}

    def render(self, context: template.Context) -> SafeString:
        given = {name: value.resolve(context) for name, value in self.values.items()}
        key = (get_language(), get_current_timezone(), *map(_typed, given.values()))
        html = self._cached.get(key)
        if html is None:
            if len(self._cached) >= MOST_CACHED:
                self._cached.clear()
            html = self._cached[key] = self.nodelist.render(context.new(given))
        return html


def _typed(value: Any) -> Any:
    """A cache key with types, because 1 equals True, and a SafeString equals an unsafe one."""
    if isinstance(value, tuple):
        return type(value), tuple(map(_typed, value))
    return type(value), value

"""The navigation of the public website."""

from django import template

from cms.site import menu

register = template.Library()


@register.simple_tag
def sections(path: str = "") -> list[menu.Link]:
    """The website's menu on a page at `path`."""
    return menu.links(path)

"""Template tag for the toolbar of the editor."""

from django import template

from core.crud.fields.toolbar import GROUPS, Button

register = template.Library()


@register.simple_tag
def toolbar() -> list[list[Button]]:
    """The buttons, in groups."""
    return GROUPS

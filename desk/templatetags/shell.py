"""What is around every page."""

from django import template

from desk.shell import Shell, shell_for

register = template.Library()


@register.simple_tag(takes_context=True)
def shell(context: template.Context) -> Shell:
    """What `base.html` puts around a page."""
    return shell_for(context)

"""Template tag for the shell of every page."""

from django import template

from desk.shell import Shell, shell_for

register = template.Library()


@register.simple_tag(takes_context=True)
def shell(context: template.Context) -> Shell:
    """The shell that `base.html` renders around a page."""
    return shell_for(context)

"""Template tag for the headings of tables of figures."""

from django import template

from core.crud.sheets import headings_html

register = template.Library()
register.simple_tag(headings_html, name="headings")

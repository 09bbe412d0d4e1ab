"""The tables as CloudFormation templates: capacity, encryption, alarms, and who may do what.

Each app has a stack of its own that needs none of the others. The templates describe one environment: they
carry the table names of the current settings.
"""

from core.dynamo.cloudformation.stacks import template, templates

__all__ = ["template", "templates"]

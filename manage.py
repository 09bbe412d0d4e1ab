#!/usr/bin/env python
"""Django's command line for Fieldhouse."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from config import local, messages
from config.engines.install import EngineError


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        if sys.argv[1:2] == ["dev"]:
            local.prepare_environment()
            messages.compile_stale()
        execute_from_command_line(sys.argv)
    except (EngineError, ImproperlyConfigured) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

"""`python -m config.engines`: install the engines for `make run`, while pip installs the packages.

It may use only the standard library. Errors are ignored here: `manage.py dev` tries again and reports them.
"""

from contextlib import suppress

from config.engines import dynoxide, ministack
from config.engines.install import EngineError
from config.engines.services import COGNITO_VARIABLES, DYNAMODB_VARIABLES, S3_VARIABLES, given_by

if __name__ == "__main__":
    if given_by(DYNAMODB_VARIABLES) is None:
        with suppress(EngineError):
            dynoxide.find_or_install()
    if given_by(COGNITO_VARIABLES) is None or given_by(S3_VARIABLES) is None:
        with suppress(EngineError):
            ministack.find_or_install()

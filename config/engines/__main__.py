"""`python -m config.engines`: install what `make run` will start, while pip installs the packages.

Only the standard library is there at that time. An error is told by `manage.py dev`, which tries again.
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

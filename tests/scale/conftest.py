"""What is measured once and looked at by several tests."""

import pytest

from config.engines.dynoxide import Dynoxide
from tests.core.accounts.conftest import issuer  # noqa: F401
from tests.core.accounts.issuer import Issuer
from tests.scale import loads
from tests.scale.partition_meter import PartitionMeter

_kept: dict[str, PartitionMeter] = {}


@pytest.fixture
def meters(db: Dynoxide, issuer: Issuer) -> dict[str, PartitionMeter]:  # noqa: F811
    """What each verb costs in each partition, measured once by a worker."""
    if not _kept:
        _kept.update(loads.measured(issuer))
    return _kept

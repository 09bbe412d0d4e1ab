"""What is measured once and looked at by several tests."""

import pytest

from config.engines.dynoxide import Dynoxide
from tests.core.accounts.conftest import issuer  # noqa: F401
from tests.core.accounts.issuer import Issuer
from tests.scale import measuring
from tests.scale.measuring import Measured
from tests.scale.partition_meter import PartitionMeter

_kept: list[Measured] = []


@pytest.fixture
def measured(db: Dynoxide, issuer: Issuer) -> Measured:  # noqa: F811
    """What each verb and each page costs, measured once by a worker."""
    if not _kept:
        _kept.append(measuring.measured(issuer))
    return _kept[0]


@pytest.fixture
def meters(measured: Measured) -> dict[str, PartitionMeter]:
    """What each verb costs in each partition."""
    return measured.first

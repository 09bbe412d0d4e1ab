"""A fault-injecting proxy between the application and a local engine.

Local engines never lag, conflict or throttle. `FaultProxy` answers a share of the requests with the faults of
AWS, for tests and for `make run FAULTS=conflict=0.2,throttle=0.1,latency=50`. With `overlap=6` it refuses no
share but what AWS would refuse: transactions that meet on an item within some milliseconds.
"""

from core.dynamo.faults.faults import Faults
from core.dynamo.faults.proxy import FaultProxy

__all__ = ["FaultProxy", "Faults"]

"""A fault-injecting proxy between the application and a local engine.

Local engines never lag, conflict or throttle. `FaultProxy` answers a share of the requests with the faults of
AWS, for tests and for `make run FAULTS=conflict=0.2,throttle=0.1,latency=50`. With `overlap=6,capacity=1`
nothing is left to chance: it refuses what AWS would refuse, transactions that meet on an item within some
milliseconds, and what a partition of a table or an index cannot serve.
"""

from core.dynamo.faults.faults import Faults
from core.dynamo.faults.proxy import FaultProxy

__all__ = ["FaultProxy", "Faults"]

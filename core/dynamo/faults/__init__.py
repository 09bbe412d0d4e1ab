"""The fault proxy: stands between application and local engine and adds what only AWS does.

Local engines never lag, conflict or throttle. `FaultProxy` answers a share of the requests the way AWS
does on a bad day, for tests and for `make run FAULTS=conflict=0.2,throttle=0.1,latency=50`.
"""

from core.dynamo.faults.faults import Faults
from core.dynamo.faults.proxy import FaultProxy

__all__ = ["FaultProxy", "Faults"]

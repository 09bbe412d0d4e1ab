"""How long tasks on this machine waited for a processor, from Linux's pressure stall information (PSI)."""

from pathlib import Path

# The first is that of the container, the second that of the whole machine.
FILES = (Path("/sys/fs/cgroup/cpu.pressure"), Path("/proc/pressure/cpu"))


def stalled() -> float:
    """Total seconds in which some task was ready to run and had no processor; 0 without PSI."""
    for file in FILES:
        try:
            some = file.read_text().partition("\n")[0]
            return int(some.rpartition("total=")[2]) / 1e6
        except (OSError, ValueError):
            continue
    return 0.0

"""How long tasks on this machine waited for a processor: Linux tells it as pressure stall information."""

from pathlib import Path

# In a container the first is its own; the second is the whole machine.
FILES = (Path("/sys/fs/cgroup/cpu.pressure"), Path("/proc/pressure/cpu"))


def stalled() -> float:
    """Seconds so far in which some task was ready to run and had no processor; 0 where nobody measures it."""
    for file in FILES:
        try:
            some = file.read_text().partition("\n")[0]
            return int(some.rpartition("total=")[2]) / 1e6
        except (OSError, ValueError):
            continue
    return 0.0

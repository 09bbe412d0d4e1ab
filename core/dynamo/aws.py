"""What our clients of AWS have in common."""

from typing import Any


def forget_other_services(session: Any, service: str) -> None:
    """Let a botocore session keep the addresses of one service only: those of all take 7 MB.

    Its loader reads them once and answers with the same dictionary ever after.
    """
    endpoints, _path = session.get_component("data_loader").load_data_with_path("endpoints")
    for partition in endpoints["partitions"]:
        services = partition["services"]
        partition["services"] = {name: services[name] for name in services if name == service}

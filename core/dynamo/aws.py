"""Shared by all clients of AWS."""

from typing import Any


def forget_other_services(session: Any, service: str) -> None:
    """Drop the endpoints of all other services from a botocore session: they take 7 MB.

    Its data loader caches the dictionary that is changed here.
    """
    endpoints, _path = session.get_component("data_loader").load_data_with_path("endpoints")
    for partition in endpoints["partitions"]:
        services = partition["services"]
        partition["services"] = {name: services[name] for name in services if name == service}

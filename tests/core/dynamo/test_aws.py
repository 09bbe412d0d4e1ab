"""Our clients of AWS: the addresses that botocore would use, without those of 300 other services."""

from typing import Any

import pytest
from botocore.session import Session

from core.dynamo.aws import forget_other_services
from core.dynamo.connection import connection

SERVICES = ("dynamodb", "s3", "cognito-idp")
REGIONS = ("eu-central-1", "us-east-1", "us-gov-west-1", "cn-north-1", "eu-north-9")


def services_of(session: Session) -> set[str]:
    endpoints, _path = session.get_component("data_loader").load_data_with_path("endpoints")
    return {name for partition in endpoints["partitions"] for name in partition["services"]}


def client(session: Session, service: str, region: str) -> Any:
    return session.create_client(
        service, region_name=region, aws_access_key_id="id", aws_secret_access_key="secret"
    )


@pytest.mark.parametrize("service", SERVICES)
def test_a_session_keeps_the_addresses_of_one_service(service: str) -> None:
    session = Session()
    assert len(services_of(session)) > 100
    forget_other_services(session, service)
    client(session, service, "eu-central-1")
    assert services_of(session) == {service}


def test_the_connection_keeps_those_of_dynamodb(db: object) -> None:
    shared = connection()
    assert shared.client
    assert services_of(shared.session) == {"dynamodb"}


@pytest.mark.parametrize("service", SERVICES)
def test_each_region_has_the_address_that_botocore_knows(service: str) -> None:
    lean = Session()
    forget_other_services(lean, service)
    for region in REGIONS:
        ours, theirs = client(lean, service, region), client(Session(), service, region)
        assert ours.meta.endpoint_url == theirs.meta.endpoint_url
        assert ours.meta.partition == theirs.meta.partition
        assert ours.meta.config.signature_version == theirs.meta.config.signature_version

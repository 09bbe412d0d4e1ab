"""`manage.py dev`, which is `make run`: what is given is not started, and what is wrong is one sentence."""

import socket
from pathlib import Path

import pytest

from config.engines.dynoxide import Dynoxide
from tests.config.dev import Start

# --- what is given is not started ---


@pytest.mark.slow
def test_a_given_dynamodb_is_used_as_it_is(start: Start) -> None:
    with Dynoxide() as given:
        run = start(DYNAMODB_ENDPOINT=given.endpoint).until_it_serves()
        assert (
            "DynamoDB: yours, because DYNAMODB_ENDPOINT is set; nothing is started or created" in run.output
        )
        assert not any("dynoxide" in command for command in run.children().values())
        assert run.client("dynamodb", given.endpoint).list_tables()["TableNames"] == []


@pytest.mark.slow
def test_into_a_given_bucket_go_no_pictures_of_the_demo(start: Start) -> None:
    # Nobody listens there: whoever sends a file fails.
    run = start(MEDIA_BUCKET="given", AWS_ENDPOINT_URL_S3="http://127.0.0.1:9").until_it_serves()

    assert "S3: yours, because MEDIA_BUCKET is set; nothing is started or created" in run.output
    assert run.get("/news/")[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "variables",
    [
        {"AWS_ACCESS_KEY_ID": "given", "AWS_SECRET_ACCESS_KEY": "given"},
        {"DYNAMODB_ENDPOINT": "http://127.0.0.1:9", "COGNITO_USER_POOL_ID": "given", "MEDIA_BUCKET": "given"},
    ],
    ids=["credentials", "every-service"],
)
def test_with_aws_settings_only_the_server_runs(start: Start, variables: dict[str, str]) -> None:
    run = start(**variables).until_it_serves()
    assert run.get("/healthz") == (200, "ok\n")
    assert all("runserver" in command for command in run.children().values())
    assert run.variables.keys() == {"DEBUG", "SECRET_KEY"}
    assert "Demo accounts" not in run.output


@pytest.mark.slow
def test_where_dynoxide_cannot_be_had_ministack_keeps_the_records_and_it_says_so(start: Start) -> None:
    run = start(before="import platform; platform.machine = lambda: 'riscv64'").until_it_serves()
    assert (
        "dynoxide is published for Linux on x86-64, not for linux on riscv64. "
        "ministack keeps the records instead: slower, and not safe from a kill.\n"
    ) in run.output
    assert run.get("/readyz")[0] == 200
    assert run.variables["DYNAMODB_ENDPOINT"] == run.variables["AWS_ENDPOINT_URL_S3"]


# --- one clear sentence ---


def test_a_port_in_use_is_one_sentence(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        run = start(PORT=str(port))
        assert run.until_it_ends() == 1
    assert run.output == (
        f"CommandError: Port {port} is already in use: stop what uses it, or set PORT to another.\n"
    )


def test_a_data_folder_that_cannot_be_made_is_one_sentence(start: Start, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    run = start()
    assert run.until_it_ends() == 1
    assert run.output == f"Data cannot be kept in {tmp_path / 'data'}: File exists.\n"


def test_an_engine_that_gives_up_while_starting_is_one_sentence(start: Start, tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\necho 'the disk is full' >&2\nexit 3\n")
    program.chmod(0o755)
    fake = "from pathlib import Path; from config.engines import dynoxide\n"
    fake += f"dynoxide.find_or_install = lambda: Path({str(program)!r})"
    run = start(before=fake)
    assert run.until_it_ends() == 1
    assert run.output == (
        "Starting the local engines.\n"
        "CommandError: dynoxide (DynamoDB) stopped while starting: the disk is full.\n"
    )


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"DEBUG": "maybe"}, "DEBUG must be true or false, not 'maybe'."),
        (
            {"DYNAMODB_ENDPOINT": "localhost"},
            "DYNAMODB_ENDPOINT must be an http or https address, not 'localhost'.",
        ),
        ({"FAULTS": "gremlins=1"}, 'Cannot read the fault "gremlins=1"'),
        (
            {"FAULTS": "error=1", "AWS_PROFILE": "club"},
            "FAULTS needs a DynamoDB on this machine, not the one of AWS.",
        ),
    ],
)
def test_a_wrong_setting_is_one_sentence(start: Start, variables: dict[str, str], sentence: str) -> None:
    run = start(**variables)
    assert run.until_it_ends() == 1
    assert sentence in run.output
    assert "Traceback" not in run.output
    assert not (run.data / "dynamodb.sqlite").exists(), "it is told before anything is started"

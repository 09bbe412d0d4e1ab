"""`manage.py dev`, which is `make run`: one command starts everything, and nothing of it stays behind."""

import os
import re
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from config.management.commands import dev
from core.accounts import cast
from tests.awaiting import assert_eventually
from tests.config.dev import Run, Start
from tests.config.processes import ROOT, is_running

LONG_AGO = "2026-01-01T00:00:00.000Z"
# The command is imported with the settings that manage.py prepares first.
IMPORT_DEV = (
    "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; from config import local; "
    "local.prepare_environment(); import config.management.commands.dev as dev"
)


@pytest.fixture(scope="module")
def _first_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first_run")
    run = Run(folder / "data", folder / "log")
    try:
        return run.until_it_serves().data
    finally:
        run.process.terminate()
        run.until_it_ends()


@pytest.fixture
def start_again(start: Start, _first_run: Path, tmp_path: Path) -> Start:
    """In a data folder that an earlier run has filled: filling it takes most of the time of a first start."""
    shutil.copytree(_first_run, tmp_path / "data")
    return start


def assert_gone(pids: dict[int, str]) -> None:
    assert_eventually(lambda: not any(map(is_running, pids)), f"still running: {pids}")


def listening_addresses(pids: set[int]) -> set[str]:
    """The local addresses on which these processes accept connections, in the kernel's notation."""
    sockets = set()
    for pid in pids:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            # A process that is at work may close a file between the listing and this look at it.
            with suppress(FileNotFoundError):
                if (target := os.readlink(descriptor)).startswith("socket:["):
                    sockets.add(target[8:-1])
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()
    ]
    return {row[1].partition(":")[0] for row in rows if row[3] == "0A" and row[9] in sockets}


# --- everything starts, and starts again ---


def test_one_command_starts_and_fills_everything_and_ctrl_c_stops_it_all(start: Start) -> None:
    run = start().until_it_serves()

    assert run.get("/healthz") == (200, "ok\n")
    assert run.get("/readyz")[0] == 200
    assert run.get("/auth/signed-out")[0] == 200
    # Where the engines are not installed yet, that is told too.
    told = [line for line in run.output.splitlines() if not line.startswith(("Fetching", "Installing"))]
    assert told[:9] == [
        "Starting the local engines.",
        "Creating the tables that are missing.",
        *(
            f"Loading the demo records of {app}."
            for app in ("accounts", "desk", "cms", "scouting", "quests", "tracker")
        ),
        "Starting the web server.",
    ]
    assert f"Fieldhouse is at http://127.0.0.1:{run.port} " in run.output
    for person in cast.CAST:
        assert f"{person.group or 'member':<11} {person.email}" in run.output
    children = run.children()
    assert sorted(command.split()[0].rpartition("/")[2] for command in children.values()) == [
        "dynoxide",
        "python",
        "python",
        "python",
        "python",
    ]
    assert listening_addresses(set(children)) == {"0100007F"}

    run.process.send_signal(signal.SIGINT)
    assert run.until_it_ends() == 0
    assert run.output.endswith("Stopped.\n")
    assert_gone(children)


@pytest.mark.slow
def test_what_expires_is_removed_and_cleaned_up_after(start_again: Start) -> None:
    often = f"{IMPORT_DEV}; dev.SWEEP_SECONDS = 0.2"
    run = start_again(before=often).until_it_serves()
    records = run.client("dynamodb", run.variables["DYNAMODB_ENDPOINT"])
    sponsor = {"id": {"S": "s1"}, "name": {"S": "Old"}, "expiryTimestamp": {"N": str(int(time.time()) - 9)}}
    records.put_item(TableName="vcm-sponsors", Item=sponsor)

    def history() -> list[str]:
        found = records.query(
            TableName="fieldhouse",
            KeyConditionExpression="PK = :sponsor",
            ExpressionAttributeValues={":sponsor": {"S": "HIST#sponsor#s1"}},
        )
        return [item["verb"]["S"] for item in found["Items"]]

    assert_eventually(lambda: history() == ["expire"], run.output)
    assert "Item" not in records.get_item(TableName="vcm-sponsors", Key={"id": {"S": "s1"}})


@pytest.mark.slow
def test_what_is_scheduled_in_production_runs_here_too(start_again: Start) -> None:
    soon = f"{IMPORT_DEV}; dev.SWEEP_SECONDS = dev.SCHEDULE_SECONDS = 0.2"
    run = start_again(before=soon).until_it_serves()
    records = run.client("dynamodb", run.variables["DYNAMODB_ENDPOINT"])

    key = {"questId": {"S": "over"}}
    texts = {"title": "Over", "description": "Over", "creatorId": "nobody", "status": "OPEN"}
    texts |= {"createdAt": LONG_AGO, "updatedAt": LONG_AGO, "expiresAt": LONG_AGO}
    offer = key | {name: {"S": text} for name, text in texts.items()}
    records.put_item(TableName="civicforge-quests", Item=offer)

    def status() -> str:
        found = records.get_item(TableName="civicforge-quests", Key=key, ConsistentRead=True)
        return str(found["Item"]["status"]["S"])

    assert_eventually(lambda: status() == "EXPIRED", run.output)


def test_the_crontab_of_the_readme_runs_what_runs_here_and_only_commands_that_exist() -> None:
    line = re.compile(r"^(\S+ \S+ \S+ \S+ \S+) +cd \S+ && \S+ manage.py (.+)$", re.MULTILINE)
    lines = line.findall((ROOT / "README.md").read_text())

    for _when, command in lines:
        name, *arguments = command.split()
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(arguments)
    scheduled = {
        when: tuple(tuple(command.split()) for each, command in lines if each == when) for when, _ in lines
    }
    assert scheduled["* * * * *"] == dev.EVERY_MINUTE
    assert scheduled["*/15 * * * *"] == dev.SCHEDULED
    assert (dev.MINUTE_SECONDS, dev.SCHEDULE_SECONDS) == (60, 900)


@pytest.mark.slow
def test_a_second_run_keeps_records_accounts_files_and_the_secret_key(start_again: Start) -> None:
    first = start_again().until_it_serves()
    before = first.variables
    first.client("dynamodb", before["DYNAMODB_ENDPOINT"]).put_item(
        TableName="fieldhouse", Item={"PK": {"S": "kept"}, "SK": {"S": "kept"}}
    )
    first.client("s3", before["AWS_ENDPOINT_URL_S3"]).put_object(
        Bucket=before["MEDIA_BUCKET"], Key="kept.txt", Body=b"kept"
    )
    accounts = users(first)
    first.process.send_signal(signal.SIGTERM)
    assert first.until_it_ends() == 0

    second = start_again().until_it_serves()
    after = second.variables
    kept = second.client("dynamodb", after["DYNAMODB_ENDPOINT"]).get_item(
        TableName="fieldhouse", Key={"PK": {"S": "kept"}, "SK": {"S": "kept"}}
    )
    assert kept["Item"] == {"PK": {"S": "kept"}, "SK": {"S": "kept"}}
    file = second.client("s3", after["AWS_ENDPOINT_URL_S3"]).get_object(
        Bucket=after["MEDIA_BUCKET"], Key="kept.txt"
    )
    assert file["Body"].read() == b"kept"
    assert users(second) == accounts
    same = ("COGNITO_USER_POOL_ID", "COGNITO_CLIENT_ID", "SECRET_KEY", "MEDIA_BUCKET")
    assert [after[name] for name in same] == [before[name] for name in same]


def users(run: Run) -> dict[str, tuple[str, list[str]]]:
    """Everybody's sub and groups by e-mail address."""
    cognito = run.client("cognito-idp", run.variables["AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER"])
    pool = run.variables["COGNITO_USER_POOL_ID"]
    found = {}
    for user in cognito.list_users(UserPoolId=pool)["Users"]:
        attributes = {attribute["Name"]: attribute["Value"] for attribute in user["Attributes"]}
        groups = cognito.admin_list_groups_for_user(UserPoolId=pool, Username=user["Username"])["Groups"]
        found[attributes["email"]] = (attributes["sub"], [group["GroupName"] for group in groups])
    return found


@pytest.mark.slow
def test_each_account_of_the_cast_has_its_group_and_keeps_its_identity_after_kill_9(
    start_again: Start,
) -> None:
    run = start_again().until_it_serves()
    accounts = users(run)
    assert {email: groups for email, (_, groups) in accounts.items()} == {
        person.email: [person.group] if person.group else [] for person in cast.CAST
    }
    children = run.children()
    os.kill(run.child("bin/ministack"), signal.SIGKILL)
    run.process.kill()
    run.until_it_ends()
    assert_gone(children)

    assert users(start_again().until_it_serves()) == accounts


# --- nothing stays behind ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("victim", "name"),
    [
        ("runserver", "the web server"),
        ("dynoxide serve", "dynoxide (DynamoDB)"),
        ("bin/ministack", "ministack (Cognito and S3)"),
    ],
)
def test_when_one_dies_all_are_stopped_and_it_is_named(start_again: Start, victim: str, name: str) -> None:
    run = start_again().until_it_serves()
    children = run.children()
    os.kill(run.child(victim), signal.SIGKILL)
    assert run.until_it_ends() == 1
    assert f"CommandError: Everything was stopped because {name} died: " in run.output
    assert "Traceback" not in run.output
    assert_gone(children)


# --- what is given is not started ---


@pytest.mark.slow
def test_faults_stand_between_the_server_and_the_engine(start_again: Start) -> None:
    run = start_again(FAULTS="error=1").until_it_serves()
    assert "Between the server and DynamoDB: error=1." in run.output
    assert run.get("/healthz")[0] == 200
    assert run.get("/readyz")[0] == 503


# --- one clear sentence ---


@pytest.mark.slow
def test_two_runs_do_not_share_a_data_folder(start_again: Start) -> None:
    first = start_again().until_it_serves()
    second = start_again()
    assert second.until_it_ends() == 1
    assert second.output == (
        f"CommandError: Another `make run` is using {first.data}: "
        "stop it, or set DATA_DIR to another folder.\n"
    )
    assert first.get("/healthz") == (200, "ok\n")

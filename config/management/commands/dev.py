"""`manage.py dev`, which is `make run`: engines, tables, accounts, demo data and the development server."""

import os
import shlex
import signal
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from config import local
from config.engines import dynoxide, provision
from config.engines.dynoxide import Dynoxide
from config.engines.install import EngineError, announce, run
from config.engines.ministack import Ministack
from config.engines.process import HOST, Engine, is_free
from config.engines.services import COGNITO_VARIABLES, DYNAMODB_VARIABLES, S3_VARIABLES, given_by
from core.accounts import cast
from core.common import env
from core.dynamo.faults import FaultProxy, Faults

MANAGE = local.ROOT / "manage.py"
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# AWS deletes expired items after hours or days; here it should be visible soon.
SWEEP_SECONDS = 60
# The commands that README.md schedules in production every minute and every quarter of an hour.
EVERY_MINUTE = (("publish", "due"),)
MINUTE_SECONDS = 60
SCHEDULED = (("quests", "sweep"), ("reprocess_rewards",))
SCHEDULE_SECONDS = 15 * 60


class Server(Engine):
    """Django's development server with autoreload."""

    name = "the web server"
    health_path = "/healthz"
    death_signal = signal.SIGTERM
    keeps_output = False

    def __init__(self, *, environment: Mapping[str, str], port: int | None = None) -> None:
        super().__init__(port=port, start_seconds=120)
        self._environment = environment

    def command(self) -> list[str | Path]:
        return [sys.executable, MANAGE, "runserver", f"{HOST}:{self.port}"]

    def environment(self) -> Mapping[str, str]:
        return self._environment


class StreamsWorker(Server):
    """`manage.py streams`, which replaces the Lambda function."""

    name = "the streams worker"

    def command(self) -> list[str | Path]:
        return [sys.executable, MANAGE, "streams"]

    def _wait_until_it_answers(self) -> None:
        """It has no port, so it is ready when it runs."""


class Command(BaseCommand):
    help = (
        "Run Fieldhouse on this machine: start the local engines, create tables, accounts and demo data the "
        "first time, serve, and stop it all on Ctrl-C. PORT and DATA_DIR may be set; a service that is named "
        "by its own variables (see .env.example) is used as it is."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        for number in STOP_SIGNALS:
            signal.signal(number, _stop)
        try:
            with ExitStack() as running:
                self._run(running)
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        except (EngineError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error

    def _run(self, running: ExitStack) -> None:
        port = env.number("PORT", default=8000, least=1, most=65_535)
        if not is_free(port):
            raise EngineError(f"Port {port} is already in use: stop what uses it, or set PORT to another.")
        faults = _wanted_faults()
        folder = running.enter_context(local.owned(local.data_folder()))
        wiring, engines = self._start_engines(running, folder, site=f"http://{HOST}:{port}")
        served = os.environ | wiring | self._put_between(running, wiring, faults)
        _write_environment(folder / "env.sh", wiring)
        announce("Starting the web server.")
        server = running.enter_context(Server(port=port, environment=served))
        if any(isinstance(engine, Dynoxide) for engine in engines):
            engines.append(running.enter_context(StreamsWorker(environment=served)))
        self._say_hello(server, wiring)
        self._watch([server, *engines], wiring)

    def _start_engines(
        self, running: ExitStack, folder: Path, *, site: str
    ) -> tuple[dict[str, str], list[Engine]]:
        """Start and provision the services that are not configured; returns their environment variables."""
        needs_dynamodb = self._is_needed("DynamoDB", DYNAMODB_VARIABLES)
        needs_cognito = self._is_needed("Cognito", COGNITO_VARIABLES)
        needs_s3 = self._is_needed("S3", S3_VARIABLES)
        if needs_dynamodb or needs_cognito or needs_s3:
            announce("Starting the local engines.")
        binary = self._find_dynoxide() if needs_dynamodb else None
        wiring: dict[str, str] = {}
        engines: list[Engine] = []
        if binary:
            engine = Dynoxide(binary=binary, db_path=folder / "dynamodb.sqlite", can_sweep=True)
            engines.append(running.enter_context(engine))
            wiring |= _dynamodb_wiring(engine)
        if needs_cognito or needs_s3 or (needs_dynamodb and not binary):
            data, keeps_records = folder / "ministack", needs_dynamodb and not binary
            data.mkdir(exist_ok=True)
            ministack = Ministack(data=data, region=settings.AWS_REGION, with_dynamodb=keeps_records)
            engines.append(running.enter_context(ministack))
            if keeps_records:
                wiring |= _dynamodb_wiring(ministack)
            if needs_cognito:
                wiring |= _provision_cognito(ministack, site)
            if needs_s3:
                bucket = provision.provision_bucket(ministack.endpoint, settings.AWS_REGION, site)
                wiring |= {"MEDIA_BUCKET": bucket, "AWS_ENDPOINT_URL_S3": ministack.endpoint}
        if engines:
            wiring |= provision.LOCAL_CREDENTIALS | {"AWS_REGION": settings.AWS_REGION}
        if needs_dynamodb:
            announce("Creating the tables that are missing.")
            _manage("tables", "create", environment=os.environ | wiring, purpose="Creating the tables")
            # Nothing is uploaded to a configured bucket, so the demo records get no pictures.
            pictures = {} if needs_s3 else {"MEDIA_BUCKET": ""}
            environment = os.environ | wiring | pictures
            _manage("demo", environment=environment, purpose="Loading the demo data", shows_output=True)
        return wiring, engines

    def _is_needed(self, service: str, variables: tuple[str, ...]) -> bool:
        given = given_by(variables)
        if given:
            self.stdout.write(
                f"{service}: yours, because {given} is set; nothing is started or created there."
            )
        return given is None

    def _find_dynoxide(self) -> Path | None:
        try:
            return dynoxide.find_or_install()
        except EngineError as error:
            self.stderr.write(
                f"{error} ministack keeps the records instead: slower, and not safe from a kill."
            )
            return None

    def _put_between(
        self, running: ExitStack, wiring: Mapping[str, str], faults: Faults | None
    ) -> dict[str, str]:
        if faults is None:
            return {}
        endpoint = wiring.get("DYNAMODB_ENDPOINT") or settings.DYNAMODB_ENDPOINT
        if endpoint is None:
            raise EngineError("FAULTS needs a DynamoDB on this machine, not the one of AWS.")
        proxy = running.enter_context(FaultProxy(endpoint, faults=faults))
        self.stdout.write(f"Between the server and DynamoDB: {env.text('FAULTS')}.")
        return {"DYNAMODB_ENDPOINT": proxy.endpoint}

    def _say_hello(self, server: Server, wiring: Mapping[str, str]) -> None:
        self.stdout.write(f"\nFieldhouse is at {self.style.SUCCESS(server.endpoint)} (Ctrl-C stops it).")
        if "COGNITO_USER_POOL_ID" in wiring:
            self.stdout.write(f"Sign in at {server.endpoint}/desk/.")
            self.stdout.write(f"Demo accounts, all with the password {cast.PASSWORD}:")
            for person in cast.CAST:
                self.stdout.write(f"  {person.group or 'member':<11} {person.email}")
        self.stdout.write("")
        self.stdout.flush()

    def _watch(self, engines: list[Engine], wiring: Mapping[str, str]) -> NoReturn:
        """Run until a signal arrives or a process dies; sweeps expired items, which AWS does by itself.

        The scheduled commands also run soon after the start.
        """
        next_sweep = next_schedule = next_minute = time.monotonic() + SWEEP_SECONDS
        while True:
            for engine in engines:
                if engine.has_died():
                    raise EngineError(
                        f"Everything was stopped because {engine.name} died: {engine.complaint()}."
                    )
            if "DYNAMODB_ENDPOINT" in wiring and time.monotonic() >= next_sweep:
                self._sweep(engines, os.environ | wiring)
                next_sweep = time.monotonic() + SWEEP_SECONDS
            if "DYNAMODB_ENDPOINT" in wiring and time.monotonic() >= next_minute:
                self._run_scheduled(EVERY_MINUTE, os.environ | wiring)
                next_minute = time.monotonic() + MINUTE_SECONDS
            if "DYNAMODB_ENDPOINT" in wiring and time.monotonic() >= next_schedule:
                self._run_scheduled(SCHEDULED, os.environ | wiring)
                next_schedule = time.monotonic() + SCHEDULE_SECONDS
            time.sleep(0.2)

    def _sweep(self, engines: list[Engine], environment: Mapping[str, str]) -> None:
        dynoxides = [engine for engine in engines if isinstance(engine, Dynoxide)]
        try:
            for engine in dynoxides:
                engine.sweep()
            if not dynoxides:
                _manage("sweep", environment=environment, purpose="Sweeping expired records")
        except EngineError as error:
            self.stderr.write(str(error))

    def _run_scheduled(self, commands: Iterable[tuple[str, ...]], environment: Mapping[str, str]) -> None:
        for command in commands:
            try:
                _manage(*command, environment=environment, purpose=f"manage.py {' '.join(command)}")
            except EngineError as error:
                self.stderr.write(str(error))


def _wanted_faults() -> Faults | None:
    wanted = env.text("FAULTS")
    try:
        return Faults.parse(wanted) if wanted else None
    except ValueError as error:
        raise EngineError(str(error)) from error


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    # A second Ctrl-C would interrupt the shutdown and leave engines running.
    for stop_signal in STOP_SIGNALS:
        signal.signal(stop_signal, signal.SIG_IGN)
    raise KeyboardInterrupt


def _dynamodb_wiring(engine: Engine) -> dict[str, str]:
    return {"DYNAMODB_ENDPOINT": engine.endpoint, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": engine.endpoint}


def _provision_cognito(ministack: Ministack, site: str) -> dict[str, str]:
    is_new = not ministack.has_saved_accounts()
    pool = provision.provision_user_pool(ministack.endpoint, settings.AWS_REGION, site)
    if is_new:
        # ministack stores accounts only on a regular stop; after a kill their subs would be new ones.
        ministack.restart()
    return {
        "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER": ministack.endpoint,
        "COGNITO_USER_POOL_ID": pool.pool_id,
        "COGNITO_CLIENT_ID": pool.client_id,
        "COGNITO_DOMAIN": ministack.endpoint,
    }


def _manage(*command: str, environment: Mapping[str, str], purpose: str, shows_output: bool = False) -> None:
    arguments: list[str | Path] = [sys.executable, MANAGE, *command]
    run(arguments, cwd=local.ROOT, env=environment, purpose=purpose, shows_output=shows_output)


def _write_environment(path: Path, wiring: Mapping[str, str]) -> None:
    """Write the variables for other commands in a second terminal: `. .data/env.sh`."""
    kept = {**wiring} | {name: os.environ[name] for name in ("DEBUG", "SECRET_KEY")}
    path.touch(mode=0o600)
    path.write_text("".join(f"export {name}={shlex.quote(value)}\n" for name, value in kept.items()))

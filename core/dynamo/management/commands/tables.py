"""Create the tables, check them, adopt what is in them, or write them as CloudFormation templates."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo import adoption_run, tables
from core.dynamo.cloudformation import templates
from core.dynamo.management.base import ActionsCommand, with_progress


class Command(ActionsCommand):
    help = (
        "Create the tables that the models declare, check them, bring in what other programs wrote there, or "
        "write them for CloudFormation."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="create | check | adopt | cloudformation"
        )
        create = actions.add_parser("create", help="Create what is missing; what is there stays as it is.")
        create.add_argument("--dry-run", action="store_true", help="Only tell what would be done.")
        actions.add_parser("check", help="Name every difference to the models; exit 1 if there is one.")
        adopt = actions.add_parser(
            "adopt",
            help="Add to the records of other programs what lists, search and unique values need; what is "
            "there stays as it is. Safe while people and programs work; may be stopped and run again.",
        )
        adopt.add_argument("--app", default="", help="Only the tables of this app, such as cms.")
        adopt.add_argument("--dry-run", action="store_true", help="Only tell what would be done.")
        stacks = actions.add_parser(
            "cloudformation", help="CloudFormation templates, one for each app (JSON)."
        )
        wanted = stacks.add_mutually_exclusive_group(required=True)
        wanted.add_argument("--app", help="Print the template of this app, such as cms.")
        wanted.add_argument(
            "--to",
            type=Path,
            metavar="DIR",
            help="Write the templates of all apps there; made if it is missing.",
        )

    def do_create(self, *, dry_run: bool, **_options: Any) -> None:
        if dry_run:
            self.stdout.write("Dry run: nothing is changed.")
        for line in tables.ensure_tables(tables.specs(), dry_run=dry_run):
            self.stdout.write(line)
        if not dry_run:
            self.do_check()

    def do_check(self, **_options: Any) -> None:
        drifts = tables.check_all()
        for drift in drifts:
            self.stdout.write(drift)
        if drifts:
            raise CommandError("The tables differ from what the models declare; see the lines above.")
        self.stdout.write(f"{len(tables.specs())} tables match.")

    def do_adopt(self, *, app: str, dry_run: bool, **_options: Any) -> None:
        if app and app not in adoption_run.apps():
            raise CommandError(
                f"No app {app} has tables for other programs; these have: {', '.join(adoption_run.apps())}."
            )
        would = "would be " if dry_run else ""
        reports = adoption_run.run(with_progress, app=app, is_dry_run=dry_run)
        for entity, report in reports.items():
            self.stdout.write(
                f"{entity}: {report.seen} seen, {report.adopted} {would}adopted, {report.ours} already ours, "
                f"{len(report.problems)} problems."
            )
        for problem in (problem for report in reports.values() for problem in report.problems):
            self.stdout.write(f"{problem}.")

    def do_cloudformation(self, *, app: str | None, to: Path | None, **_options: Any) -> None:
        by_app = templates()
        if to is not None:
            to.mkdir(parents=True, exist_ok=True)
            for name, template in by_app.items():
                path = to / f"{name}.json"
                path.write_text(f"{_as_text(template)}\n")
                self.stdout.write(f"{path}: {len(template['Resources'])} resources.")
        elif app in by_app:
            self.stdout.write(_as_text(by_app[app]))
        else:
            raise CommandError(f"No app {app} has tables; these have: {', '.join(by_app)}.")


def _as_text(template: dict[str, Any]) -> str:
    return json.dumps(template, indent=2)

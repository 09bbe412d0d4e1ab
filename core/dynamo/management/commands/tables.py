"""Create the tables, check them, or write them as CloudFormation templates."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo import tables
from core.dynamo.cloudformation import templates
from core.dynamo.management.base import OperatorCommand


class Command(OperatorCommand):
    help = "Create the tables that the models declare, check them, or write them for CloudFormation."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="create | check | cloudformation"
        )
        create = actions.add_parser("create", help="Create what is missing; what is there stays as it is.")
        create.add_argument("--dry-run", action="store_true", help="Only tell what would be done.")
        actions.add_parser("check", help="Name every difference to the models; exit 1 if there is one.")
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

    def handle(self, *, action: str, **options: Any) -> None:
        match action:
            case "create":
                self.create(dry_run=options["dry_run"])
            case "check":
                self.check_tables()
            case "cloudformation" if options["app"]:
                self.print_template(options["app"])
            case "cloudformation":
                self.write_templates(options["to"])

    def create(self, *, dry_run: bool) -> None:
        if dry_run:
            self.stdout.write("Dry run: nothing is changed.")
        for line in tables.ensure_tables(tables.specs(), dry_run=dry_run):
            self.stdout.write(line)
        if not dry_run:
            self.check_tables()

    def check_tables(self) -> None:
        drifts = tables.check_all()
        for drift in drifts:
            self.stdout.write(drift)
        if drifts:
            raise CommandError("The tables differ from what the models declare; see the lines above.")
        self.stdout.write(f"{len(tables.specs())} tables match.")

    def print_template(self, app: str) -> None:
        by_app = templates()
        if app not in by_app:
            raise CommandError(f"No app {app} has tables; these have: {', '.join(by_app)}.")
        self.stdout.write(_as_text(by_app[app]))

    def write_templates(self, folder: Path) -> None:
        by_app = templates()
        folder.mkdir(parents=True, exist_ok=True)
        for app, template in by_app.items():
            path = folder / f"{app}.json"
            path.write_text(f"{_as_text(template)}\n")
            self.stdout.write(f"{path}: {len(template['Resources'])} resources.")


def _as_text(template: dict[str, Any]) -> str:
    return json.dumps(template, indent=2)

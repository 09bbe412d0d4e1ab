"""Create the tables, check them, or print them as a CloudFormation template."""

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from dynamo import tables
from dynamo.cloudformation import template
from dynamo.management.base import OperatorCommand


class Command(OperatorCommand):
    help = "Create the tables that the models declare, check them, or print them for CloudFormation."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="create | check | cloudformation"
        )
        create = actions.add_parser("create", help="Create what is missing; what is there stays as it is.")
        create.add_argument("--dry-run", action="store_true", help="Only tell what would be done.")
        actions.add_parser("check", help="Name every difference to the models; exit 1 if there is one.")
        actions.add_parser("cloudformation", help="Print a CloudFormation template of all tables (JSON).")

    def handle(self, *, action: str, **options: Any) -> None:
        match action:
            case "create":
                self.create(dry_run=options["dry_run"])
            case "check":
                self.check_tables()
            case "cloudformation":
                self.stdout.write(json.dumps(template(tables.specs()), indent=2))

    def create(self, *, dry_run: bool) -> None:
        if dry_run:
            self.stdout.write("Dry run: nothing is changed.")
        for line in tables.creating(tables.specs(), dry_run=dry_run):
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

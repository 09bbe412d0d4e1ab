"""The same articles for everybody, filled once and kept outside of git; a run works on a copy."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from django.core.management import call_command
from tqdm import tqdm

from config.engines.dynoxide import Dynoxide
from config.local import ROOT, data_folder
from core.accounts import directory
from core.dynamo import tables
from core.dynamo.actors import SYSTEM
from tests import engine_tables
from tests.cast import CAST
from tests.cms import filling
from tests.connecting import connected_to
from tests.core.dynamo.filling import stop_streams

FOLDER = data_folder().resolve() / "bench"
STATIC = FOLDER / "admin-static"
ADMIN = Path(__file__).parent / "admin"
BATCH = 500
# So that lists and searches of the demo are full.
ARTICLES_BESIDE = 1_000


def copied(kept: Path, to: Path) -> Path:
    return Path(shutil.copy(kept, to / kept.name))


def fieldhouse_data(size: int) -> Path:
    """The file of a DynamoDB engine with so many articles and the people of the cast."""
    # What is written decides, not the code that writes it.
    first = [[table, item] for table, item in filling._rows(0, 2)]
    made = [tables.create_request(spec) for spec in tables.specs()]
    kept = _kept(f"dynamodb-{size}", json.dumps([first, made], sort_keys=True, default=str))
    if not kept.exists():
        draft = _draft(kept)
        with Dynoxide(db_path=draft) as engine, connected_to(engine.endpoint):
            engine_tables.make(engine)
            # The local engine's writes slow down with every record in a stream.
            stop_streams()
            for user in CAST.values():
                directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
            for start in tqdm(range(0, size, BATCH), desc=f"{size:,} articles, DynamoDB", disable=None):
                filling.fill(start, min(start + BATCH, size))
        _finish(draft, kept)
    return kept


def demo_data() -> Path:
    """Today's demo data as `make run` loads it, and the articles of the smaller contest beside it."""
    patterns = ("*/demo*.py", "*/demo*.json", "*/demo*/**/*.py", "*/demo*/**/*.json")
    sources = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    # Its dates count from the day of the load.
    made_from = "".join([fieldhouse_data(ARTICLES_BESIDE).name, str(date.today()), *map(_text, sources)])
    kept = _kept("demo", made_from)
    if not kept.exists():
        draft = _draft(kept)
        people = {user.name.split()[0]: user for user in CAST.values()}
        shutil.copy(fieldhouse_data(ARTICLES_BESIDE), draft)
        with (
            Dynoxide(db_path=draft) as engine,
            connected_to(engine.endpoint),
            # The demo's people are those of a user pool, which nothing here needs.
            patch("core.accounts.demo.people", lambda: people),
            patch("quests.demo._members", lambda: people),
        ):
            call_command("demo", verbosity=0, stdout=StringIO())
        _finish(draft, kept)
    return kept


def _text(path: Path) -> str:
    return path.read_text()


def admin_data(size: int) -> Path:
    """A SQLite database of the admin with so many articles and somebody signed in."""
    kept = _kept(f"admin-{size}", "".join(_text(ADMIN / name) for name in ("fill.py", "models.py")))
    if not kept.exists():
        draft = _draft(kept)
        command = [sys.executable, "-m", "tests.bench.admin.fill", str(size)]
        subprocess.run(command, env=admin_environment(draft), check=True)
        _finish(draft, kept)
    return kept


def admin_environment(database: Path) -> Mapping[str, str]:
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.bench.admin.settings",
        "BENCH_SQLITE": str(database),
        "BENCH_STATIC": str(STATIC),
    }


def _kept(name: str, made_from: str) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    return FOLDER / f"{name}-{hashlib.sha256(made_from.encode()).hexdigest()[:12]}.sqlite"


def _draft(kept: Path) -> Path:
    draft = kept.with_suffix(".draft")
    for left in FOLDER.glob(f"{draft.name}*"):
        left.unlink()
    return draft


def _finish(draft: Path, kept: Path) -> None:
    """One file, without a journal beside it; it takes the place of what was filled before."""
    with closing(sqlite3.connect(draft)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for old in FOLDER.glob(f"{kept.name.rpartition('-')[0]}-*.sqlite"):
        old.unlink()
    draft.rename(kept)

"""`python -m tests.bench.admin.fill 1000`: the tables, the articles, and somebody who is signed in."""

import os
import sys
from datetime import UTC, datetime, timedelta

import django
from django.core.management import call_command

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.admin.settings"
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from tqdm import tqdm  # noqa: E402

from tests.bench.admin import SESSION  # noqa: E402
from tests.bench.admin.models import Article  # noqa: E402

BATCH = 1000
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


def main(size: int) -> None:
    call_command("migrate", run_syncdb=True, verbosity=0)
    author = User.objects.create_superuser("official", "official@fieldhouse.example", first_name="Odile")
    signed_in = {
        SESSION_KEY: str(author.pk),
        BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
        HASH_SESSION_KEY: author.get_session_auth_hash(),
    }
    Session.objects.save(SESSION, signed_in, datetime(2100, 1, 1, tzinfo=UTC))
    for first in tqdm(range(0, size, BATCH), desc=f"{size:,} articles, SQLite", disable=None):
        articles = Article.objects.bulk_create(
            [_article(number) for number in range(first, min(first + BATCH, size))]
        )
        written = Article.authors.through
        written.objects.bulk_create([written(article=article, user=author) for article in articles])


def _article(number: int) -> Article:
    moment = BEGINNING + timedelta(seconds=number)
    title = f"Spielbericht {number:08}"
    return Article(
        title=title,
        slug=title.lower().replace(" ", "-"),
        status="published",
        text="Five sets. " * 200,
        excerpt="Five sets.",
        published_date=moment,
        created_at=moment,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))

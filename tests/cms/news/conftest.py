"""An article that readers see."""

import pytest

from cms.news.models import News
from tests.cms.articles import LONG_AGO, article


@pytest.fixture
def published(db) -> News:
    return article(published=True, publish_at=LONG_AGO)

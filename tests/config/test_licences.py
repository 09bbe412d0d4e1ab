"""docs/licences.md lists what a site is made of."""

import re
from importlib.metadata import files

from tests.config.processes import ROOT


def test_the_page_lists_exactly_the_packages_of_a_site() -> None:
    installed = re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    listed = re.findall(r"^\| ([a-z0-9-]+) \| [A-Z0]", (ROOT / "docs/licences.md").read_text(), re.MULTILINE)

    assert listed == sorted(installed)


def test_photos_of_phones_are_read_without_an_encoder_under_the_gpl() -> None:
    libraries = {path.name.partition("-")[0] for path in files("pi-heif") or () if path.suffix != ".py"}

    assert "libheif" in libraries
    assert "libx265" not in libraries

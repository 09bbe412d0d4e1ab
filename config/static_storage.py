"""The storage of static files in production: compressed, with a content hash in the name."""

from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django's own patterns also match types in comments of libraries, and fail at missing files.
IMPORT = (
    r'(?P<matched>\b(?P<word>import|from) "(?P<url>\.{1,2}/[\w/-]+\.js)";)',
    '%(word)s "%(url)s";',
)


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Imports between modules get hashed names too; otherwise a browser could mix those of two releases."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("*.js", (IMPORT,)))

    def file_hash(self, name: str, content: Any = None) -> str | None:
        """Of 8 letters, not of 12: a page names its file of icons sixty times."""
        hashed: str | None = super().file_hash(name, content)
        return hashed and hashed[:8]

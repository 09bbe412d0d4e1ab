"""The storage of static files in production: compressed, with a content hash in the name."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django's own patterns also match types in comments of libraries, and fail at missing files.
IMPORT = (
    r'(?P<matched>\b(?P<word>import|from) "(?P<url>\.{1,2}/[\w/-]+\.js)";)',
    '%(word)s "%(url)s";',
)


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Imports between modules get hashed names too; otherwise a browser could mix those of two releases."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("*.js", (IMPORT,)))

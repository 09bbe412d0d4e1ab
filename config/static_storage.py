"""The static files of production: compressed, and named after their content, so browsers may keep them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django's own patterns for this also match types in comments of libraries, and then miss a file.
IMPORT = (
    r'(?P<matched>\b(?P<word>import|from) "(?P<url>\.{1,2}/[\w/-]+\.js)";)',
    '%(word)s "%(url)s";',
)


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Modules import each other by these names too; otherwise a browser may mix those of two releases."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("*.js", (IMPORT,)))

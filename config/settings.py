"""Every setting comes from an environment variable; `.env.example` lists them all."""

from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import django_prose_editor
from csp import constants as csp
from django.core.exceptions import ImproperlyConfigured

from config import messages
from config.local import data_folder
from core.common import env, logs

BASE_DIR = Path(__file__).resolve().parent.parent
DEBUG = env.flag("DEBUG", default=False)

# --- Who we are on the network --------------------------------------------------------------------

SHORTEST_SECRET_KEY = 50
SECRET_KEY = env.required(
    "SECRET_KEY",
    why=f"it signs cookies and page tokens; {SHORTEST_SECRET_KEY} random characters or more.",
)
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
if not DEBUG and len(SECRET_KEY) < SHORTEST_SECRET_KEY:
    raise ImproperlyConfigured(
        f"SECRET_KEY must have {SHORTEST_SECRET_KEY} characters or more, not {len(SECRET_KEY)}."
    )
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS") or (["127.0.0.1", "localhost"] if DEBUG else [])
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
if not DEBUG and not ALLOWED_HOSTS:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS must name the hosts this site answers for, separated by commas."
    )

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

# --- Django without a relational database ---------------------------------------------------------

DATABASES: dict[str, dict[str, str]] = {}
INSTALLED_APPS = [
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "config",
    "core.dynamo",
    "core.accounts",
    "core.stores",
    "core.crud",
    "core.people",
    "desk",
    "api",
    "cms",
    "scouting",
    "quests",
    "tracker",
    # Last, so that on Home the tasks of the domains come first.
    "core.webhooks",
]
MIDDLEWARE = [
    "config.middleware.RequestLogMiddleware",
    "config.middleware.LocaleMiddleware",
    # Those down to WhiteNoise are outermost: errors and redirects of all others get their headers too.
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.SecurityHeadersMiddleware",
    # Outside of all that may answer an error: other sites are to be able to read that too.
    "corsheaders.middleware.CorsMiddleware",
    "api.middleware.ProblemMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Outside of PrivatePagesMiddleware, so that only responses that may be stored get an ETag.
    "django.middleware.http.ConditionalGetMiddleware",
    "config.middleware.PrivatePagesMiddleware",
    "config.middleware.HealthMiddleware",
    "config.middleware.BacklogMiddleware",
    "config.middleware.DataLayerMiddleware",
    "config.middleware.ClubMiddleware",
    "core.accounts.languages.LanguageMiddleware",
    "core.accounts.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "core.accounts.middleware.UserMiddleware",
    "core.accounts.middleware.RightsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "core.crud.toasts.ToastsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "core.accounts.context.person",
                "desk.theme.theme",
            ],
            "builtins": [
                "template_partials.templatetags.partials",
                "core.crud.templatetags.builtins",
                "desk.templatetags.shell",
                "cms.templatetags.website",
            ],
            # Configured here: as an installed app, template_partials imports Django's admin.
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [("django.template.loaders.cached.Loader", ["config.template_loader.Loader"])],
                ),
            ],
        },
    },
]
FORM_RENDERER = "core.crud.form_renderer.FormRenderer"

# --- The club --------------------------------------------------------------------------------------
# Defaults, until an administrator saves the settings of the club: see `core.club`.

CLUB_NAME = env.text("CLUB_NAME", default="Fieldhouse")
# The language of the club's content; the user interface may have another one.
CLUB_LANGUAGE = env.matching(
    "CLUB_LANGUAGE", r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", default="de", rule="a language such as de or pt-BR"
)

# --- Where records are kept -----------------------------------------------------------------------

AWS_REGION = env.matching(
    "AWS_REGION",
    r"[a-z]{2}(-[a-z]+)+-\d",
    default=env.text("AWS_DEFAULT_REGION", default="eu-central-1"),
    rule="a region such as eu-central-1",
)
# Part of the name of the tracker's table.
ENVIRONMENT = env.matching(
    "ENVIRONMENT", r"[A-Za-z0-9_.-]{1,40}", default="test", rule="a short name such as test or prod"
)
DYNAMODB_ENDPOINT = env.address("DYNAMODB_ENDPOINT", "AWS_ENDPOINT_URL_DYNAMODB")
TABLE_PREFIX = env.matching(
    "TABLE_PREFIX",
    r"[A-Za-z0-9_.-]{0,100}",
    default="",
    rule="at most 100 letters, digits, dots, dashes or underscores",
)
DYNAMODB_MAX_ATTEMPTS = env.number("AWS_SDK_MAX_ATTEMPTS", default=3, least=1, most=10)
# The timeout of one read from DynamoDB, and the total time that a web request may wait for it.
DYNAMODB_READ_SECONDS = 0.7
DYNAMODB_REQUEST_SECONDS = 2.5
DYNAMODB_POOL_SIZE = env.number("DYNAMODB_POOL_SIZE", default=50, least=1, most=1000)

# --- Where files are kept: Amazon S3 ----------------------------------------------------------------

MEDIA_BUCKET = env.text("MEDIA_BUCKET")
S3_ENDPOINT = env.address("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
BUCKET_ADDRESS = env.bucket_address(MEDIA_BUCKET, S3_ENDPOINT, AWS_REGION)
# The base URL of files for browsers; in production that of the CloudFront distribution.
MEDIA_PUBLIC_URL = env.address("MEDIA_PUBLIC_URL") or BUCKET_ADDRESS

# --- Quests ------------------------------------------------------------------------------------------

# The half-life of reputation in days.
QUEST_REPUTATION_HALF_LIFE_DAYS = env.number(
    "QUEST_REPUTATION_HALF_LIFE_DAYS", default=180, least=1, most=3650
)
# The most quests that one user can have claimed at the same time.
QUEST_MOST_CLAIMS = env.number("QUEST_MOST_CLAIMS", default=5, least=1, most=100)
# The most XP that two users together can earn in a month with the quests of each other.
QUEST_MONTHLY_XP_BETWEEN_TWO = env.number(
    "QUEST_MONTHLY_XP_BETWEEN_TWO", default=1000, least=10, most=1_000_000
)
# Feature flags of the board: see `quests.flags`.
QUEST_FLAG = r"true|false|internal|\d{1,2}%|100%"
QUEST_FLAG_RULE = "true, false, internal or a share such as 25%"
QUEST_FLAGS = {
    "FF_REWARD_DISTRIBUTION": env.matching(
        "FF_REWARD_DISTRIBUTION",
        r"true|false|\d{1,2}%|100%",
        default="true",
        rule="true, false or a share such as 25%",
    ),
    "FF_DISPUTE_RESOLUTION": env.matching(
        "FF_DISPUTE_RESOLUTION", QUEST_FLAG, default="true", rule=QUEST_FLAG_RULE
    ),
}

# --- Moving from Payload ----------------------------------------------------------------------------

KEEP_LEXICAL = env.flag("KEEP_LEXICAL", default=False)

# --- Who people are: Amazon Cognito -----------------------------------------------------------------

COGNITO_USER_POOL_ID = env.text("COGNITO_USER_POOL_ID")
COGNITO_CLIENT_ID = env.text("COGNITO_CLIENT_ID")
COGNITO_DOMAIN = env.address("COGNITO_DOMAIN") or ""
COGNITO_ENDPOINT = env.address("AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER")
COGNITO_ISSUER = f"https://cognito-idp.{AWS_REGION}.amazonaws.com/{COGNITO_USER_POOL_ID}"
# ministack issues tokens with the issuer of AWS, but serves its documents at its own URL.
COGNITO_DOCUMENTS = f"{COGNITO_ENDPOINT}/{COGNITO_USER_POOL_ID}" if COGNITO_ENDPOINT else COGNITO_ISSUER
COGNITO_JWKS_URL = f"{COGNITO_DOCUMENTS}/.well-known/jwks.json"
if not DEBUG and not (COGNITO_USER_POOL_ID and COGNITO_CLIENT_ID and COGNITO_DOMAIN):
    raise ImproperlyConfigured(
        "COGNITO_USER_POOL_ID, COGNITO_CLIENT_ID and COGNITO_DOMAIN must be set: nobody could sign in."
    )

LOGIN_URL = "accounts:login"
SESSION_ENGINE = "core.stores.sessions"
SESSION_COOKIE_AGE = env.number("SESSION_DAYS", default=7, least=1, most=90) * 24 * 3600
SESSION_IDLE_AGE = env.number("SESSION_IDLE_HOURS", default=12, least=1, most=24 * 90) * 3600
CSRF_FAILURE_VIEW = "core.accounts.views.csrf_failure"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

# --- SAMS: the league system of the volleyball associations ------------------------------------------

SAMS_BASE_URL = env.matching(
    "SAMS_BASE_URL",
    r"https://[A-Za-z0-9.-]+(:\d+)?(/\S*)?",
    default="https://www.volleyball-baden.de/api/v2",
    rule="an https address",
).rstrip("/")
# Without a key and a club no requests are sent, and pages show the stored data.
SAMS_API_KEY = env.text("SAMS_API_KEY")
SAMS_CLUB = env.text("SAMS_CLUB")
SAMS_ASSOCIATION = env.text("SAMS_ASSOCIATION", default="Südbadischer Volleyball-Verband")
# This association is missing from the API's list and can be read only by its uuid.
SAMS_ASSOCIATION_UUID = env.text("SAMS_ASSOCIATION_UUID", default="2b7571b5-f985-c552-ea1c-f819ed3811c1")
SAMS_LOGO_ORIGINS = env.words("SAMS_LOGO_ORIGINS") or ["https://dvv.sams-server.de"]

# --- The Blue Alliance: teams and matches of robotics events -----------------------------------------

TBA_BASE_URL = env.matching(
    "TBA_BASE_URL",
    r"https://[A-Za-z0-9.-]+(:\d+)?(/\S*)?",
    default="https://www.thebluealliance.com/api/v3",
    rule="an https address",
).rstrip("/")
# Without a key no requests are sent, and scouting leads enter teams and matches by hand.
TBA_KEY = env.text("TBA_KEY")

# --- Stores: cache, dedupe, limits ----------------------------------------------------------------

# "memory" stores them in the process: only for a site with a single process.
STORES = env.matching("STORES", "dynamodb|memory", default="dynamodb", rule="dynamodb or memory")
STORE_METRICS = env.flag("STORE_METRICS", default=False)
STORES_DASHBOARD_READ_ONLY = env.flag("STORES_DASHBOARD_READ_ONLY", default=False)
CACHES = {
    "default": {
        "BACKEND": "core.stores.cache.DynamoDBCache"
        if STORES == "dynamodb"
        else "django.core.cache.backends.locmem.LocMemCache"
    },
    # Public pages for a minute in each process; a hit needs no request to DynamoDB.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 300},
    },
}

# --- Webhooks -------------------------------------------------------------------------------------

# A developer's machine may send to itself, and without https.
WEBHOOKS_TO_LOOPBACK = DEBUG

# --- Mail -----------------------------------------------------------------------------------------
# A developer's machine stores mails as files with its other data.

EMAIL_HOST = env.text("EMAIL_HOST", default="" if DEBUG else "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", default=587, least=1, most=65_535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_SSL = env.flag("EMAIL_USE_SSL", default=False)
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=not EMAIL_USE_SSL)
if EMAIL_USE_SSL and EMAIL_USE_TLS:
    raise ImproperlyConfigured("EMAIL_USE_SSL and EMAIL_USE_TLS exclude each other: set only one of them.")
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = data_folder() / "mail"
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", default="Fieldhouse <fieldhouse@localhost>")

# --- Language and time ----------------------------------------------------------------------------

LANGUAGE_CODE = messages.SOURCE
LANGUAGES = messages.languages()
LOCALE_PATHS = [messages.LOCALE]
USE_I18N = True
FORMAT_MODULE_PATH = ["config.formats"]
USE_TZ = True
TIME_ZONE = env.text("CLUB_TIME_ZONE", default="Europe/Berlin")
try:
    ZoneInfo(TIME_ZONE)
except (ZoneInfoNotFoundError, ValueError) as error:
    raise ImproperlyConfigured(
        f"CLUB_TIME_ZONE must be a time zone such as Europe/Berlin, not {TIME_ZONE!r}."
    ) from error

# --- Static files ---------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
# The editor's Tiptap bundle; as an installed app it would import unused widgets and model fields.
PROSE_EDITOR = Path(django_prose_editor.__file__).parent / "static"
STATICFILES_DIRS = [BASE_DIR / "static", PROSE_EDITOR]
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site has a use for them
STORAGES = {
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_storage.ModuleStorage"
    },
}

# --- Security -------------------------------------------------------------------------------------

SECURE_SSL_REDIRECT = not DEBUG
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # load balancers ask over plain HTTP
BEHIND_PROXY = env.flag("BEHIND_PROXY", default=False)
PROXY_COUNT = env.number("PROXY_COUNT", default=1, least=1, most=9)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
# How long browsers insist on HTTPS, which cannot be taken back. Subdomains are a setting of their own,
# because other sites below the domain may not support it.
TWO_YEARS = 63_072_000
HSTS_SECONDS = env.number("HSTS_SECONDS", default=TWO_YEARS, least=0, most=TWO_YEARS)
SECURE_HSTS_SECONDS = 0 if DEBUG else HSTS_SECONDS
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
# Far more than any field allows, so that a text that is too long is an error of its field.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 20
FILE_UPLOAD_HANDLERS = [
    "config.uploads.BoundedUploadHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Browsers accept a __Host- cookie only over HTTPS, from this host and for the whole site.
SESSION_COOKIE_NAME = "fieldhouse_session" if DEBUG else "__Host-session"
SESSION_COOKIE_SECURE = not DEBUG
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "fieldhouse_csrf" if DEBUG else "__Host-csrf"
CSRF_COOKIE_SECURE = not DEBUG
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
THEME_COOKIE_NAME = "fieldhouse_theme" if DEBUG else "__Host-theme"
MENU_COOKIE_NAME = "fieldhouse_menu" if DEBUG else "__Host-menu"

# Other origins that browsers use: pictures, the bucket for uploads, and the sign-in pages.
BUCKET_ORIGINS = [env.origin(BUCKET_ADDRESS)] if BUCKET_ADDRESS else []
PICTURE_ORIGINS = [env.origin(MEDIA_PUBLIC_URL)] if MEDIA_PUBLIC_URL else []
LOGIN_ORIGINS = [env.origin(COGNITO_DOMAIN)] if COGNITO_DOMAIN else []
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [csp.NONE],
        # Every script is a static file, so none needs a nonce.
        "script-src": [csp.SELF],
        "style-src": [csp.SELF],
        "img-src": [csp.SELF, *PICTURE_ORIGINS],
        "connect-src": [csp.SELF, *BUCKET_ORIGINS],
        "font-src": [csp.SELF],
        "manifest-src": [csp.SELF],
        "worker-src": [csp.SELF],
        "form-action": [csp.SELF, *LOGIN_ORIGINS],
        "frame-ancestors": [csp.NONE],
        "base-uri": [csp.NONE],
        "object-src": [csp.NONE],
        "upgrade-insecure-requests": not DEBUG,
    }
}

# --- The API for pages of other sites ---------------------------------------------------------------
# They send tokens only: without credentials, browsers keep the session of this site to themselves.

CORS_URLS_REGEX = r"^/api/"
CORS_ALLOWED_ORIGINS = env.origins("API_ORIGINS")
CORS_ALLOW_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
CORS_ALLOW_HEADERS = (
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
)
CORS_EXPOSE_HEADERS = ("allow", "etag", "location", "retry-after", "www-authenticate", "x-request-id")

# --- Logs -----------------------------------------------------------------------------------------

LOGGING = logs.configuration(
    level=env.matching(
        "LOG_LEVEL", "DEBUG|INFO|WARNING|ERROR", default="INFO", rule="DEBUG, INFO, WARNING or ERROR"
    ),
    as_json=not DEBUG,
)

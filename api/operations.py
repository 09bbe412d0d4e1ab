"""Declares the operations of the API, each with its right, and describes them in openapi.json."""

import inspect
from collections.abc import Callable, Mapping
from http.client import responses
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext_lazy as _
from ninja import NinjaAPI, Router
from ninja.constants import NOT_SET
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.types import TCallable
from pydantic import BaseModel

from api.auth import Bearer, ByAddress, Session
from api.fields import REFUSED_BY
from api.problems import CONTENT_TYPE, FieldError, data_problem, problem
from core.accounts.rights import PUBLIC, requires
from core.dynamo.errors import DataError, Invalid, KeyReused, TooLarge
from core.dynamo.idempotency import LONGEST_KEY

PREFIX = "/api/v1"
# A token that is not valid is refused also where nobody needs one.
PUBLIC_ERRORS = (400, 401, 429, 503)
READ_ERRORS = (400, 401, 403, 429, 503)
WRITE_ERRORS = (*READ_ERRORS, 409, 413, 422)
# The path parameters of an address name what may not exist.
OF_A_RECORD = (404,)
OF_A_VERSION = (412, 428)

IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
    "description": "The same for every retry: what was done already is answered, and not done again.",
}
IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "required": True,
    "schema": {"type": "string", "pattern": '^"[0-9]{1,18}"$'},
    "description": "The ETag of the version that was changed.",
}
REUSED = _("This Idempotency-Key was used for a request with other contents. Send a new one.")
ETAG = {"schema": {"type": "string"}, "description": "The version, for If-Match and If-None-Match."}
LOCATION = {"schema": {"type": "string"}, "description": "The address of the record."}
SCHEMA_REF = "#/components/schemas/{model}"


class Problem(BaseModel):
    """Problem details (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str | None = None
    errors: list["ProblemField"] | None = None


class ProblemField(BaseModel):
    """What is wrong with one field: `pointer` is a JSON pointer such as /body/matchNumber or /query/limit."""

    pointer: str
    detail: str


class Operations:
    """The operations of one part of the API, declared as `@part.get("/events", right=…, answer=…)`."""

    def __init__(self, tag: str) -> None:
        self.router = Router(tags=[tag])

    def get(
        self, path: str, *, right: str, answer: Any, etag: bool = False
    ) -> Callable[[TCallable], TCallable]:
        """A read. HEAD is answered as well; Django leaves out the body."""
        return self._operation(["GET", "HEAD"], path, right, {200: answer}, READ_ERRORS, etag=etag)

    def get_public(self, path: str, *, answer: Any) -> Callable[[TCallable], TCallable]:
        """A read for everybody, without a user."""
        return self._operation(["GET", "HEAD"], path, PUBLIC, {200: answer}, PUBLIC_ERRORS)

    def get_file(self, path: str, *, right: str, kind: str) -> Callable[[TCallable], TCallable]:
        """A read of a file of a media type, such as image/*."""
        content = {kind: {"schema": {"type": "string", "format": "binary"}}}
        return self._operation(["GET", "HEAD"], path, right, {200: None}, READ_ERRORS, content=content)

    def post(self, path: str, *, right: str, answer: Any) -> Callable[[TCallable], TCallable]:
        """A write that makes a record: 201, or 200 with the stored one for a retry."""
        answers = {201: answer, 200: answer}
        errors = (*WRITE_ERRORS, *OF_A_RECORD)
        return self._operation(
            ["POST"], path, right, answers, errors, headers=[IDEMPOTENCY_KEY], etag=True, location=True
        )

    def change(self, method: str, path: str, *, right: str, answer: Any) -> Callable[[TCallable], TCallable]:
        """A PATCH or PUT of a version that the sender has seen."""
        errors = (*WRITE_ERRORS, *OF_A_VERSION)
        return self._operation(
            [method], path, right, {200: answer}, errors, headers=[IDEMPOTENCY_KEY, IF_MATCH], etag=True
        )

    def act(
        self,
        method: str,
        path: str,
        *,
        right: str,
        answer: Any = None,
        is_once: bool = False,
        errors: tuple[int, ...] = (),
    ) -> Callable[[TCallable], TCallable]:
        """A write that needs no version; `is_once` if it takes an Idempotency-Key.

        `errors` are further ones, such as 404 where the body names a record.
        """
        answers = {204: None} if answer is None else {200: answer}
        headers = [IDEMPOTENCY_KEY] if is_once else None
        return self._operation([method], path, right, answers, (*WRITE_ERRORS, *errors), headers=headers)

    def delete(self, path: str, *, right: str) -> Callable[[TCallable], TCallable]:
        """A delete; with If-Match, only of that version."""
        errors = (*WRITE_ERRORS, 412)
        return self._operation(
            ["DELETE"], path, right, {204: None}, errors, headers=[IF_MATCH | {"required": False}]
        )

    def _operation(
        self,
        methods: list[str],
        path: str,
        right: str,
        answers: Mapping[int, Any],
        errors: tuple[int, ...],
        *,
        headers: list[dict[str, Any]] | None = None,
        etag: bool = False,
        location: bool = False,
        content: dict[str, Any] | None = None,
    ) -> Callable[[TCallable], TCallable]:
        statuses = sorted({*errors, *(OF_A_RECORD if "{" in path else ())})
        sent = ({"ETag": ETAG} if etag else {}) | ({"Location": LOCATION} if location else {})
        more = ({"headers": sent} if sent else {}) | ({"content": content} if content else {})
        # As text: Ninja would make a model of its own of each, and a worker hold some 20 MB of them.
        described = dict.fromkeys(answers, more) | {status: _problem_response(status) for status in statuses}
        extra: dict[str, Any] = {"responses": described} | ({"parameters": headers} if headers else {})

        def declare(view: TCallable) -> TCallable:
            summary, _blank, description = inspect.cleandoc(view.__doc__ or "").partition("\n")
            operation = self.router.api_operation(
                methods,
                path,
                response=dict(answers),
                operation_id=view.__name__,
                summary=summary.rstrip("."),
                description=description.strip() or None,
                by_alias=True,
                auth=None if right == PUBLIC else NOT_SET,
                throttle=[ByAddress()] if right == PUBLIC else NOT_SET,
                openapi_extra=extra,
            )
            return operation(requires(right)(view))

        return declare


class API(NinjaAPI):
    """Ninja's, with the rights of each method at the views, and problem details for errors."""

    def __init__(self, **options: Any) -> None:
        super().__init__(openapi_url=None, docs_url=None, auth=[Bearer(), Session()], **options)

    def set_default_exception_handlers(self) -> None:
        """Ours in place of Ninja's. What has none is left to Django: with DEBUG, Ninja would answer 500 even
        where a permission is refused."""
        self.add_exception_handler(DataError, _data_error)
        self.add_exception_handler(ValidationError, _not_valid)
        self.add_exception_handler(HttpError, _http_error)
        # Django answers it with 400.
        self.add_exception_handler(RequestDataTooBig, lambda _request, _error: data_problem(TooLarge()))

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        # The last one is the root, which is no operation.
        urls = super()._get_urls()[:-1]
        for url in urls:
            view: Any = url.callback
            # Ninja's view is a closure over the operations of its path. One without a right fails here.
            path = inspect.getclosurevars(view).nonlocals["self"]
            view.rights_by_method = {
                method: operation.view_func.rights
                for operation in path.operations
                for method in operation.methods
            }
        return urls

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=PREFIX, **options)
        problem_schema = Problem.model_json_schema(mode="serialization", ref_template=SCHEMA_REF)
        schema["components"]["schemas"] |= problem_schema.pop("$defs") | {"Problem": problem_schema}
        for operations in schema["paths"].values():
            # It would have the id of its GET; the description of the API says that there is one for each.
            operations.pop("head", None)
            for operation in operations.values():
                # Ninja's is the whole docstring where it has but one sentence.
                if operation["description"].rstrip(".") == operation["summary"]:
                    del operation["description"]
                for parameter in operation["parameters"]:
                    parameter["schema"] = _without_null(parameter["schema"])
        return schema


def _problem_response(status: int) -> dict[str, Any]:
    schema = {"$ref": SCHEMA_REF.format(model=Problem.__name__)}
    return {"description": responses[status], "content": {CONTENT_TYPE: {"schema": schema}}}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter: one that may be left out cannot be sent as null."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    common = {name: value for name, value in schema.items() if name not in ("anyOf", "title", "description")}
    return common | kinds[0] if len(kinds) == 1 else common


class InvalidFields(Invalid):
    """What is wrong with fields of the body, by their names in it."""

    def __init__(self, errors: list[FieldError]) -> None:
        super().__init__()
        self.errors = errors


def _data_error(request: HttpRequest, error: DataError | type[DataError]) -> HttpResponse:
    assert isinstance(error, DataError)  # noqa: S101
    if isinstance(error, InvalidFields):
        return problem(error.status_code, error.message, errors=error.errors)
    if isinstance(error, KeyReused):
        # Its own text is about the form of a page.
        return problem(error.status_code, REUSED)
    # A conflict is with another record, whatever the service calls the field by which it was noticed.
    has_place = error.field and error.status_code in (400, 404, 422)
    return data_problem(error, pointer=f"/body/{_camel_case(error.field or '')}" if has_place else "")


def _not_valid(request: HttpRequest, error: ValidationError | type[ValidationError]) -> HttpResponse:
    assert isinstance(error, ValidationError)  # noqa: S101
    errors = [FieldError(_pointer(each["loc"]), _in_words(each)) for each in error.errors]
    return problem(Invalid.status_code, Invalid.message, errors=errors)


def _http_error(request: HttpRequest, error: HttpError | type[HttpError]) -> HttpResponse:
    assert isinstance(error, HttpError)  # noqa: S101
    return problem(error.status_code, error.message)


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


def _in_words(error: Mapping[str, Any]) -> str:
    """What pydantic says, without the names of exceptions and the patterns of texts."""
    refusal = REFUSED_BY.get(error.get("ctx", {}).get("pattern"))
    return refusal or error["msg"].removeprefix("Value error, ")


def _pointer(place: tuple[str | int, ...]) -> str:
    """Without the name that the argument has in Python: (body, form, matchNumber) is /body/matchNumber."""
    parts = [place[0], *place[2:]] if len(place) > 2 else place
    return "/" + "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in parts)

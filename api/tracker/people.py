"""People of the tracker: oneself, and everybody for administrators."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from ninja import Query

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import Operations
from api.tracker import documents
from api.tracker import team_schemas as schemas
from api.tracker.bodies import posted
from core.accounts import sessions
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Replayed
from core.stores import idempotency
from tracker import repository
from tracker.people import services
from tracker.people.forms import ProfileForm
from tracker.people.models import Profile

part = Operations("Softball people")
ME = "me"
# The fields of the form by their names in the body.
NAMES = {"firstName": "first_name", "lastName": "last_name", "phoneNumber": "phone_number"}


@part.get("/users", right="tracker.all.view", answer=list[schemas.TrackerUser] | PageOf[schemas.TrackerUser])
def list_tracker_users(request: SignedInRequest, query: Query[ListQuery]) -> HttpResponse:
    """Everybody, for administrators, the newest first."""
    fields = documents.attributes_of(documents.USER, query.only)

    read = partial(repository.profiles.all, fields=fields, newest_first=True)
    return listing(request, query, read, lambda found: documents.document(found, documents.USER, query.only))


@part.get("/users/context", right="tracker.team.view", answer=schemas.UserContext)
def get_tracker_context(request: SignedInRequest) -> HttpResponse:
    """Whether you have personal teams and others."""
    memberships = repository.profiles.belonging(request.user.sub).active
    teams = [each for each in repository.teams.with_ids(memberships).values() if not each.is_deleted]
    return answers.answer(
        {
            "has_personal_context": any(team.is_personal for team in teams),
            "has_managed_context": any(not team.is_personal for team in teams),
        }
    )


@part.get("/users/{key}", right="tracker.team.view", answer=schemas.TrackerUser, etag=True)
def get_tracker_user(request: SignedInRequest, key: str, query: Query[ItemQuery]) -> HttpResponse:
    """Yourself, as me or by your userId; administrators get everybody."""
    return _answer(services.profile_of(request.user, _id_of(request, key)), query.only)


@part.change("PUT", "/users/{key}", right="tracker.team.view", answer=schemas.TrackerUser)
def change_tracker_user(request: SignedInRequest, key: str, body: schemas.UserChange) -> HttpResponse:
    """Change your names and your telephone number. What is left out stays; null removes the number."""
    user, user_id, version = request.user, _id_of(request, key), answers.seen_version(request)
    initial = ProfileForm.initial_of(services.profile_of(user, user_id))
    fields = valid(ProfileForm(initial | posted(body, NAMES)), NAMES).cleaned_data
    try:
        with answers.precondition():
            saved = services.edit_profile(
                user, user_id, fields, seen_version=version, once=idempotency.once(request)
            )
    except Replayed:
        return _answer(services.profile_of(user, user_id))
    if user_id == user.sub and saved.name != user.name:
        _rename(request, saved.name)
    return _answer(saved)


@part.delete("/users/{key}", right="tracker.team.view")
def delete_tracker_user(request: SignedInRequest, key: str) -> HttpResponse:
    """Ask for the deletion of your profile, which is done after 30 days; your figures stay without a name.

    409 if you own teams: hand them over or delete them first.
    """
    user, user_id = request.user, _id_of(request, key)
    version = answers.version_to_delete(request, lambda: services.profile_of(user, user_id))
    with answers.precondition():
        services.ask_to_delete(user, user_id, seen_version=version)
    return answers.no_content()


@part.act("POST", "/users/{key}/keep", right="tracker.team.view", answer=schemas.TrackerUser)
def keep_tracker_user(request: SignedInRequest, key: str) -> HttpResponse:
    """Take back the deletion."""
    return _answer(services.keep(request.user, _id_of(request, key)))


def _id_of(request: SignedInRequest, key: str) -> str:
    return request.user.sub if key == ME else key


def _rename(request: HttpRequest, name: str) -> None:
    """The session of a browser knows the name; a token has none."""
    if "Authorization" not in request.headers:
        sessions.rename(request, name)


def _answer(profile: Profile, only: tuple[str, ...] = ()) -> HttpResponse:
    return answers.answer(documents.document(profile, documents.USER, only), version=profile.seen_version)

"""The page for a comment about a team."""

from django.utils.translation import gettext as _

from core.accounts.rights import requires
from scouting.forms import services as forms
from scouting.forms.forms import CommentEntry
from scouting.forms.models import CommentForm
from scouting.forms.views.submit import SubmitPage


@requires("scouting.form.create")
class Comment(SubmitPage[CommentEntry]):
    form_class = CommentEntry
    template = "scouting/forms/comment.html"
    route = "scouting:comment"
    # No partial for an existing form: a team can have any number of comments.
    told_apart = (forms.Deleted,)

    def submit(self) -> CommentForm:
        return forms.submit_comment(self.request.user, self.form.fields_of(), once=self.once)

    def message(self) -> str:
        return _("Your comment about %(team)s is saved.") % {"team": self.sent.team}

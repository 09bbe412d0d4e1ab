"""Scouting forms as their document shows them: answers at the top level, beside the fields of the form."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from api.fields import photos
from core.dynamo.attributes import unwrap
from scouting.forms.flat_answers import BOXES
from scouting.forms.services import KINDS

# Choices that follow from several answers of other programs.
FOLLOWING = {*BOXES, "climbLevel", "climbPosition"}
# Index keys, counters, and attributes that the document has under another name.
HIDDEN = {"pk", "sk", "gsi1_pk", "gsi1_sk", "gsi2_pk", "refs", "moved_from"}


class FormDocument(NamedTuple):
    """How a kind of form is read and shown. `answers` is the attribute that holds the answers, if any."""

    kind: str
    answers: str
    # The attributes of the form by their names in the document.
    names: Mapping[str, str]
    # The names of all its attributes in DynamoDB.
    stored: frozenset[str]
    # The attributes that follow from the answers.
    computed: frozenset[str]

    def of(self, form: Any, only: Iterable[str] = ()) -> dict[str, Any]:
        """The form as JSON: everything, or only these fields of the document."""
        values = form.attribute_values
        document = dict(values.get(self.answers) or {})
        # A form of another program stores its answers flat already, under names of its own.
        document |= {name: unwrap(value) for name, value in form.stored.items() if name not in self.stored}
        for name, attribute in self.names.items():
            value = values.get(attribute)
            document[name] = SHOWN[attribute](value) if attribute in SHOWN else value
        document["key"] = KINDS[self.kind].key_of(form)
        return {name: document[name] for name in only if name in document} if only else document

    def attributes(self, only: Iterable[str]) -> tuple[str, ...]:
        """The attributes to read for these fields; none stands for all.

        What is no field of the form is an answer: in our map, or as another program has stored it. What it
        does not store follows from its other answers.
        """
        computed = {self.names[name] for name in only if name in self.names} & self.computed
        if not only or computed or not FOLLOWING.isdisjoint(only):
            return ()
        own = [self.names.get(name, self.answers) for name in only if name != "key"]
        flat = [name for name in only if self.answers and name not in {*self.names, "key"}]
        return tuple(dict.fromkeys([*filter(None, own), *flat, "version"]))


def _document(kind: str, answers: str = "") -> FormDocument:
    model = KINDS[kind].model
    attributes = model.get_attributes()
    names = {each.attr_name: name for name, each in attributes.items() if name not in {*HIDDEN, answers}}
    stored = frozenset(each.attr_name for each in attributes.values())
    return FormDocument(kind, answers, names, stored, frozenset(getattr(model, "computed", ())))


SHOWN: Mapping[str, Callable[[Any], Any]] = {"photos": photos}
STAND, PIT, COMMENT = _document("stand", "scores"), _document("pit", "answers"), _document("comment")

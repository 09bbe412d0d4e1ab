"""Deletion of one record: confirmed first, refused while others use it, with an undo in the toast.

A resource with `can_remove_uses` offers to remove the references as well.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.crud import services
from core.crud.confirm_page import ConfirmPage
from core.crud.resource import Resource
from core.crud.toasts import Undo
from core.crud.where_used import uses_of
from core.dynamo.errors import InUse
from core.dynamo.items import Item
from core.dynamo.trash import KEPT_FOR


class Delete(ConfirmPage):
    template = "core/crud/delete.html"

    def load(self) -> None:
        self.resource: Resource = self.kwargs["resource"]
        self.resource.ensure(self.request.user, "delete", self.object)

    def get_object(self) -> Item:
        record: Item = self.resource.repository.get(self.kwargs["key"], strong=True)
        return record

    def save(self) -> None:
        user = self.request.user
        if self.resource.can_remove_uses and "remove_uses" in self.request.POST:
            self.resource.remove_with_uses(user, self.object, seen_version=self.seen_version)
        else:
            services.delete(user, self.resource, self.object, seen_version=self.seen_version)

    def context(self) -> Mapping[str, Any]:
        key, is_asked = self.kwargs["key"], self.request.method != "POST"
        problem = InUse() if is_asked and self.resource.repository.uses_of(self.object) else self.problem
        is_used = isinstance(problem, InUse)
        return {
            "resource": self.resource,
            "label": self._label,
            "version": self.object.seen_version,
            "to": self.resource.record_addresses(key),
            "days": KEPT_FOR.days,
            "problem": problem,
            "is_used": is_used,
            "uses": uses_of(self.request.user, self.resource, key) if is_used else [],
        }

    def message(self) -> str:
        return _("“%(label)s” was deleted.") % {"label": self._label}

    def undo(self) -> Undo:
        return Undo(self.resource.address("restore"), {"key": self.kwargs["key"]})

    def success_url(self) -> str:
        return self.resource.list_address

    @property
    def _label(self) -> str:
        return self.resource.repository.label_of(self.object) or _("Untitled")

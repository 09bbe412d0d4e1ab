"""Steps of a quest as its page sends them."""

from django.test import Client

from tests.cast import sign_in

NOTE = "Bitte auch das rechte Netz spannen."


def send(role, quest, verb, fields=None, **headers):
    return sign_in(Client(), role).post(f"/quests/{quest.id}/do/{verb}", fields or {}, headers=headers)

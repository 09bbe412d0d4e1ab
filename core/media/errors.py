"""Errors of uploads, with translated messages."""

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import DataError, Unavailable


class UploadRefused(DataError):
    """The file is invalid or not allowed, so a retry does not help."""

    status_code = 422
    message = _("This file cannot be used.")


class NotAPicture(UploadRefused):
    message = _("This is not a picture. Use a JPEG, PNG, WebP, GIF or HEIC file.")


class FilesUnavailable(Unavailable):
    message = _("Files are unavailable right now. Try again in a moment.")


class Busy(Unavailable):
    message = _("Too many files are being processed. Try again in a few seconds.")

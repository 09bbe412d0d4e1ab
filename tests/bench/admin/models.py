"""An article with the fields and the indexes that ours has."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Tag(models.Model):
    name = models.CharField(max_length=50, unique=True)

    class Meta:
        app_label = "admin_of_bench"

    def __str__(self) -> str:
        return self.name


class Picture(models.Model):
    file = models.ImageField()

    class Meta:
        app_label = "admin_of_bench"

    def __str__(self) -> str:
        return self.file.name or ""


class Article(models.Model):
    """Ours has several authors, pictures and tags."""

    title = models.CharField(max_length=200)
    slug = models.SlugField(max_length=200, unique=True)
    status = models.CharField(
        max_length=10,
        choices=[("draft", "Draft"), ("published", "Published"), ("archived", "Archived")],
        default="draft",
    )
    text = models.TextField(blank=True)
    excerpt = models.CharField(max_length=500, blank=True)
    authors = models.ManyToManyField(settings.AUTH_USER_MODEL)
    pictures = models.ManyToManyField(Picture, blank=True)
    tags = models.ManyToManyField(Tag, blank=True)
    published_date = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "admin_of_bench"
        ordering = ["-created_at"]
        verbose_name_plural = "news"
        indexes = [
            models.Index(fields=["-created_at"], name="by_age"),
            models.Index(fields=["status", "-published_date"], name="by_published_date"),
        ]

    def __str__(self) -> str:
        return self.title

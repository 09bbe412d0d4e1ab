from django.apps import AppConfig


class BenchAdminConfig(AppConfig):
    name = "tests.bench.admin"
    label = "admin_of_bench"

"""The floor: one bare botocore call and a small template for each operation, without any rule of ours."""

"""Files and pictures: validation, conversion, and storage in S3."""

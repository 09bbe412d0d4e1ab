"""Local stand-ins for AWS in tests and `manage.py dev`: dynoxide is DynamoDB, ministack is Cognito and S3."""

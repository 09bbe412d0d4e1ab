"""Cache, dedupe, rate limits and sessions in DynamoDB, and the outbound HTTP client built on them."""

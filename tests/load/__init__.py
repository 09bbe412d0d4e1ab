"""A club's busiest day against a DynamoDB that is like AWS: `make load`."""

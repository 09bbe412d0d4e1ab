"""Personal access tokens: a person makes them for programs, which then use the API on their behalf."""

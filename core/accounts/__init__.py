"""Who you are: Cognito login and logout, the session user, groups and rights, user administration."""

"""Sign-in with Cognito, the user of a session, groups and rights, the directory of people."""

"""What people can do in the tracker; each verb is one transaction."""

"""Events with their teams and matches."""

"""Stand, pit and comment forms: what scouts send, and how it is corrected."""

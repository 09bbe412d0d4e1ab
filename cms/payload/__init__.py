"""Moving in from Payload: its export read, its documents converted, its records written as our own."""

"""What forms and official scores say of teams: figures, ratings, forecasts, and their pages."""

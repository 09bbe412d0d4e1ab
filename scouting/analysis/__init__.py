"""Analysis of teams from forms and official scores: statistics, ratings, forecasts, and their pages."""

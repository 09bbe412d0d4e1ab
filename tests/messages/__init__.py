"""The files of the languages: getting the texts from the source, and checking that all are translated."""

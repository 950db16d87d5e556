"""The commands of the command line: one a file, imported when it runs; and what they share."""

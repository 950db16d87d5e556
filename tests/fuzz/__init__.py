"""A fuzzer for all that reads what others have written: ``python -m tests.fuzz``."""

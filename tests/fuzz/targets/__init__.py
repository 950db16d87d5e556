"""What is fuzzed, a module each: ``read(data)`` reads the bytes of one input, ``SEEDS`` are small real ones.

Exceptions that a reader promises are its answers: ``read`` catches these and no other.
"""

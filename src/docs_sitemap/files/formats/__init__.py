"""The files of the protocol as bytes. Pure: nothing here reads or writes a file."""

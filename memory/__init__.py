"""The memory: everything that is kept about one student, and the rules by which it is read. No Qt, no model."""

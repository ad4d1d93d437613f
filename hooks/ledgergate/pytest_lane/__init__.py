"""A lane as pytest runs it: which tests belong to the evidence, what became of them, and the report that says so."""

"""Python test files: what decides whether a test can fail, and whether it can; nothing is run to find out.

`names` is always the path to a function within its file, as a test id has it: (`TestX`, `test_y`). The layers above
import single modules of it, and most of them inside functions: a hook that meets no such file does without.
"""

#!/usr/bin/env python3
"""Does docs/validation.md name every test of tests/validation, once, and no other?

usage: validation_page_test.py ROOT
"""
import glob
import os
import re
import sys


def main():
    root = sys.argv[1]
    tests = []
    for path in sorted(glob.glob(os.path.join(root, "tests", "validation", "*_test.cpp"))):
        with open(path, encoding="utf-8") as file:
            tests += [f"{suite}.{name}" for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", file.read(), re.M)]
    with open(os.path.join(root, "docs", "validation.md"), encoding="utf-8") as file:
        named = re.findall(r"^\| `(\w+\.\w+)` \|", file.read(), re.M)
    wrong = [f"docs/validation.md does not name {test}" for test in tests if test not in named]
    wrong += [f"docs/validation.md names {test}, which is no test" for test in named if test not in tests]
    wrong += [f"docs/validation.md names {test} twice" for test in sorted(set(named)) if named.count(test) > 1]
    print("\n".join(wrong) or f"{len(tests)} tests, every one on the page")
    return bool(wrong) or not tests


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Is what cmake/public_headers.txt lists, with what energies.h includes, exactly muslin.h and what that includes, directly
or not? And do the examples include no other header of ours, and the Python module none but those of the renderer?

usage: boundary_test.py ROOT
"""
import glob
import os
import re
import sys


def included_by(root, header):
    with open(os.path.join(root, "src", header), encoding="utf-8") as file:
        return re.findall(r'#include "(muslin/.*)"', file.read())


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "cmake", "public_headers.txt"), encoding="utf-8") as file:
        listed = file.read().split()
    if listed != sorted(listed):
        print("cmake/public_headers.txt is not in order")
        return 1
    listed += included_by(root, "muslin/energy/energies.h")  # as cmake/install.cmake has it
    reached, todo = set(), ["muslin/muslin.h"]
    while todo:
        header = todo.pop()
        if header in reached:
            continue
        reached.add(header)
        todo += included_by(root, header)
    wrong = [f"{header} became public: a public header includes it" for header in sorted(reached - set(listed))]
    wrong += [f"{header} is listed, but no public header includes it" for header in sorted(set(listed) - reached)]
    for example in sorted(glob.glob(os.path.join(root, "examples", "*.cpp"))):
        with open(example, encoding="utf-8") as file:
            used = re.findall(r'#\s*include\s*[<"](muslin/[^>"]*)[>"]', file.read())
        wrong += [f"{os.path.relpath(example, root)}: {header} is not public" for header in used if header not in listed]
    # Python is built with the program, and has what the program has beside the installed library
    of_programs = ("muslin/render/", "muslin/sweep/", "muslin/model/report_fields.h")
    for binding in sorted(glob.glob(os.path.join(root, "python", "src", "*"))):
        with open(binding, encoding="utf-8") as file:
            used = re.findall(r'#\s*include\s*[<"](muslin/[^>"]*)[>"]', file.read())
        wrong += [f"{os.path.relpath(binding, root)}: {header} is not public" for header in used
                  if header not in listed and not header.startswith(of_programs)]
    print("\n".join(wrong) or f"{len(listed)} public headers")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

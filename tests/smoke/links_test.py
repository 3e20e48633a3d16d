#!/usr/bin/env python3
"""Does every link between the pages of the documentation lead to a file, and to a heading that is there?

usage: links_test.py ROOT
"""
import glob
import os
import re
import sys


def anchors(path):
    """The headings of a page, as links name them: small letters, hyphens, no punctuation."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def main():
    root = sys.argv[1]
    pages = sorted(glob.glob(os.path.join(root, "*.md")) + glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True))
    wrong = []
    for page in pages:
        with open(page, encoding="utf-8") as file:
            links = re.findall(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)", file.read())
        for path, heading in links:
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(target):
                wrong.append(f"{os.path.relpath(page, root)}: {path} is not there")
            elif heading and target.endswith(".md") and heading not in anchors(target):
                wrong.append(f"{os.path.relpath(page, root)}: {path}#{heading} is no heading")
    print("\n".join(wrong) or f"{len(pages)} pages, every link leads somewhere")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

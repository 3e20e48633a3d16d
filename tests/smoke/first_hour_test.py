#!/usr/bin/env python3
"""That scripts/first_hour reads documents as a person does, and finds what a command did wrong.

usage: first_hour_test FIRST_HOUR
"""
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest

PATH = sys.argv.pop(1)
LOADER = importlib.machinery.SourceFileLoader("first_hour", PATH)
first_hour = importlib.util.module_from_spec(importlib.util.spec_from_loader("first_hour", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(first_hour)

DOCUMENT = """# Title
```sh
# a comment alone
muslin run flag --out frames   # 40 s, 41 % of gravity
muslin compare a \\
  --out cmp
```
```json
{"not": "a command"}
```
```sh
muslin list > list.txt
```
"""


class FirstHour(unittest.TestCase):
    def test_reads_the_commands_of_sh_blocks(self):
        commands = first_hour.commands_of(DOCUMENT)
        self.assertEqual([c.split("#")[0].split() for c in commands],
                         [["muslin", "run", "flag", "--out", "frames"], ["muslin", "compare", "a", "--out", "cmp"],
                          ["muslin", "list", ">", "list.txt"]])
        self.assertEqual([first_hour.said_time(c) for c in commands], [40, None, None])
        self.assertEqual([first_hour.outcomes(c) for c in commands], [["frames"], ["cmp"], ["list.txt"]])
        self.assertEqual(first_hour.said_time("scripts/test   # about 17 minutes"), 1020)

    def test_judges_exit_code_time_and_outcome(self):
        with tempfile.TemporaryDirectory() as folder:
            typist = first_hour.Typist(folder, dict(os.environ))

            def verdict(command, most=20):
                code, seconds, _, words = typist.type(command, most)
                return first_hour.judge(folder, command, code, seconds, words, 1)

            self.assertEqual(verdict("echo there > made.txt"), "ok")
            self.assertIn("exit code 3: words", verdict("echo words; exit 3"))
            self.assertIn("made.png is missing", verdict("true --out made.png"))
            self.assertIn("empty", verdict("mkdir nothing; true --out nothing"))
            self.assertIn("did not end", verdict("sleep 30", 0.2))
            self.assertEqual(verdict("alias named='echo there >'"), "ok")
            self.assertEqual(verdict("named kept.txt"), "ok")
            self.assertIn("says nothing", first_hour.judge(folder, "true", 0, 21, "", 1))
            self.assertEqual(first_hour.judge(folder, "true  # 15 s", 0, 29, "", 1), "ok")

    def test_every_document_has_commands(self):
        for document in first_hour.DOCUMENTS:
            with open(os.path.join(first_hour.ROOT, document)) as file:
                self.assertTrue(first_hour.commands_of(file.read()), document)
        for source in first_hour.FILES.values():
            self.assertTrue(os.path.exists(os.path.join(first_hour.ROOT, source)), source)


if __name__ == "__main__":
    unittest.main()

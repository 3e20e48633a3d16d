"""Stubs and reference tell what the module has, and nothing else."""
import ast
import importlib.util
import inspect
import os

import pytest

import muslin

PYTHON = os.path.join(os.path.dirname(__file__), "..")


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_native_stub_has_the_names_of_the_module():
    with open(os.path.join(PYTHON, "muslin", "_native.pyi"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    told = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    found = public(vars(muslin._native))
    if hasattr(muslin._native, "render"):
        assert set(told) == found
    for name, node in told.items():
        if not isinstance(node, ast.ClassDef):
            continue
        members = {getattr(item, "name", None) or item.target.id for item in node.body}
        assert public(members) == public(vars(getattr(muslin._native, name))), name


def generator():
    spec = importlib.util.spec_from_file_location("generate", os.path.join(PYTHON, "..", "scripts", "python_reference.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("what", ["stub", "reference"])
def test_what_is_generated_is_current(what):
    module = generator()
    path = module.STUB if what == "stub" else module.REFERENCE
    with open(path, encoding="utf-8") as file:
        assert file.read() == getattr(module, what)(), "run scripts/python_reference.py"


def test_everything_public_is_documented():
    for name in muslin.__all__:
        thing = getattr(muslin, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__.startswith("muslin"):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    assert inspect.getdoc(value) or thing.__name__ in ("Error", "Report"), f"{name}.{member}"
    assert set(muslin.__all__) <= set(vars(muslin))


def test_the_stub_of_the_parts_compiles_and_names_all_keywords():
    with open(os.path.join(PYTHON, "muslin", "parts.pyi"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for name in muslin.parts.__all__:
        keywords = [argument.arg for argument in classes[name].body[0].args.kwonlyargs]
        assert keywords == list(getattr(muslin, name)._keys)


def test_types_are_right():
    api = pytest.importorskip("mypy.api")
    folder = os.path.dirname(os.path.dirname(muslin.__file__))
    before = os.environ.get("MYPYPATH")
    os.environ["MYPYPATH"] = folder
    try:
        out, errors, code = api.run(["-p", "muslin", "--cache-dir", os.devnull])
    finally:
        if before is None:
            del os.environ["MYPYPATH"]
        else:
            os.environ["MYPYPATH"] = before
    assert code == 0, out + errors

"""Scenes from files, text, dicts and keywords, and what is said of wrong ones."""
import json
import pickle

import numpy as np
import pytest

import muslin

DICT = {"cloths": [{"grid": {"points": [5, 4], "size": [0.4, 0.3]}, "fabric": {"preset": "silk", "density": 0.1}}],
        "gravity": [0, -1.62, 0]}


def test_dict_keywords_and_text_are_one_scene():
    keywords = muslin.Scene(
        gravity=np.array([0, -1.62, 0]),
        cloths=[muslin.Cloth(grid=muslin.Grid(points=(5, 4), size=np.array([0.4, 0.3])),
                             fabric=muslin.Fabric(preset="silk", density=np.float64(0.1)))],
    )
    text = muslin.Scene.from_json(json.dumps(DICT) + " // a comment")
    assert keywords.json() == muslin.Scene(DICT).json() == text.json()


def test_keywords_replace_what_the_source_says():
    scene = muslin.Scene(DICT, gravity=[0, 0, 0], name="adrift")
    assert scene.dict()["gravity"] == [0, 0, 0] and scene.name == "adrift"
    shipped = muslin.Scene("flag", frames=3)
    assert shipped.frames == 3 and shipped.dict()["cloths"] == muslin.Scene("flag").dict()["cloths"]


def test_every_shipped_scene_is_read_and_goes_through_dict():
    assert "sphere_drape" in muslin.shipped_scenes()
    for name in muslin.shipped_scenes():
        scene = muslin.Scene(name)
        assert json.loads(scene.json()) == json.loads(muslin.Scene(scene.dict(), folder=scene._native.folder).json())


def test_replaced_changes_one_value():
    scene = muslin.Scene(DICT).replaced({"cloths/0/grid/points": [9, 9], "/frames": 7})
    assert scene.dict()["cloths"][0]["grid"]["points"] == [9, 9] and scene.frames == 7
    with pytest.raises(muslin.Error, match="frame_tim"):
        scene.replaced({"frame_tim": 1})


def test_names_of_files_lead_from_the_folder():
    scene = muslin.Scene("circle_skirt")
    again = muslin.Scene(scene.dict(), folder=scene.folder)
    assert again.json() == scene.json() and muslin.Simulation(again).hash == muslin.Simulation(scene).hash
    with pytest.raises(muslin.Error, match="folder: expected none"):
        muslin.Scene("flag", folder="/tmp")


@pytest.mark.parametrize("call, words", [
    (lambda scene: scene.replaced({1: 2}), "replaced: expected paths of text, got 1"),
    (lambda scene: scene.with_solver(None), "with_solver: expected the name of a method, got None"),
    (lambda scene: scene.json(indent=None), "json: indent"),
    (lambda scene: muslin.check_frames([muslin.Simulation(scene).positions], scene, within=-1), "above 0, got -1"),
    (lambda scene: muslin.Mesh(np.zeros((3, 3)), np.array([[0, 1, 2**63 + 1]], dtype=np.uint64)), "got 9223372036854775809"),
])
def test_wrong_calls_have_words(call, words):
    with pytest.raises(muslin.Error, match=words):
        call(muslin.Scene(DICT))


def test_solver_by_name():
    scene = muslin.Scene(DICT, solver="xpbd")
    assert scene.dict()["solver"]["family"] == "position"
    assert scene.with_solver("newton").dict()["solver"]["family"] == "newton"
    with pytest.raises(muslin.Error, match="newton"):
        muslin.Scene(DICT, solver="newtn")


def test_error_of_a_dict_has_a_path_and_no_line():
    bad = json.loads(json.dumps(DICT))
    bad["cloths"][0]["fabric"]["density"] = -1
    bad["gravty"] = 1
    with pytest.raises(muslin.Error) as caught:
        muslin.Scene(bad)
    problems = {problem.path: problem for problem in caught.value.problems}
    assert "must be > 0 [kg/m^2], got -1" in problems["/cloths/0/fabric/density"].message
    assert 'did you mean "gravity"?' in str(caught.value)
    assert all(problem.line is None and problem.file is None for problem in caught.value.problems)


def test_error_of_a_file_has_line_and_column(tmp_path):
    file = tmp_path / "bad.json"
    file.write_text('{"cloths": [{\n  "grid": {"points": [5, 4]},\n  "fabric": {"density": -1}}]}')
    with pytest.raises(muslin.Error) as caught:
        muslin.Scene(file)
    error = caught.value
    assert (error.file, error.line, error.column) == (str(file), 3, 25)
    assert error.path == "/cloths/0/fabric/density" and error.kind == "invalid"
    with pytest.raises(muslin.Error) as caught:
        muslin.Scene(tmp_path / "none.json")
    assert caught.value.kind == "file" and caught.value.path is None and caught.value.file
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.problems == error.problems


def test_parts_follow_the_schema():
    schema = json.loads(muslin.schema())
    for name, definition in schema["definitions"].items():
        part = getattr(muslin, name)
        assert set(part._keys) == set(definition["properties"])
        for key, value in definition["properties"].items():
            assert key.isidentifier() and value["description"] in part.__doc__
        with pytest.raises(muslin.Error, match="unknown key"):
            part(no_such_key=1)
    assert "[kg/m^2]" in muslin.Fabric.__doc__
    with pytest.raises(muslin.Error, match='Grid: unknown key "point"; did you mean "points"?'):
        muslin.Grid(point=[2, 2])
    with pytest.raises(muslin.Error, match="Cloth: unknown key \"density\"; .*fabric"):
        muslin.Cloth(density=1)


def square(n=5):
    x, z = np.meshgrid(np.linspace(0, 0.2, n), np.linspace(0, 0.2, n))
    positions = np.stack([x.ravel(), np.zeros(n * n), z.ravel()], axis=1)
    corner = np.arange(n * n).reshape(n, n)
    a, b, c, d = (corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:])
    triangles = np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, d], -1).reshape(-1, 3)])
    return positions, triangles


class LikeTrimesh:
    def __init__(self, vertices, faces):
        self.vertices, self.faces = vertices, faces


class LikeMeshio:
    def __init__(self, points, triangles):
        self.points, self.cells_dict = points, {"triangle": triangles}


def write_obj(path, positions, triangles):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in positions.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles.tolist()]
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("wrap", [muslin.Mesh, LikeTrimesh, LikeMeshio])
def test_a_mesh_in_memory_is_the_mesh_of_a_file(wrap, tmp_path):
    positions, triangles = square()
    write_obj(tmp_path / "square.obj", positions, triangles)
    ball = [{"shape": "sphere", "radius": 0.04, "center": [0.1, -0.08, 0.1]}]
    of_file = muslin.Simulation(
        muslin.Scene({"cloths": [{"mesh": {"file": "square.obj"}}], "colliders": ball}, folder=tmp_path))
    mesh = wrap(positions, triangles)
    for given in (mesh, {"file": mesh}):
        in_memory = muslin.Simulation(muslin.Scene({"cloths": [{"mesh": given}], "colliders": ball}))
        assert np.array_equal(in_memory.positions, positions)
        assert np.array_equal(in_memory.triangles, triangles)
        in_memory.run(3)
        if given is mesh:
            of_file.run(3)
        assert in_memory.hash == of_file.hash


def test_meshes_in_memory_stay_with_their_scene():
    positions, triangles = square()
    mesh = muslin.Mesh(positions, triangles)
    scene = muslin.Scene(cloths=[muslin.Cloth(mesh=muslin.ClothMesh(file=mesh, rest_mesh=mesh, scale=0.5))])
    assert scene.dict()["cloths"][0]["mesh"]["file"] is mesh
    for again in (muslin.Scene(scene.dict()), scene.replaced({"frames": 4}), pickle.loads(pickle.dumps(scene))):
        assert np.array_equal(muslin.Simulation(again).positions, positions / 2)


def test_meshes_go_out_as_they_came(tmp_path):
    positions, triangles = square()
    write_obj(tmp_path / "square.obj", positions, triangles)
    mesh = muslin.Mesh.read(tmp_path / "square.obj")
    assert np.array_equal(mesh.positions, positions) and np.array_equal(mesh.triangles, triangles)
    assert mesh.uv is None and len(muslin.Mesh(positions, triangles, uv=positions[:, [0, 2]]).uv) == 25
    simulation = muslin.Simulation(muslin.Scene(cloths=[{"mesh": mesh}]))
    assert np.array_equal(simulation.mesh().triangles, triangles)

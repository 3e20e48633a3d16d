"""Stepping, arrays, hands, threads, saving."""
import copy
import gc
import json
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import muslin


def hashes(output):
    return [frame["hash"] for frame in map(json.loads, output.splitlines()) if frame["type"] == "frame"]


@pytest.mark.parametrize("name, frames", [("flag", 3), ("games103_pbd", 10), ("cs184_sphere", 5)])
def test_hashes_are_those_of_the_command_line(cli, name, frames):
    simulation = muslin.Simulation(muslin.Scene(name))
    ours = [simulation.hash] + [report.hash for report in simulation.run(frames)]
    assert ours == hashes(cli("run", name, "--frames", frames, "--json", "--quiet"))


def test_arrays_have_a_row_a_vertex(sheet):
    simulation = muslin.Simulation(sheet)
    assert simulation.vertex_count == 48
    grid = simulation.positions.reshape(6, 8, 3)  # vertex (i, j) is j * 8 + i
    assert np.allclose(grid[:, :, 0], np.linspace(0, 0.2, 8)[None, :])
    assert np.allclose(grid[:, :, 2], np.linspace(0, 0.2, 6)[:, None])
    for array in (simulation.positions, simulation.velocities, simulation.forces, simulation.external_forces):
        assert array.shape == (48, 3) and array.dtype == np.float64 and array.flags.c_contiguous
    assert simulation.triangles.shape == (70, 3)
    assert simulation.pinned.tolist() == [0, 7]
    assert simulation.masses.shape == (48,)
    heavy = muslin.Simulation(sheet.replaced({"cloths/0/fabric/density": 0.5}))
    assert np.isclose(heavy.masses.sum(), 0.5 * 0.2 * 0.2)  # density times area


def test_what_is_read_stays_as_it_is(sheet):
    simulation = muslin.Simulation(sheet)
    places, speeds = simulation.positions, simulation.velocities
    corner = places[-1]  # a view of a view
    kept = places.copy(), speeds.copy(), corner.copy()
    for change in (lambda: simulation.run(5), lambda: simulation.pin(0, [0, 1, 0]), simulation.step, simulation.reset,
                   lambda: setattr(simulation, "positions", simulation.positions + 1)):
        change()
        assert np.array_equal(places, kept[0]) and np.array_equal(speeds, kept[1]) and np.array_equal(corner, kept[2])
    masses = simulation.masses
    masses[:] = 7
    assert not np.any(simulation.masses == 7)  # all others are copies


def test_positions_and_velocities_are_read_where_they_are(sheet):
    simulation = muslin.Simulation(sheet)
    for name in ("positions", "velocities"):
        assert np.shares_memory(getattr(simulation, name), getattr(simulation, name))
        before = getattr(simulation, name)
        simulation.step()
        assert not np.shares_memory(before, getattr(simulation, name))
        with pytest.raises(ValueError, match="read-only"):
            before[0, 0] = 7
        with pytest.raises(ValueError, match="read-only"):
            getattr(simulation, name)[0, 0] = 7


def test_arrays_outlive_their_simulation(sheet):
    simulation = muslin.Simulation(sheet)
    simulation.run(3)
    places, kept = simulation.positions, simulation.positions.copy()
    del simulation
    gc.collect()
    muslin.Simulation(sheet).run(3)  # would take the memory
    assert np.array_equal(places, kept)


def test_reading_changes_no_bits(sheet):
    looked, alone = muslin.Simulation(sheet), muslin.Simulation(sheet)
    shown = []
    for _ in range(6):
        looked.step()
        shown += [looked.positions, looked.velocities]
    alone.run(6)
    assert looked.hash == alone.hash and np.array_equal(shown[-2], alone.positions)
    assert not np.array_equal(shown[0], shown[-2])


def test_reports(sheet):
    simulation = muslin.Simulation(sheet)
    reports = simulation.run(4)
    assert [report.frame for report in reports] == [1, 2, 3, 4] and simulation.frame == 4
    assert np.isclose(reports[-1].time, 4 / 60) and reports[-1].status == "ok" and reports[-1].failure is None
    table = reports.table()
    assert set(table) == set(muslin.Report.fields) and all(len(column) == 4 for column in table.values())
    mass, velocities = simulation.masses, simulation.velocities
    assert np.isclose(reports[-1].kinetic_energy, 0.5 * (mass[:, None] * velocities**2).sum(), rtol=1e-12)
    assert reports[-1].asdict() == {name: column[-1] for name, column in table.items()}
    assert simulation.report.hash == reports[-1].hash == simulation.hash


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
def test_reports_can_be_copied(sheet, duplicate):
    for report in muslin.Simulation(sheet).run(2):
        assert duplicate(report).asdict() == report.asdict()
    assert [r.hash for r in duplicate(muslin.Simulation(sheet).run(2))] == [r.hash for r in muslin.Simulation(sheet).run(2)]


def test_overstretched_cloth_is_told_by_step_and_report(sheet):
    scene = muslin.Scene(sheet.dict(), solver="explicit")
    fast = np.random.default_rng(0).normal(size=(48, 3)) * 3e3
    measured, quick = muslin.Simulation(scene), muslin.Simulation(scene)
    measured.velocities = quick.velocities = fast
    told = measured.step()
    assert told.status == "diverged" and told.failure == "overstretched"
    assert quick.advance() == "ok"
    for simulation in (measured, quick):
        assert simulation.report.status == "diverged" and simulation.report.failure == "overstretched"


def test_advance_has_the_bits_of_step(sheet):
    measured, quick = muslin.Simulation(sheet), muslin.Simulation(sheet)
    measured.run(4)
    assert quick.advance() == "ok" and quick.advance(3) == "ok" and quick.advance(0) == "ok"
    assert quick.frame == 4 and quick.hash == measured.hash
    assert quick.report.kinetic_energy == measured.report.kinetic_energy
    with pytest.raises(muslin.Error):
        quick.advance(-1)


def test_forces_are_minus_the_slope_of_the_energy(sheet):
    simulation = muslin.Simulation(sheet)
    simulation.run(6)
    forces, positions, size = simulation.forces, simulation.positions, 1e-6
    for vertex, axis in [(20, 0), (20, 1), (33, 2)]:
        energies = []
        for side in (1, -1):
            moved = positions.copy()
            moved[vertex, axis] += side * size
            simulation.positions = moved
            energies.append(simulation.report.elastic_energy)
        slope = (energies[0] - energies[1]) / (2 * size)
        assert np.isclose(forces[vertex, axis], -slope, rtol=1e-4, atol=1e-6)


def test_positions_and_velocities_can_be_set(sheet):
    free = muslin.Simulation(muslin.Scene(sheet.dict(), cloths=[{"grid": {"points": [4, 4]}}], colliders=[]))
    moved = free.positions + [1, 2, 3]
    free.positions = moved.tolist()
    free.velocities = np.tile(np.float32([0.5, 0, 0]), (16, 1))
    assert np.array_equal(free.positions, moved)
    free.step()
    h = 1 / 60  # free fall
    assert np.allclose(free.positions, moved + [h * 0.5, -9.81 * h * h / 2, 0], atol=1e-12)


def test_set_to_what_it_is_changes_nothing(sheet):
    simulation, other = muslin.Simulation(sheet), muslin.Simulation(sheet)
    simulation.run(3)
    other.run(3)
    simulation.velocities = simulation.velocities
    simulation.positions = simulation.positions
    assert np.array_equal(simulation.positions, other.positions)


def test_pins_are_led(sheet):
    simulation = muslin.Simulation(sheet)
    start = simulation.positions[40]
    simulation.pin(40)
    simulation.run(2)
    assert np.array_equal(simulation.positions[40], start)
    for frame in range(5):
        target = start + [0, 0.01 * (frame + 1), 0]
        simulation.pin([40], target)
        assert simulation.step().status == "ok"
        assert np.array_equal(simulation.positions[40], target)
        assert np.allclose(simulation.velocities[40], [0, 0.6, 0])  # 1 cm a frame of 1/60 s
    simulation.step()
    assert np.array_equal(simulation.positions[40], target)
    simulation.release(40)
    assert simulation.pinned.tolist() == [0, 7]
    simulation.run(10)
    assert simulation.positions[40, 1] < target[1]
    mask = np.zeros(48, bool)
    mask[[3, 5]] = True
    simulation.pin(mask)
    assert simulation.pinned.tolist() == [0, 3, 5, 7]


def test_pins_go_evenly_over_the_substeps(sheet):
    simulation = muslin.Simulation(sheet.replaced({"solver/position/substeps": 10}).with_solver("xpbd"))
    start = simulation.positions[40]
    simulation.pin(40, start + [0, 0.01, 0])
    report = simulation.step()
    assert np.array_equal(simulation.positions[40], start + [0, 0.01, 0])
    assert np.allclose(simulation.velocities[40], [0, 0.6, 0], rtol=1e-6)  # a jump in one substep would be ten times that, or none
    assert report.status == "ok"


def test_pull_and_push(sheet):
    simulation = muslin.Simulation(sheet)
    simulation.pull(44, [0.1, 0.3, 0.1])
    simulation.run(20)
    assert simulation.positions[44, 1] > 0
    simulation.pull(None)
    force = np.zeros((48, 3))
    force[44] = [0, 0, 0.02]
    simulation.push(force)
    assert np.array_equal(simulation.external_forces, force)
    other = simulation.copy()
    other.push(None)
    assert not other.external_forces.any()
    simulation.run(10)
    other.run(10)
    assert simulation.positions[44, 2] > other.positions[44, 2]


def test_attached_vertices_go_with_the_collider(sheet):
    simulation = muslin.Simulation(sheet)
    simulation.run(3)
    start = simulation.positions[[40, 44]]
    simulation.attach([40, 44], "ball")
    for step in range(5):
        simulation.move_collider("ball", [0, 0.02 * (step + 1), 0.01])
        simulation.step()
        assert np.abs(simulation.positions[[40, 44]] - start - [0, 0.02 * (step + 1), 0.01]).max() < 1e-9
    simulation.release([40])
    assert 44 in simulation.pinned and 40 not in simulation.pinned


def test_colliders_move(sheet):
    simulation = muslin.Simulation(sheet)
    assert simulation.colliders == ["ball"]
    for step in range(10):
        simulation.move_collider("ball", [0, 0.03 * (step + 1), 0])
        simulation.step()
    by_number = muslin.Simulation(sheet)
    for step in range(10):
        by_number.move_collider(0, np.array([0, 0.03 * (step + 1), 0]))
        by_number.step()
    assert simulation.hash == by_number.hash
    assert simulation.report.center_of_mass[1] > -0.03  # the ball bears the sheet
    still = muslin.Simulation(sheet)
    still.run(10)
    assert still.report.center_of_mass[1] < simulation.report.center_of_mass[1]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, muslin.Simulation.copy,
                                       lambda s: pickle.loads(pickle.dumps(s))])
def test_a_copy_goes_on_with_the_same_bits(sheet, duplicate):
    simulation = muslin.Simulation(sheet)
    simulation.run(4)
    simulation.pin(40, simulation.positions[40] + [0, 0.01, 0])
    other = duplicate(simulation)
    assert simulation.hash == other.hash
    assert [r.hash for r in simulation.run(4)] == [r.hash for r in other.run(4)]


class Labelled(muslin.Simulation):
    def __init__(self, scene, label, **options):
        super().__init__(scene, **options)
        self.label = [label]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_copy_is_of_its_own_class(sheet, duplicate):
    simulation = Labelled(sheet, "mine", threads=2)
    simulation.run(2)
    other = duplicate(simulation)
    assert type(other) is Labelled and other.label == ["mine"] and other.threads == 2
    assert other.hash == simulation.hash and other.warnings == simulation.warnings
    assert (other.label is simulation.label) == (duplicate is copy.copy)


def test_saved_runs_go_on(sheet, tmp_path):
    simulation = muslin.Simulation(sheet)
    simulation.run(3)
    simulation.save(tmp_path / "a.state")
    expected = [report.hash for report in simulation.run(3)]
    later = muslin.Simulation(sheet)
    later.load(tmp_path / "a.state")
    assert [report.hash for report in later.run(3)] == expected
    with pytest.raises(muslin.Error, match="another"):
        muslin.Simulation(muslin.Scene(sheet.dict(), gravity=[0, 0, 0])).load(tmp_path / "a.state")
    simulation.reset()
    assert simulation.frame == 0 and simulation.hash == muslin.Simulation(sheet).hash


def test_threads_side_by_side_have_the_bits_of_one_after_the_other():
    scenes = [muslin.Scene("hang", seed=seed).replaced({"cloths/0/grid/points": [24, 24]}) for seed in range(4)]
    alone = [[r.hash for r in muslin.Simulation(scene).run(4)] for scene in scenes]
    found = [None] * 4

    def work(k):
        found[k] = [r.hash for r in muslin.Simulation(scenes[k], threads=1).run(4)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def slow():
    return muslin.Simulation(muslin.Scene("hang").replaced({"cloths/0/grid/points": [160, 160]}))


def test_a_step_in_another_thread_is_an_exception_and_does_not_hold_the_interpreter():
    simulation, reports = slow(), []
    before = simulation.hash
    thread = threading.Thread(target=lambda: reports.append(simulation.step()))
    thread.start()
    caught = ticks = 0
    while thread.is_alive() and caught <= 20:
        ticks += 1
        assert simulation.vertex_count == 160 * 160 and "25600 vertices" in repr(simulation)
        for call in (simulation.step, lambda: simulation.positions, lambda: simulation.pin(3),
                     lambda: simulation.copy(), lambda: simulation.reset()):
            try:
                call()
            except muslin.BusyError:
                caught += 1
    simulation.stop()  # the one call that another thread may make
    thread.join()
    assert caught > 20 and ticks > 3
    assert reports[0].status == "cancelled" and simulation.hash == before
    assert simulation.step().status == "ok"


def test_ctrl_c_stops_within_a_frame_and_leaves_the_state_whole(ctrl_c):
    scene = muslin.Scene("hang").replaced({"cloths/0/grid/points": [400, 400]})  # a frame takes about a second
    simulation, reference = muslin.Simulation(scene), muslin.Simulation(scene)
    before = simulation.hash
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        simulation.run(100)
    until_stopped = time.monotonic() - start
    timer.join()
    assert simulation.frame == 0 and simulation.hash == before
    start = time.monotonic()
    expected = reference.step().hash
    assert until_stopped < time.monotonic() - start, "it ended within the frame"
    assert simulation.step().hash == expected


def test_who_listens_for_ctrl_c_and_raises_nothing_gets_the_frame():
    simulation, heard = slow(), []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        report = simulation.step()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert report.status == "ok" and heard == [1] and report.hash == slow().step().hash


def test_progress(sheet, capsys):
    simulation, seen = muslin.Simulation(sheet), []
    reports = simulation.run(progress=lambda report: seen.append(report.frame) or len(seen) < 3)
    assert seen == [1, 2, 3] and len(reports) == 3
    assert len(simulation.run(5, progress=lambda report: np.float64(report.time) < 0)) == 1  # numpy's False
    assert len(simulation.run(2, progress=lambda report: 0)) == 2
    simulation.run(2, progress=True)
    assert "2/2" in capsys.readouterr().err


def test_a_start_that_intersects_is_refused_or_repaired():
    two = [{"name": name, "grid": {"points": [6, 6], "size": [0.2, 0.2], **axes}}
           for name, axes in [("a", {}), ("b", {"origin": [0.01, -0.1, 0.09], "u": [1, 0, 0], "v": [0, 1, 0]})]]
    scene = muslin.Scene(cloths=two, self_collision={"enabled": True})
    with pytest.raises(muslin.Error, match="intersect"):
        muslin.Simulation(scene)
    unchecked = muslin.Simulation(scene, check=False)
    repaired = muslin.Simulation(scene, check=False, repair=True)
    assert not np.array_equal(unchecked.positions, repaired.positions)
    assert repaired.copy().hash == repaired.hash


def test_pins_and_colliders_carry_the_weight(sheet):
    solver = {"family": "newton", "newton": {"tolerance": 1e-10, "iterations": 50}}
    hanging = muslin.Simulation(sheet.replaced({"damping": 8, "solver": solver}))
    reports = hanging.run(600, until_rest=1e-6)
    assert 20 < len(reports) < 600
    assert np.linalg.norm(hanging.velocities, axis=1).max() <= 1e-6
    weight = hanging.masses.sum() * -hanging.scene.dict()["gravity"][1]
    assert np.allclose(hanging.pin_reactions.sum(axis=0), [0, weight, 0], rtol=0, atol=1e-6 * weight)
    assert np.allclose(hanging.reactions.sum(axis=0), [0, weight, 0], rtol=0, atol=1e-6 * weight)
    assert not hanging.collider_forces["normal"].any()  # it has a ball, which nothing touches
    assert hanging.tension.shape == (70,) and hanging.tension.max() > 0
    with pytest.raises(muslin.Error, match="until_rest: expected a number above 0, got -1"):
        hanging.run(1, until_rest=-1)

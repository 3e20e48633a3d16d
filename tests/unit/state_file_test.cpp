#include "muslin/io/state_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/sha256.h"
#include "muslin/simulation.h"
#include "property/methods.h"

namespace muslin {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFingerprintPlace = 24, kContentPlace = kFingerprintPlace + 96;

Scene hanging() {
  Scene scene = sheet(family("position"), {3, 2});
  scene.cloths[0].pins = {pin_at({{0, 0}}), pin_at({{-1, 0}}, "y")};
  Collider ball;
  ball.center = {0, -3, 0};
  scene.colliders = {ball};
  return scene;
}

class StateFile : public testing::Test {
 protected:
  StateFile() { fs::create_directories(folder_); }
  ~StateFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string saved(const Simulation& simulation) const {
    simulation.save(path("saved"));
    return read_file(path("saved"));
  }

  /// Loading these bytes is refused, for a reason that is returned, and changes nothing; or "none".
  std::string refusal(Simulation& simulation, const std::string& bytes) const {
    const std::uint64_t state = hash(simulation.state()), revision = simulation.controls().revision;
    std::ofstream(path("trial"), std::ios::binary) << bytes;
    try {
      simulation.load(path("trial"));
      return "none";
    } catch (const Error& error) {
      const std::string reason = error.what(), begin = path("trial") + ": ";
      EXPECT_EQ(error.kind(), ErrorKind::invalid);
      EXPECT_EQ(reason.substr(0, begin.size()), begin);
      EXPECT_EQ(hash(simulation.state()), state) << reason;
      EXPECT_EQ(simulation.controls().revision, revision) << reason;
      return reason.substr(begin.size());
    }
  }

  fs::path folder_ = fs::temp_directory_path() / ("muslin_state_" + std::to_string(::getpid()));
};

std::string word(std::uint64_t number) {
  std::string bytes;
  for (int k = 0; k < 8; ++k) bytes += static_cast<char>(number >> 8 * k);
  return bytes;
}

/// The content with a header and checksum that fit it.
std::string sealed(const std::string& header, const std::string& content) {
  std::string bytes =
      header.substr(0, 16) + word(kContentPlace + content.size() + 32) + header.substr(24, 96) + content;
  const std::string digits = sha256(bytes);
  for (int k = 0; k < 64; k += 2) bytes += static_cast<char>(std::stoi(digits.substr(k, 2), nullptr, 16));
  return bytes;
}
std::string content_of(const std::string& bytes) {
  return bytes.substr(kContentPlace, bytes.size() - 32 - kContentPlace);
}

/// All that hands can do.
void handle(Simulation& simulation) {
  run(simulation, 2);
  simulation.hold(4);
  simulation.let_go(0);
  simulation.pull(5, {0.3, 0.4, 0.5});
  simulation.carry(0, {0.1, 0.2, 0.3});
  Points force = Points::Zero(3, 6);
  force.col(1) << 1e-3, 0, -2e-3;
  simulation.push(force);
  run(simulation, 1);
  simulation.carry(0, {0.2, 0.2, 0.3});
}

TEST_F(StateFile, HoldsTheLayoutThatItsHeaderTells) {
  Scene scene = hanging();
  scene.frame_time = 0.25;
  Simulation simulation(scene);
  simulation.step();
  const std::string bytes = saved(simulation);
  EXPECT_EQ(bytes.substr(0, 24), "MUSLIN\r\n" + word(3) + word(bytes.size()));
  // frame 1; clock 0, 0; edited 0, touched 1 (there is a collider); time 0.25 = 0x3FD0…; 6 substeps
  const std::string begin = word(1) + word(0) + word(0) + std::string(2, '\0') + word(0x3FD0000000000000) +
                            word(simulation.substeps()) + word(6);
  EXPECT_EQ(bytes.substr(kContentPlace, begin.size()), begin);
  const std::size_t x = kContentPlace + begin.size();
  for (int k = 0; k < 18; ++k) {
    std::uint64_t bits;
    std::memcpy(&bits, simulation.state().positions.data() + k, 8);
    EXPECT_EQ(bytes.substr(x + 8 * k, 8), word(bits));
  }
  const std::string sum = sha256(bytes.substr(0, bytes.size() - 32));
  for (int k = 0; k < 32; ++k)
    EXPECT_EQ(static_cast<unsigned char>(bytes[bytes.size() - 32 + k]),
              std::stoi(sum.substr(2 * k, 2), nullptr, 16));
}

TEST_F(StateFile, BringsBackAllThatHandsDid) {
  Simulation simulation(hanging());
  handle(simulation);
  const std::string bytes = saved(simulation);
  Simulation other(hanging());
  run(other, 1);
  other.hold(2);
  other.load(path("saved"));
  EXPECT_EQ(saved(other), bytes);
  EXPECT_EQ(other.frame(), 3);
  const Controls &a = simulation.controls(), &b = other.controls();
  EXPECT_EQ(a.free, b.free);
  EXPECT_EQ(a.inverse_mass, b.inverse_mass);
  EXPECT_EQ(a.pulls.stiffness, b.pulls.stiffness);
  EXPECT_EQ(a.pulls.elements().damping, b.pulls.elements().damping);
  EXPECT_EQ(a.collider_offset, b.collider_offset);
  EXPECT_EQ(a.force, b.force);
  EXPECT_EQ(simulation.substeps(), other.substeps());
  for (Simulation* s : {&simulation, &other}) run(*s, 3);
  EXPECT_EQ(hash(simulation.state()), hash(other.state()));
  EXPECT_EQ(other.controls().collider_offset[0], Vec3(0.2, 0.2, 0.3)) << "it went on gliding";
  for (Simulation* s : {&simulation, &other}) {
    s->release();
    s->hold(0);
    run(*s, 2);
  }
  EXPECT_EQ(saved(simulation), saved(other));
}

TEST_F(StateFile, BringsBackARepairedStart) {
  Simulation simulation(hanging()), other(hanging()), plain(hanging());
  Points start = simulation.state().positions;
  start(0, 5) += 0.01;
  simulation.start_from(start);
  run(simulation, 2);
  saved(simulation);
  other.load(path("saved"));
  run(other, 2);
  other.reset();
  EXPECT_EQ(other.state().positions, start);
  plain.save(path("plain"));
  other.load(path("plain"));
  other.reset();
  EXPECT_EQ(hash(other.state()), hash(plain.state())) << "and the scene's own";
}

// Frames since an edit begin at another time than the scene's.
TEST_F(StateFile, KeepsTheClockOfAnEditedRun) {
  Scene slow = hanging();
  slow.frame_time = 0.03;
  Simulation simulation(hanging());
  run(simulation, 2);
  simulation.edit(slow);
  run(simulation, 1);
  saved(simulation);
  Simulation other(slow);
  other.load(path("saved"));
  for (Simulation* s : {&simulation, &other}) run(*s, 2);
  EXPECT_EQ(hash(simulation.state()), hash(other.state()));
  EXPECT_FALSE(other.report().free_fall_error);
}

TEST_F(StateFile, IsRefusedWithAnyByteFlippedOrAnyLengthLess) {
  Simulation simulation(hanging());
  handle(simulation);
  const std::string bytes = saved(simulation);
  Simulation other(hanging());
  run(other, 1);
  other.hold(2);
  const std::string before = saved(other);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string flipped = bytes;
    flipped[k] ^= static_cast<char>(1 + k % 255);
    EXPECT_NE(refusal(other, flipped), "none") << k;
  }
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(refusal(other, bytes.substr(0, length)), "none") << length;
  EXPECT_NE(refusal(other, bytes + '\0'), "none");
  EXPECT_EQ(refusal(other, bytes.substr(0, bytes.size() - 1)),
            "byte 16: must be the length of the file: it had " + std::to_string(bytes.size()) +
                " bytes when it was written, and has " + std::to_string(bytes.size() - 1));
  EXPECT_EQ(saved(other), before) << "nothing has changed";
  EXPECT_EQ(refusal(other, bytes), "none") << "and the file itself is not refused";
  EXPECT_EQ(saved(other), bytes);
}

TEST_F(StateFile, NamesWhatIsWrongWithIt) {
  Simulation simulation(hanging());
  const std::string bytes = saved(simulation);
  const auto with = [&](std::size_t place, const std::string& part) {
    return std::string(bytes).replace(place, part.size(), part);
  };
  EXPECT_EQ(refusal(simulation, "v 0 0 0\nv 1 0 0\n"),
            "byte 0: must begin a saved state of Muslin, 'MUSLIN\\x0d\\x0a', got 'v 0 0 0\\x0a'");
  EXPECT_EQ(refusal(simulation, ""),
            "byte 0: must begin a saved state of Muslin, 'MUSLIN\\x0d\\x0a', got ''");
  EXPECT_EQ(refusal(simulation, "MUSLIN\r\n"), "byte 8: must go on, but the file ends there");
  EXPECT_EQ(refusal(simulation, with(8, word(5))),
            "byte 8: must be version 3 or 4 of the format, got 5, which a newer Muslin wrote");
  EXPECT_EQ(refusal(simulation, with(8, word(2))),
            "byte 8: must be version 3 or 4 of the format, got 2, which an older Muslin wrote");
  EXPECT_NE(refusal(simulation, with(kContentPlace, "x")).find("the file is damaged"), std::string::npos);
  EXPECT_THROW(simulation.load(path("missing")), Error);
  EXPECT_THROW(simulation.load(folder_.string()), Error);
  EXPECT_THROW(simulation.save(path("no/folder")), Error);
}

TEST_F(StateFile, IsOfOneSceneOnly) {
  Simulation simulation(hanging());
  run(simulation, 1);
  const std::string bytes = saved(simulation);
  const auto refused_by = [&](const auto& change) {
    Scene scene = hanging();
    change(scene);
    Simulation other(scene);
    return refusal(other, bytes);
  };
  const std::string begin = "must be saved of this scene, but is of another: ",
                    shapes = "meshes, masses, elements or pins are others",
                    numbers = "numbers of the scene are others", solver = "settings of the solver are others";
  EXPECT_EQ(refused_by([](Scene& scene) { scene.gravity.y() = -9.82; }), begin + numbers);
  EXPECT_EQ(refused_by([](Scene& scene) { scene.frame_time *= 2; }), begin + numbers);
  EXPECT_EQ(refused_by([](Scene& scene) { scene.wind.velocity.x() = 1; }), begin + numbers);
  EXPECT_EQ(refused_by([](Scene& scene) { scene.solver.position.substeps = 7; }), begin + solver);
  EXPECT_EQ(refused_by([](Scene& scene) { scene.solver.family = "newton"; }), begin + solver);
  EXPECT_EQ(refused_by([](Scene& scene) { scene.cloths[0].fabric.density = 0.7; }),
            begin + shapes + ", and " + numbers);
  EXPECT_EQ(refused_by([](Scene& scene) { scene.cloths[0].grid->origin.x() += 0.1; }),
            begin + shapes + ", and " + numbers);
  // What no step reads may be another.
  EXPECT_EQ(refused_by([](Scene& scene) {
              scene.name = scene.cloths[0].name = scene.colliders[0].name = "other";
              scene.frames = 7;
              scene.solver.newton.iterations = 3;
            }),
            "none");
}

// Meshes are compared by what is in them, not by name.
TEST_F(StateFile, IsOfOneMeshOnly) {
  const auto with_mesh = [](double height, const std::string& file) {
    Scene scene = hanging();
    Mesh mesh;
    mesh.positions.resize(3, 4);
    mesh.positions << 0, 1, 0, 1, 0, 0, 0, height, 0, 0, 1, 1;
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}};
    scene.cloths[0].grid.reset();
    scene.cloths[0].pins.clear();
    scene.cloths[0].mesh.emplace();
    scene.cloths[0].mesh->file = file;
    scene.cloths[0].mesh->mesh = std::make_shared<const Mesh>(mesh);
    return scene;
  };
  Simulation simulation(with_mesh(0, "a.obj"));
  const std::string bytes = saved(simulation);
  Simulation same(with_mesh(0, "b.obj")), other(with_mesh(0.01, "a.obj"));
  EXPECT_EQ(refusal(same, bytes), "none");
  EXPECT_EQ(refusal(other, bytes),
            "must be saved of this scene, but is of another: meshes, masses, elements or pins are "
            "others");
}

// Files whose checksum fits, but that no Muslin wrote.
TEST_F(StateFile, WithForgedContentIsRefused) {
  Simulation simulation(hanging());
  handle(simulation);
  const std::string bytes = saved(simulation), content = content_of(bytes);
  ASSERT_EQ(sealed(bytes, content), bytes);
  for (std::size_t length = 0; length < content.size(); ++length)
    EXPECT_NE(refusal(simulation, sealed(bytes, content.substr(0, length))), "none") << length;
  EXPECT_NE(refusal(simulation, sealed(bytes, content + '\0')), "none");
  int refused = 0;
  for (std::size_t k = 0; k + 8 <= content.size(); ++k) {
    std::string forged = content;
    forged.replace(k, 8, word(~std::uint64_t{0} >> 1));
    Simulation other(hanging());
    if (refusal(other, sealed(bytes, forged)) != "none") ++refused;
    other.step();  // some are numbers that may be any: they crash nothing
  }
  EXPECT_GT(refused, 50);

  const auto with_count = [&](std::size_t place, std::uint64_t count) {
    return refusal(simulation, sealed(bytes, std::string(content).replace(place, 8, word(count))));
  };
  const std::size_t positions = 8 + 8 + 8 + 2 + 8 + 8;
  EXPECT_EQ(with_count(positions, ~std::uint64_t{0}),
            "byte 162: must be a number of things that the file has room for, got 18446744073709551615");
  EXPECT_EQ(with_count(0, std::uint64_t{1} << 40),
            "byte 120: must be between 0 and 1000000000, got 1099511627776");
  const std::size_t steps = 8 + 8 + 8 + 2 + 8;
  EXPECT_EQ(with_count(steps, ~std::uint64_t{0} >> 1),
            "byte 154: must be between 0 and 4611686018427387904, got 9223372036854775807");
}

// A saved run with any numbers comes back as it was.
TEST_F(StateFile, KeepsEveryBit) {
  const Fingerprint fingerprint{sha256("a"), sha256("b"), sha256("c")};
  SavedRun run;
  run.frame = 7;
  run.clock = {3, -0.0};
  run.edited = true;
  run.state.positions.resize(3, 2);
  run.state.positions << std::numeric_limits<double>::quiet_NaN(), -0.0, kInfinity, 5e-324, 1.0 / 3, -1e308;
  run.state.velocities = -run.state.positions;
  run.state.history.positions = run.state.positions;
  run.state.history.velocities = run.state.positions;
  run.state.history.parts = 3;
  run.state.history.starts_with_newton = true;
  run.state.blocked = Points::Random(3, 5);
  run.state.slips = {{PairKind::point_triangle, {0, 1, 2, 9}, {-0.0, 0.5, 5e-324}},
                     {PairKind::edge_edge, {0, 1, 2, 3}, {1, 0, 0}}};
  run.start = Points::Random(3, 2);
  run.grasp.held = {{0, {1, 2, 3}}, {9, {4, 5, 6}}};
  run.grasp.let_go = {2, 3};
  run.grasp.pull = Pull{4, {7, 8, 9}, 10, 11, 12, {{4, {1, 1, 1}, 0.5}, {6, {2, 2, 2}, 0.5}}};
  run.grasp.wanted = {{1, 1, 2}};
  run.collider_offset = {{3, 5, 8}};
  run.force = Points::Random(3, 2);
  const std::string bytes = encode_saved_run(run, fingerprint);
  const SavedRun back = decode_saved_run(bytes, "x").run;
  EXPECT_EQ(encode_saved_run(back, fingerprint), bytes);
  EXPECT_EQ(hash(back.state), hash(run.state));
  EXPECT_EQ(back.start, run.start);
  EXPECT_EQ(back.force, run.force);
  EXPECT_EQ(back.grasp.held, run.grasp.held);
  EXPECT_EQ(back.grasp.let_go, run.grasp.let_go);
  EXPECT_EQ(back.grasp.wanted, run.grasp.wanted);
  EXPECT_EQ(back.collider_offset, run.collider_offset);
  EXPECT_EQ(back.grasp.pull->grips.at(1).vertex, 6);
  EXPECT_EQ(back.grasp.pull->reach, 12);
  EXPECT_TRUE(back.edited && !back.touched && std::signbit(back.clock.time));

  const auto refused = [&](const std::vector<ElasticSlip>& slips) -> std::string {
    SavedRun other = run;
    other.state.slips = slips;
    try {
      decode_saved_run(encode_saved_run(other, fingerprint), "x");
      return "none";
    } catch (const Error& error) {
      return error.what();
    }
  };
  const ElasticSlip &a = run.state.slips[0], &b = run.state.slips[1];
  for (const auto& slips : {std::vector{b, a}, std::vector{a, a}})
    EXPECT_NE(refused(slips).find("must be a pair after the one before"), std::string::npos);
  EXPECT_NE(refused({{static_cast<PairKind>(3), {0, 1, 2, 3}, {0, 0, 0}}}).find("between 0 and 2, got 3"),
            std::string::npos);
}

}  // namespace
}  // namespace muslin

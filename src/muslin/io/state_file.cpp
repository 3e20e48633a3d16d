#include "muslin/io/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/io/bytes.h"
#include "muslin/io/scan.h"
#include "muslin/io/sha256.h"

namespace muslin {

namespace {

constexpr std::string_view kMagic("MUSLIN\r\n");  // the end of line breaks where text is converted
constexpr std::uint64_t kVersion = 3, kVersionWithTaken = 4;  // of states in which pins took vertices later
constexpr std::size_t kWord = 8, kSum = 32;                   // bytes
constexpr std::size_t kVersionPlace = kMagic.size(), kLengthPlace = kVersionPlace + kWord,
                      kFingerprintPlace = kLengthPlace + kWord, kContentPlace = kFingerprintPlace + 3 * kSum;

// --- writing ---------------------------------------------------------------------------------------

/// "0aff" as the two bytes 0x0a, 0xff.
std::string bytes_of(const std::string& digits) {
  std::string bytes;
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(k, 2), nullptr, 16));
  return bytes;
}

std::string digits_of(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

class ByteWriter {
 public:
  void put(std::uint64_t word) { append_little(bytes_, word); }
  void put(std::int64_t number) { put(static_cast<std::uint64_t>(number)); }
  void put(int number) { put(std::int64_t{number}); }
  void put(bool flag) { bytes_ += flag ? '\1' : '\0'; }
  void put(double number) { append_little(bytes_, number); }
  void put(const Vec3& vector) {
    for (const double number : vector) put(number);
  }
  template <class List>
  void put_points(const List& points, std::size_t count) {
    put(std::uint64_t{count});
    for (const double number : points.reshaped()) put(number);
  }
  void put(const Points& points) { put_points(points, static_cast<std::size_t>(points.cols())); }
  void put(const std::vector<Vec3>& points) {
    put(std::uint64_t{points.size()});
    for (const Vec3& point : points) put(point);
  }
  void append(std::string_view bytes) { bytes_ += bytes; }

  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

void write(const StepHistory& history, ByteWriter& out) {
  out.put(history.parts);
  out.put(history.struck);
  out.put(history.starts_with_newton);
  out.put(history.positions);
  out.put(history.velocities);
  out.put(history.accelerations);
}

void write(const std::vector<ElasticSlip>& slips, ByteWriter& out) {
  out.put(std::uint64_t{slips.size()});
  for (const auto& [kind, vertices, part] : slips) {
    out.put(static_cast<int>(kind));
    for (const int v : vertices) out.put(v);
    out.put(part);
  }
}

void write(const Grasp& grasp, ByteWriter& out) {
  out.put(std::uint64_t{grasp.held.size()});
  for (const auto& [vertex, place] : grasp.held) {
    out.put(vertex);
    out.put(place);
  }
  out.put(std::uint64_t{grasp.let_go.size()});
  for (const int vertex : grasp.let_go) out.put(vertex);
  out.put(grasp.pull.has_value());
  if (grasp.pull) {
    const Pull& pull = *grasp.pull;
    out.put(pull.vertex);
    out.put(pull.place);
    for (const double number : {pull.stiffness, pull.damping, pull.reach}) out.put(number);
    out.put(std::uint64_t{pull.grips.size()});
    for (const Grip& grip : pull.grips) {
      out.put(grip.vertex);
      out.put(grip.offset);
      out.put(grip.fraction);
    }
  }
  out.put(grasp.wanted);
}

void write(const std::vector<Taken>& all, ByteWriter& out) {
  out.put(std::uint64_t{all.size()});
  for (const Taken& taken : all) {
    out.put(taken.motion);
    out.put(taken.vertex);
    out.put(taken.fixed);
    out.put(taken.place);
    out.put(taken.fastening.has_value());
    if (!taken.fastening) continue;
    const auto& [collider, face, weights, local] = *taken.fastening;
    out.put(collider);
    for (const int v : face) out.put(v);
    out.put(weights);
    out.put(local);
  }
}

// --- reading ---------------------------------------------------------------------------------------

class ByteReader {
 public:
  ByteReader(std::string_view bytes, const std::string& name, std::size_t place)
      : bytes_(bytes), name_(name), place_(place) {}

  [[noreturn]] void fail(std::size_t place, const std::string& words) const {
    throw Error(ErrorKind::invalid, fmt::format("{}: byte {}: {}", name_, place, words));
  }

  std::uint64_t word() {
    need(kWord);
    place_ += kWord;
    return bits_at(bytes_, place_ - kWord, kWord);
  }
  double number() { return number_of(word(), {kWord, true, true}); }
  std::int64_t integer(std::int64_t least, std::int64_t most) {
    const std::size_t place = place_;
    const auto value = static_cast<std::int64_t>(word());
    if (value < least || value > most)
      fail(place, fmt::format("must be between {} and {}, got {}", least, most, value));
    return value;
  }
  int index() { return static_cast<int>(integer(0, std::numeric_limits<int>::max())); }
  bool flag() {
    need(1);
    const char byte = bytes_[place_];
    if (byte != 0 && byte != 1) fail(place_, fmt::format("must be 0 or 1, got {}", int{byte}));
    ++place_;
    return byte == 1;
  }
  Vec3 vector() {
    Vec3 vector;
    for (double& number : vector) number = this->number();
    return vector;
  }
  /// How many things follow that have at least `size` bytes each.
  std::size_t count(std::size_t size) {
    const std::size_t place = place_;
    const std::uint64_t count = word();
    if (count > (bytes_.size() - place_) / size)
      fail(place, fmt::format("must be a number of things that the file has room for, got {}", count));
    return static_cast<std::size_t>(count);
  }
  Points points() {
    Points points(3, static_cast<Eigen::Index>(count(3 * kWord)));
    for (double& number : points.reshaped()) number = this->number();
    return points;
  }
  std::vector<Vec3> vectors() {
    std::vector<Vec3> vectors(count(3 * kWord));
    for (Vec3& v : vectors) v = vector();
    return vectors;
  }
  std::size_t place() const { return place_; }
  bool at_end() const { return place_ == bytes_.size(); }

 private:
  void need(std::size_t size) const {
    if (bytes_.size() - place_ < size) fail(place_, "must go on, but the file ends there");
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t place_;
};

/// A vertex greater than `last`, that of the thing before.
int next_vertex(ByteReader& in, int last) {
  return static_cast<int>(in.integer(std::int64_t{last} + 1, std::numeric_limits<int>::max()));
}

StepHistory read_history(ByteReader& in) {
  StepHistory history;
  history.parts = static_cast<int>(in.integer(1, StepHistory::kMostParts));
  history.struck = in.number();
  history.starts_with_newton = in.flag();
  history.positions = in.points();
  history.velocities = in.points();
  history.accelerations = in.points();
  return history;
}

std::vector<ElasticSlip> read_slips(ByteReader& in) {
  std::vector<ElasticSlip> slips(in.count(8 * kWord));
  for (std::size_t k = 0; k < slips.size(); ++k) {
    const std::size_t place = in.place();
    slips[k].kind = static_cast<PairKind>(in.integer(0, static_cast<int>(PairKind::point_plane)));
    for (int& v : slips[k].vertices) v = in.index();
    slips[k].part = in.vector();
    if (k > 0 && !(slips[k - 1] < slips[k])) in.fail(place, "must be a pair after the one before");
  }
  return slips;
}

Pull read_pull(ByteReader& in) {
  Pull pull;
  pull.vertex = in.index();
  pull.place = in.vector();
  pull.stiffness = in.number();
  pull.damping = in.number();
  pull.reach = in.number();
  const std::size_t place = in.place();
  bool holds_vertex = false;
  int last = -1;
  for (std::size_t left = in.count(5 * kWord); left > 0; --left) {
    last = next_vertex(in, last);
    holds_vertex = holds_vertex || last == pull.vertex;
    const Vec3 offset = in.vector();
    pull.grips.push_back({last, offset, in.number()});
  }
  if (!holds_vertex) in.fail(place, fmt::format("the fingers must hold the pulled vertex {}", pull.vertex));
  return pull;
}

Grasp read_grasp(ByteReader& in) {
  Grasp grasp;
  int last = -1;
  for (std::size_t left = in.count(4 * kWord); left > 0; --left) {
    last = next_vertex(in, last);
    grasp.held[last] = in.vector();
  }
  last = -1;
  for (std::size_t left = in.count(kWord); left > 0; --left) {
    last = next_vertex(in, last);
    grasp.let_go.insert(last);
  }
  if (in.flag()) grasp.pull = read_pull(in);
  grasp.wanted = in.vectors();
  return grasp;
}

// Stitches that are closed; a run without any has not even their number.
std::vector<Stencil<2>> read_closed(ByteReader& in) {
  std::vector<Stencil<2>> closed(in.count(2 * kWord));
  for (Stencil<2>& stitch : closed)
    for (int& v : stitch) v = in.index();
  return closed;
}

std::vector<Taken> read_taken(ByteReader& in) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  std::vector<Taken> all(in.count(8 * kWord + 1));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::size_t place = in.place();
    Taken& taken = all[k];
    taken.motion = static_cast<int>(in.integer(-1, kMost));
    taken.vertex = in.index();
    taken.fixed = in.vector();
    taken.place = in.vector();
    if (k > 0 && !(all[k - 1] < taken)) in.fail(place, "must be a vertex after the one before");
    if (!in.flag()) continue;
    Fastening& fastening = taken.fastening.emplace();
    fastening.collider = in.index();
    for (int& v : fastening.face) v = static_cast<int>(in.integer(-1, kMost));
    if (fastening.has_face() != (std::min(fastening.face[1], fastening.face[2]) >= 0))
      in.fail(place, "must be fastened to a triangle or to none");
    fastening.weights = in.vector();
    fastening.local = in.vector();
  }
  return all;
}

SavedRun read_content(ByteReader& in, bool with_taken) {
  SavedRun run;
  run.frame = static_cast<int>(in.integer(0, State::kMostFrames));
  run.clock.frame = static_cast<int>(in.integer(0, run.frame));
  run.clock.time = in.number();
  run.edited = in.flag();
  run.touched = in.flag();
  run.state.time = in.number();
  run.state.step = in.integer(0, State::kMostSteps);
  run.state.positions = in.points();
  run.state.velocities = in.points();
  run.state.history = read_history(in);
  run.state.blocked = in.points();
  run.state.slips = read_slips(in);
  run.start = in.points();
  run.grasp = read_grasp(in);
  run.collider_offset = in.vectors();
  run.force = in.points();
  if (with_taken) run.grasp.taken = read_taken(in);
  if (!in.at_end()) run.closed = read_closed(in);
  return run;
}

// Whether the bytes are a whole file of this version.
void check_frame(std::string_view bytes, const std::string& name) {
  ByteReader in(bytes, name, kVersionPlace);
  const std::string_view magic = bytes.substr(0, kMagic.size());
  if (magic != kMagic)
    in.fail(0, fmt::format("must begin a saved state of Muslin, {}, got {}", quote(kMagic), quote(magic)));
  const std::uint64_t version = in.word();
  if (version != kVersion && version != kVersionWithTaken)
    in.fail(kVersionPlace,
            fmt::format("must be version {} or {} of the format, got {}, which {} Muslin wrote", kVersion,
                        kVersionWithTaken, version, version > kVersion ? "a newer" : "an older"));
  const std::uint64_t length = in.word();
  if (length != bytes.size())
    in.fail(kLengthPlace, fmt::format("must be the length of the file: it had {} bytes when it was written, "
                                      "and has {}",
                                      length, bytes.size()));
  if (bytes.size() < kContentPlace + kSum)
    in.fail(kLengthPlace,
            fmt::format("must be at least {} bytes, got {}", kContentPlace + kSum, bytes.size()));
  const std::size_t sum_place = bytes.size() - kSum;
  const std::string sum = sha256(bytes.substr(0, sum_place)), found = digits_of(bytes.substr(sum_place));
  if (sum != found)
    in.fail(sum_place, fmt::format("must be the SHA-256 of what is before, {}, got {}: the file is damaged",
                                   sum, found));
}

}  // namespace

std::string encode_saved_run(const SavedRun& run, const Fingerprint& fingerprint) {
  ByteWriter out;
  out.append(kMagic);
  out.put(run.grasp.taken.empty() ? kVersion : kVersionWithTaken);
  out.put(std::uint64_t{0});  // the length, known at the end
  for (const std::string& sum : {fingerprint.shapes, fingerprint.numbers, fingerprint.solver})
    out.append(bytes_of(sum));
  out.put(run.frame);
  out.put(run.clock.frame);
  out.put(run.clock.time);
  out.put(run.edited);
  out.put(run.touched);
  out.put(run.state.time);
  out.put(run.state.step);
  out.put(run.state.positions);
  out.put(run.state.velocities);
  write(run.state.history, out);
  out.put(run.state.blocked);
  write(run.state.slips, out);
  out.put(run.start);
  write(run.grasp, out);
  out.put(run.collider_offset);
  out.put(run.force);
  if (!run.grasp.taken.empty()) write(run.grasp.taken, out);
  if (!run.closed.empty()) {
    out.put(std::uint64_t{run.closed.size()});
    for (const Stencil<2>& stitch : run.closed)
      for (const int v : stitch) out.put(v);
  }

  std::string bytes = std::move(out.bytes());
  ByteWriter length;
  length.put(std::uint64_t{bytes.size() + kSum});
  bytes.replace(kLengthPlace, kWord, length.bytes());
  return bytes + bytes_of(sha256(bytes));
}

StateFile decode_saved_run(std::string_view bytes, const std::string& name) {
  check_frame(bytes, name);
  const auto sum = [&](std::size_t k) { return digits_of(bytes.substr(kFingerprintPlace + k * kSum, kSum)); };
  ByteReader in(bytes.substr(0, bytes.size() - kSum), name, kContentPlace);
  const bool with_taken = bits_at(bytes, kVersionPlace, kWord) == kVersionWithTaken;
  StateFile file{read_content(in, with_taken), {sum(0), sum(1), sum(2)}};
  if (in.place() != bytes.size() - kSum) in.fail(in.place(), "must be the end, but the file goes on");
  return file;
}

}  // namespace muslin

// NumPy's archive: a ZIP file without compression, an array a member.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "muslin/io/bytes.h"
#include "muslin/io/frame_series.h"

namespace muslin {

namespace {

/// The checksum of ZIP files [ISO 3309], of bytes that come piece by piece.
class Crc32 {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes)
      state_ = table()[(state_ ^ static_cast<unsigned char>(byte)) & 0xff] ^ state_ >> 8;
  }
  std::uint32_t value() const { return ~state_; }

 private:
  static const std::array<std::uint32_t, 256>& table() {
    static const auto made = [] {
      std::array<std::uint32_t, 256> entries;
      for (std::uint32_t k = 0; k < entries.size(); ++k) {
        entries[k] = k;
        for (int bit = 0; bit < 8; ++bit) entries[k] = entries[k] >> 1 ^ (entries[k] & 1 ? 0xedb88320u : 0);
      }
      return entries;
    }();
    return made;
  }
  std::uint32_t state_ = ~0u;
};

/// An archive of members that are stored as they are, with sizes of 64 bits [PKWARE APPNOTE 6.3, 4.3, 4.5.3].
class ZipFile {
 public:
  explicit ZipFile(GrowingFile& file) : file_(file) {}

  /// A member whose content is `head`, then all of `body` if there is one.
  void add(const std::string& name, const std::string& head, const GrowingFile* body) {
    Member member{name, head.size() + (body ? body->size() : 0), 0, file_.size()};
    file_.append(local_header(member));
    Crc32 crc;
    const auto write = [&](std::string_view piece) {
      crc.add(piece);
      file_.append(piece);
    };
    write(head);
    if (body) body->read_back(write);
    member.crc = crc.value();
    file_.replace(member.place, local_header(member));
    members_.push_back(member);
  }

  void finish() {
    const std::uint64_t begin = file_.size();
    for (const Member& member : members_) file_.append(central_header(member));
    const std::uint64_t size = file_.size() - begin, count = members_.size();
    std::string end;
    append_little(end, std::uint32_t{0x06064b50});  // 64-bit end of the directory
    append_little(end, std::uint64_t{44});
    append_little(end, kVersion);
    append_little(end, kVersion);
    append_little(end, std::uint64_t{0});  // disks
    for (const std::uint64_t number : {count, count, size, begin}) append_little(end, number);
    append_little(end, std::uint32_t{0x07064b50});  // where that is
    append_little(end, std::uint32_t{0});
    append_little(end, begin + size);
    append_little(end, std::uint32_t{1});
    append_little(end, std::uint32_t{0x06054b50});  // end of the directory: see above
    append_little(end, std::uint32_t{0});
    for (int k = 0; k < 2; ++k) append_little(end, std::numeric_limits<std::uint16_t>::max());
    for (int k = 0; k < 2; ++k) append_little(end, kSeeExtra);
    append_little(end, std::uint16_t{0});
    file_.append(end);
  }

 private:
  struct Member {
    std::string name;
    std::uint64_t size;
    std::uint32_t crc;
    std::uint64_t place;
  };
  static constexpr std::uint16_t kVersion = 45;  // that knows sizes of 64 bits
  static constexpr std::uint32_t kSeeExtra = 0xffffffff;

  static void append_common(std::string& bytes, const Member& member, std::uint16_t extra) {
    append_little(bytes, kVersion);
    append_little(bytes, std::uint16_t{0x0800});      // names are UTF-8
    append_little(bytes, std::uint16_t{0});           // stored
    append_little(bytes, std::uint16_t{0});           // midnight
    append_little(bytes, std::uint16_t{1 << 5 | 1});  // of 1980-01-01: the same bytes every time
    append_little(bytes, member.crc);
    for (int k = 0; k < 2; ++k) append_little(bytes, kSeeExtra);
    append_little(bytes, static_cast<std::uint16_t>(member.name.size()));
    append_little(bytes, extra);
  }

  static std::string local_header(const Member& member) {
    std::string bytes;
    append_little(bytes, std::uint32_t{0x04034b50});
    append_common(bytes, member, 20);
    bytes += member.name;
    append_little(bytes, std::uint16_t{1});
    append_little(bytes, std::uint16_t{16});
    for (int k = 0; k < 2; ++k) append_little(bytes, member.size);
    return bytes;
  }

  static std::string central_header(const Member& member) {
    std::string bytes;
    append_little(bytes, std::uint32_t{0x02014b50});
    append_little(bytes, kVersion);
    append_common(bytes, member, 28);
    for (int k = 0; k < 3; ++k) append_little(bytes, std::uint16_t{0});  // comment, disk, kind
    append_little(bytes, std::uint32_t{0});
    append_little(bytes, kSeeExtra);
    bytes += member.name;
    append_little(bytes, std::uint16_t{1});
    append_little(bytes, std::uint16_t{24});
    for (const std::uint64_t number : {member.size, member.size, member.place}) append_little(bytes, number);
    return bytes;
  }

  GrowingFile& file_;
  std::vector<Member> members_;
};

/// The header of an array in C order: `type` as "<f8", shape as "3, 4".
std::string npy_header(std::string_view type, const std::string& shape) {
  std::string words = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  constexpr std::size_t kPreamble = 10, kAlignment = 64;
  while ((kPreamble + words.size() + 1) % kAlignment != 0) words += ' ';
  words += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append_little(bytes, static_cast<std::uint16_t>(words.size()));
  return bytes + words;
}

class NpzSeries final : public SeriesWriter {
 public:
  explicit NpzSeries(const SeriesSetting& setting)
      : setting_(setting),
        file_(series_file(setting, kName)),
        positions_(series_file(setting, kName)),
        poses_(series_file(setting, kName)) {
    for (const WrittenBody& body : setting.colliders)
      shapes_.push_back(body.deforms ? series_file(setting, kName) : nullptr);
  }

  void add(const SeriesFrame& frame) override {
    for (const Points& cloth : frame.cloths) append_points(cloth, *positions_);
    std::string bytes;
    for (const Pose& pose : frame.poses)
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) append_little(bytes, pose.rotation(row, column));
        append_little(bytes, pose.translation[row]);
      }
    poses_->append(bytes);
    for (std::size_t c = 0; c < shapes_.size(); ++c)
      if (shapes_[c]) append_points(frame.colliders[c], *shapes_[c]);
    ++frames_;
  }

  void finish(FileSums& sums) override {
    ZipFile zip(*file_);
    zip.add("positions.npy", npy_header("<f8", fmt::format("{}, {}, 3", frames_, setting_.cloth_vertices)),
            positions_.get());
    add_times(zip);
    add_meshes(zip);
    if (!setting_.colliders.empty())
      zip.add("collider_poses.npy",
              npy_header("<f8", fmt::format("{}, {}, 3, 4", frames_, setting_.colliders.size())),
              poses_.get());
    for (std::size_t c = 0; c < setting_.colliders.size(); ++c) add_collider(c, zip);
    zip.finish();
    finish_file(kName, *file_, sums);
  }

 private:
  static constexpr const char* kName = "run.npz";

  static void append_points(const Points& points, GrowingFile& file) {
    std::string bytes;
    for (const double x : points.reshaped()) append_little(bytes, x);
    file.append(bytes);
  }

  void add_times(ZipFile& zip) const {
    std::string bytes = npy_header("<f8", fmt::format("{},", frames_));
    for (int k = 0; k < frames_; ++k) append_little(bytes, k * setting_.frame_time);
    zip.add("times.npy", bytes, nullptr);
  }

  static std::string triangles_of(const std::vector<WrittenBody>& bodies) {
    std::string bytes;
    int count = 0;
    for (const WrittenBody& body : bodies) {
      for (const Stencil<3>& triangle : body.triangles)
        for (const int v : triangle) append_little(bytes, std::int32_t{body.first_vertex + v});
      count += static_cast<int>(body.triangles.size());
    }
    return npy_header("<i4", fmt::format("{}, 3", count)) + bytes;
  }

  void add_meshes(ZipFile& zip) const {
    zip.add("triangles.npy", triangles_of(setting_.cloths), nullptr);
    std::string pinned, first;
    int pins = 0;
    for (const WrittenBody& body : setting_.cloths) {
      append_little(first, std::int32_t{body.first_vertex});
      for (const int v : body.pinned) append_little(pinned, std::int32_t{body.first_vertex + v});
      pins += static_cast<int>(body.pinned.size());
    }
    zip.add("pinned.npy", npy_header("<i4", fmt::format("{},", pins)) + pinned, nullptr);
    zip.add("cloth_first_vertex.npy", npy_header("<i4", fmt::format("{},", setting_.cloths.size())) + first,
            nullptr);
  }

  /// Its vertices in the frame of its pose: frames × n × 3 of one that deforms, else n × 3.
  void add_collider(std::size_t c, ZipFile& zip) const {
    const WrittenBody& body = setting_.colliders[c];
    zip.add(fmt::format("collider_{}_triangles.npy", c), triangles_of({body}), nullptr);
    const std::string name = fmt::format("collider_{}_vertices.npy", c);
    if (body.deforms) {
      zip.add(name, npy_header("<f8", fmt::format("{}, {}, 3", frames_, body.vertex_count)),
              shapes_[c].get());
      return;
    }
    std::string bytes = npy_header("<f8", fmt::format("{}, 3", body.vertex_count));
    for (const double x : body.shape.reshaped()) append_little(bytes, x);
    zip.add(name, bytes, nullptr);
  }

  const SeriesSetting& setting_;
  std::unique_ptr<GrowingFile> file_, positions_, poses_;
  std::vector<std::unique_ptr<GrowingFile>> shapes_;  ///< one a collider; null: it does not deform
  int frames_ = 0;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_npz_series(const SeriesSetting& setting) {
  return std::make_unique<NpzSeries>(setting);
}

}  // namespace muslin

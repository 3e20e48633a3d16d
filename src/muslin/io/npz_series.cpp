// NumPy's archive: a ZIP file without compression, an array a member.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "muslin/io/array_series.h"
#include "muslin/io/bytes.h"

namespace muslin {

namespace {

constexpr const char* kNpzName = "run.npz";

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

/// NumPy's archive of arrays.
class NpzFile final : public ArrayFile {
 public:
  explicit NpzFile(const SeriesSetting& setting) : file_(series_file(setting, kNpzName)), zip_(*file_) {}

  void add(const std::string& name, ArrayType type, const std::vector<std::size_t>& shape,
           const std::string& bytes, const GrowingFile* body) override {
    const std::string sizes =
        shape.size() == 1 ? fmt::format("{},", shape[0]) : fmt::format("{}", fmt::join(shape, ", "));
    zip_.add(name + ".npy", npy_header(type == ArrayType::float64 ? "<f8" : "<i4", sizes) + bytes, body);
  }
  void finish(FileSums& sums) override {
    zip_.finish();
    finish_file(kNpzName, *file_, sums);
  }

 private:
  std::unique_ptr<GrowingFile> file_;
  ZipFile zip_;
};

}  // namespace

std::unique_ptr<SeriesWriter> make_npz_series(const SeriesSetting& setting) {
  return make_array_series(setting, kNpzName, std::make_unique<NpzFile>(setting));
}

}  // namespace muslin

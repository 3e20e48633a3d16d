// Any bytes are either a saved run, which then is written as the same bytes again, or an Error(invalid). They
// are also tried as the content of a file whose header and checksum fit, or none would be read beyond these.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "muslin/core/check.h"
#include "muslin/io/sha256.h"
#include "muslin/io/state_file.h"

namespace {

void try_file(const std::string& bytes) {
  try {
    const muslin::StateFile file = muslin::decode_saved_run(bytes, "fuzz.state");
    if (muslin::encode_saved_run(file.run, file.fingerprint) != bytes) std::abort();
  } catch (const muslin::Error& error) {
    if (error.kind() != muslin::ErrorKind::invalid) std::abort();
  }
}

std::string sealed(const std::string& content) {
  const muslin::Fingerprint fingerprint{muslin::sha256("a"), muslin::sha256("b"), muslin::sha256("c")};
  const std::string whole = muslin::encode_saved_run({}, fingerprint);
  std::string bytes = whole.substr(0, 120) + content;
  std::uint64_t length = bytes.size() + 32;
  for (int k = 0; k < 8; ++k, length >>= 8) bytes[16 + k] = static_cast<char>(length & 0xff);
  const std::string digits = muslin::sha256(bytes);
  for (int k = 0; k < 64; k += 2) bytes += static_cast<char>(std::stoi(digits.substr(k, 2), nullptr, 16));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  try_file(text);
  try_file(sealed(text));
  return 0;
}

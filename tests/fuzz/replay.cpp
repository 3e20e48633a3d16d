// A fuzzer without its engine: files and folders of them, each once, for compilers that have none
// (scripts/reader_coverage).
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

void replay(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  const std::string bytes = content.str();
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  int count = 0;
  for (int k = 1; k < argc; ++k) {
    if (!std::filesystem::is_directory(argv[k])) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[k]))
      if (entry.is_regular_file()) replay(entry.path()), ++count;
  }
  std::cout << count << " files\n";
}

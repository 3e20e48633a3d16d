#include "refuse/generated.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>

namespace muslin {

namespace {

namespace fs = std::filesystem;

std::string repeated(const std::string& part, int count) {
  std::string text;
  text.reserve(part.size() * count);
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

std::string random_bytes() {
  std::mt19937 random(184);
  std::string bytes(100000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

/// An OBJ of so many triangles about one vertex.
std::string fan(int count) {
  std::string text = "v 0 0 0\n";
  for (int k = 0; k <= count; ++k) {
    const double turn = 6 * double(k) / count;
    text +=
        "v " + std::to_string(1000 * std::cos(turn)) + " 0 " + std::to_string(1000 * std::sin(turn)) + "\n";
  }
  for (int k = 0; k < count; ++k) text += "f 1 " + std::to_string(k + 2) + " " + std::to_string(k + 3) + "\n";
  return text;
}

std::string mesh_scene(const std::string& file) {
  return R"({"cloths": [{"mesh": {"file": ")" + file + R"("}}]})";
}

// What stands in a generated text file.
const std::map<std::string, std::function<std::string()>>& texts() {
  static const std::map<std::string, std::function<std::string()>> table{
      {"brackets.json", [] { return repeated("[", 200000) + repeated("]", 200000); }},
      {"braces.json", [] { return repeated("{\"a\":", 200000) + "1" + repeated("}", 200000); }},
      {"random.json", random_bytes},
      {"zeros.json", [] { return std::string(4096, '\0'); }},
      {"utf16.json", [] { return std::string("\xFF\xFE{\0}\0", 6); }},
      {"bom_only.json", [] { return std::string("\xEF\xBB\xBF"); }},
      {"bom_twice.json", [] { return std::string("\xEF\xBB\xBF\xEF\xBB\xBF{}"); }},
      {"bad_utf8.json", [] { return std::string("{\"name\": \"a\xC3(\"}"); }},
      {"surrogate_utf8.json", [] { return std::string("{\"name\": \"\xED\xA0\x80\"}"); }},
      {"nul_in_text.json", [] { return std::string("{\"name\": \"a\0b\"}", 15); }},
      {"empty.json", [] { return std::string(); }},
      {"huge_array.json", [] { return "{\"gravity\": [" + repeated("0,", 5000000) + "0]}"; }},
      {"huge_pins.json",
       [] {
         return R"({"cloths": [{"grid": {}, "pins": [{"vertices": [)" + repeated("-1,", 1900000) + "-1]}]}]}";
       }},
      {"huge_string.json", [] { return "{\"name\": [\"" + std::string(60 << 20, 'a') + "\"]}"; }},
      {"huge_key.json", [] { return "{\"" + std::string(60 << 20, 'a') + "\": 1}"; }},
      {"huge_comment.json", [] { return "{} /*" + std::string(60 << 20, 'a'); }},
      {"huge_number.json", [] { return "{\"damping\": 1" + std::string(1 << 20, '0') + "}"; }},
      {"fan.obj", [] { return fan(10001); }},
      {"many_keys.json",
       [] {
         std::string text = "{\"cloths\": [{\"grid\": {}}]";
         for (int i = 0; i < 500000; ++i) text += ",\"key" + std::to_string(i) + "\": 1";
         return text + "}";
       }},
      {"many_duplicates.json", [] { return "{\"cloths\": []" + repeated(", \"a\": 1", 900000) + "}"; }},
      {"too_big.json", [] { return std::string((64 << 20) + 1, ' '); }},
      {"absolute_path.json", [] { return mesh_scene("/etc/hostname.obj"); }},
  };
  return table;
}

}  // namespace

Generated::Generated() {
  std::string pattern = (fs::temp_directory_path() / "muslin_refuse_XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
}

Generated::~Generated() {
  std::error_code ignored;
  fs::permissions(folder_ + "/closed", fs::perms::owner_all, ignored);
  fs::remove_all(folder_, ignored);
}

std::string Generated::make(const std::string& name) const {
  const std::string path = folder_ + "/" + name;
  const auto write = [](const std::string& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  };
  if (const auto text = texts().find(name); text != texts().end()) {
    write(path, text->second());
  } else if (name == "pipe.json") {
    if (mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no named pipe");
  } else if (name == "folder.json") {
    fs::create_directory(path);
  } else if (name == "device.json") {
    fs::create_symlink("/dev/zero", path);
  } else if (name == "loop.json") {
    fs::create_symlink("loop.json", path);
  } else if (name == "link_out.json") {  // inside/link.obj leads to outside.obj beside the scene's folder
    fs::create_directory(folder_ + "/inside");
    write(folder_ + "/outside.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    fs::create_symlink(folder_ + "/outside.obj", folder_ + "/inside/link.obj");
    write(folder_ + "/inside/" + name, mesh_scene("link.obj"));
    return folder_ + "/inside/" + name;
  } else if (name == "folder_link_out.json") {
    fs::create_directory_symlink("/", folder_ + "/root");
    write(path, mesh_scene("root/etc/hostname.obj"));
  } else {
    throw std::runtime_error("no generated file is called " + name);
  }
  return path;
}

}  // namespace muslin

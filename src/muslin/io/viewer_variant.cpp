#include "muslin/io/viewer_variant.h"

#include "muslin/io/complaints.h"
#include "muslin/io/field_reader.h"
#include "muslin/io/file.h"

namespace muslin {

std::vector<Override> read_viewer_variant(const std::string& path) {
  return viewer_variant_of(read_file(path, kMaxJsonBytes), path);
}

std::vector<Override> viewer_variant_of(const std::string& text, const std::string& path) {
  const JsonDocument document{path, text, parse_json(text, path), {}};
  std::vector<Override> changes;
  const JsonNode* section = document.root.find("viewer");
  if (!section) return changes;

  Complaints complaints;
  ViewerVariant variant;
  FieldReader(complaints, FieldReader::Missing::keeps_default).read(*section, variant);
  for (const std::string& change : variant.set) {
    const size_t equals = change.find('=');
    if (equals == 0 || equals == std::string::npos)
      complaints.add(section->place, "/viewer/set", "must be path=value, got " + in_quotes(change));
    else
      changes.emplace_back(change.substr(0, equals), change.substr(equals + 1));
  }
  complaints.raise(document);
  return changes;
}

}  // namespace muslin

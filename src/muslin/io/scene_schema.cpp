#include "muslin/io/scene_json.h"
#include "muslin/io/schema_writer.h"
#include "muslin/io/viewer_variant.h"

namespace muslin {

std::string scene_schema() {
  Json schema = SchemaWriter::document<Scene>("Muslin scene");
  const Json variant = SchemaWriter().describe_struct(ViewerVariant{});
  schema["properties"]["viewer"] = variant;
  schema["properties"]["viewer"]["description"] =
      "what `muslin view` changes so that the scene moves in real time";
  schema["properties"]["cloths"]["minItems"] = 1;
  schema["required"] = {"cloths"};
  return schema.dump(2) + "\n";
}

}  // namespace muslin

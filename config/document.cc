#include "config/document.h"

#include <algorithm>

#include "config/comments.h"
#include "config/json_reader.h"
#include "config/tree_builder.h"
#include "config/yaml_reader.h"

namespace winperf {

std::expected<Document, TextError> read_document(std::string_view text) {
  const auto blanked = blank_comments(text);
  if (!blanked) return std::unexpected(blanked.error());

  TreeBuilder json(text);
  if (read_json(*blanked, json)) return json.take();

  // The JSON parser would complain about things that are allowed here: the YAML parser decides.
  TreeBuilder yaml(text);
  if (const auto error = read_yaml(*blanked, yaml)) return std::unexpected(*error);
  return yaml.take();
}

std::expected<Document, TextError> read_plain_yaml(std::string_view text) {
  TreeBuilder yaml(text);
  if (const auto error = read_yaml(std::string(text), yaml)) return std::unexpected(*error);
  return yaml.take();
}

const Node* child_of(const Node& map, std::string_view key) {
  const auto found = std::ranges::find(map.children, key, &Node::key);
  return found == map.children.end() ? nullptr : &*found;
}

}  // namespace winperf

#include "config/document.h"

#include <algorithm>

#include "collectors/base/utf8.h"
#include "config/comments.h"
#include "config/tree_builder.h"

namespace winperf {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_forbidden_control(unsigned byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::optional<TextError> check_encoding(std::string_view text) {
  if (text.size() > kMaxConfigBytes) {
    return TextError{kMaxConfigBytes, kFileTooLarge};
  }
  if (const std::string_view encoding = wide_encoding(text); !encoding.empty())
    return TextError{0, "the file is " + std::string(encoding) + ": save it as UTF-8"};
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = next_character(text.substr(at));
    if (!step.valid) return TextError{at, "invalid UTF-8: save the file as UTF-8"};
    if (is_forbidden_control(byte_at(text, at))) {
      return TextError{at, "a control character: remove it, and save the file as UTF-8 text"};
    }
    at += step.bytes;
  }
  return std::nullopt;
}

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

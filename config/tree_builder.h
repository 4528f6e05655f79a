// Builds the tree of a document from a parser's events, and enforces its limits; and the two
// parsers: nlohmann::json, which unlike YAML parsers decodes all escapes, surrogate pairs included,
// and yaml-cpp. Their exceptions don't leave it. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/document.h"

namespace winperf {

// Events come in the order of the text. In a map, keys (as scalars) and values alternate. Each
// event returns false once the document has been refused; error() then says why.
class TreeBuilder {
 public:
  // `text`: for line numbers in messages.
  explicit TreeBuilder(std::string_view text) : lines_(text) {}

  bool null(std::size_t offset);
  bool scalar(std::size_t offset, std::string text, bool is_quoted);
  bool begin(NodeKind kind, std::size_t offset);
  bool end();
  bool refuse(std::size_t offset, std::string message);

  const std::optional<TextError>& error() const { return error_; }
  // The result; the builder is empty afterwards.
  Document take();

 private:
  struct Open {
    Node node;
    std::optional<std::string> key;  // the key whose value comes next
    std::size_t key_offset = 0;
    bool key_is_duplicate = false;
    std::unordered_map<std::string, std::size_t> seen;  // key -> its offset
  };

  bool expects_key() const;
  bool key(std::size_t offset, std::string text);
  bool count_node(std::size_t offset);
  bool add(Node node);

  LineIndex lines_;
  std::vector<Open> open_;
  Document document_;
  std::size_t nodes_ = 0;
  std::optional<TextError> error_;
};

// False if the text isn't strict JSON (RFC 8259), or the builder refused it.
[[nodiscard]] bool read_json(std::string_view text, TreeBuilder& builder);
// The error of the parser or the builder, or nothing. Comments other than # must be blanked.
[[nodiscard]] std::optional<TextError> read_yaml(const std::string& text, TreeBuilder& builder);

}  // namespace winperf

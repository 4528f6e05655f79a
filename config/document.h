// A configuration text as a tree; every node knows its place in the text.
//
// Strict JSON is read as JSON, anything else as the part of YAML 1.2 that resembles JSON: maps,
// lists and scalars, with // /* */ and # comments, trailing commas and bare keys. Anchors, aliases,
// tags, several documents and keys that aren't text are refused. Nesting and the number of values
// are bounded. A key that is given twice keeps its first value and is reported. The text must have
// passed check_encoding(). Thread rule: any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// A place in a text, and what is wrong there. Thread rule: values; any thread.
struct TextError {
  std::size_t offset = 0;  // bytes from the start of the text
  std::string message;
  bool operator==(const TextError&) const = default;
};

struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;  // in characters of UTF-8
  bool operator==(const TextPosition&) const = default;
};

// Line and column of a byte; those of the text's end if `offset` is past it.
TextPosition position_of(std::string_view text, std::size_t offset);

// Line numbers by offset, for many look-ups in one text.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  std::size_t line_of(std::size_t offset) const;  // from 1

 private:
  std::vector<std::size_t> breaks_;  // offsets of the line breaks, ascending
};

// A key in quotes with a blank before it, or nothing if it isn't a word: a mistyped key is a word,
// but a misplaced line of a private key, a password or a hash isn't, and must not be shown.
std::string shown_key(std::string_view key);

// The whole text in quotes and escaped, as JSON and the configuration write it.
std::string as_json(std::string_view text);

enum class NodeKind { kNull, kScalar, kSequence, kMap };

struct Node {
  NodeKind kind = NodeKind::kNull;
  bool is_quoted = false;        // of a scalar: it was written in quotes, so it is text
  std::string text{};            // of a scalar, decoded
  std::size_t offset = 0;        // of the node, bytes from the start of the text
  std::string key{};             // if the parent is a map
  std::size_t key_offset = 0;    // the same
  std::vector<Node> children{};  // of a map or sequence, in the order of the text
};

struct Document {
  Node root;                          // kNull if the text is empty
  std::vector<TextError> duplicates;  // keys given twice
};

inline constexpr std::size_t kMaxConfigDepth = 32;
inline constexpr std::size_t kMaxConfigNodes = 20'000;

inline constexpr std::size_t kMaxConfigBytes = 1024U * 1024U;
inline constexpr const char* kFileTooLarge = "the file is larger than 1 MiB: is it the right file?";

// Without the byte order mark of UTF-8.
std::string_view without_byte_order_mark(std::string_view text);
// Whether a file is readable text: UTF-8, of bounded size, with no control characters but tabs and
// line breaks. Everything after this check relies on it.
std::optional<TextError> check_encoding(std::string_view text);

[[nodiscard]] std::expected<Document, TextError> read_document(std::string_view text);
// The same for another program's file: standard YAML, with text blocks (| and >) and without // and
// /* */ comments.
[[nodiscard]] std::expected<Document, TextError> read_plain_yaml(std::string_view text);

// The value of a key; null if the map lacks it.
const Node* child_of(const Node& map, std::string_view key);
// The value of a key in a section; null if the map lacks either.
const Node* child_of(const Node& map, std::string_view section, std::string_view key);

// Blanks the comments that YAML lacks, // and /* */, so that a YAML parser accepts the text.
//
// Comments become spaces; line breaks stay, so every other byte keeps its place. The pass follows
// YAML's quoting: it changes nothing inside "..." (where a backslash escapes) and '...' (where ''
// is a quote), nor inside a # comment, where a quote opens nothing either. After unquoted text a
// comment needs white space in front of it, so that http://host and a/*/b stay text; after a quoted
// text, a bracket or a comma it doesn't. Text blocks (| and >) are refused: inside them, comments
// and text would be ambiguous.
//
// The pass also pairs quotes and brackets, because it knows where each was opened and a YAML parser
// doesn't say. A quoted text ends on its line, as in JSON.
// Errors: a /* without its */, a text block, a quote or a bracket without its partner; a directive
// (a line that begins with %), and a no-break space outside quotes, which looks like a space.
[[nodiscard]] std::expected<std::string, TextError> blank_comments(std::string_view text);

}  // namespace winperf

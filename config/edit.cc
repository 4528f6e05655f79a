#include "config/edit.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "collectors/match/nearest.h"
#include "config/config.h"
#include "config/document.h"
#include "config/encoding.h"
#include "config/options.h"
#include "config/text_error.h"
#include "config/values.h"

namespace winperf {
namespace {

// The text that replaces `length` bytes at `offset`.
struct Splice {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string text;
};

std::string spliced(std::string_view text, const Splice& splice) {
  std::string result(text);
  return result.replace(splice.offset, splice.length, splice.text);
}

// The end of the key or value that begins at `at` and reads `decoded`; nothing if the way it is
// written doesn't tell, such as a text that continues on the next line.
std::optional<std::size_t> token_end(std::string_view text, std::size_t at,
                                     std::string_view decoded) {
  const char quote = at < text.size() ? text[at] : '\0';
  if (quote != '"' && quote != '\'') {
    const bool is_plain = text.substr(at).starts_with(decoded);
    return is_plain ? std::optional(at + decoded.size()) : std::nullopt;
  }
  for (std::size_t end = at + 1; end < text.size(); ++end) {
    const bool is_pair = quote == '"' ? text[end] == '\\' : text.substr(end).starts_with("''");
    if (is_pair) {
      ++end;
    } else if (text[end] == quote) {
      return end + 1;
    }
  }
  return std::nullopt;
}

// The white space before `at`; nothing if anything else precedes it on its line.
std::optional<std::string> indentation(std::string_view text, std::size_t at) {
  const std::size_t line = text.substr(0, at).find_last_of("\r\n") + 1;
  const std::string_view before = text.substr(line, at - line);
  if (before.find_first_not_of(" \t") != before.npos) return std::nullopt;
  return std::string(before);
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

// The object that has the option's key; null if the text lacks it.
const Node* section_of(const Node& root, const Option& option) {
  const std::string_view key = parent_of(option);
  return key.empty() ? &root : child_of(root, key);
}

// The ways to write the new value, the best-looking one first. Only parsing the result shows
// whether one of them leaves everything else alone.
class Proposals {
 public:
  Proposals(std::string_view text, const Node& root, const Option& option, std::string value)
      : text_(text), root_(root), option_(option), value_(std::move(value)) {
    const std::size_t line = text.find_first_of("\r\n");
    if (line != text.npos) newline_ = text.substr(line, text.substr(line).starts_with("\r\n") + 1U);
    quotes_keys_ = !root.children.empty() && text[root.children.front().key_offset] == '"';
  }

  std::vector<Splice> run() && {
    const Node* const section = section_of(root_, option_);
    if (section == nullptr) {
      add_section(parent_of(option_));
    } else if (const Node* const old = child_of(*section, key_of(option_))) {
      if (const auto end = token_end(text_, old->offset, old->text))
        propose(old->offset, *end - old->offset, value_);
    } else if (section->kind == NodeKind::kMap) {
      add_to_map(*section, entry(), entry());
    } else if (section != &root_) {
      fill(*section);
    } else {
      add_at_end("", entry());
    }
    return std::move(proposals_);
  }

 private:
  void propose(std::size_t offset, std::size_t length, std::string text) {
    proposals_.push_back({offset, length, std::move(text)});
  }

  std::string written_key(std::string_view key) const {
    return quotes_keys_ ? '"' + std::string(key) + '"' : std::string(key);
  }
  std::string entry() const { return written_key(key_of(option_)) + ": " + value_; }

  void add_section(std::string_view key) {
    const std::string flow = written_key(key) + ": {" + entry() + '}';
    if (root_.kind == NodeKind::kMap) {
      const auto indent =
          indentation(text_, root_.children.empty() ? root_.offset : root_.children[0].key_offset);
      const std::string block =
          written_key(key) + ":" + newline_ + indent.value_or("") + "  " + entry();
      return add_to_map(root_, flow, block);
    }
    add_at_end("", flow);
  }

  // `flow`: the entry for use inside brackets; `block`: the same on lines of its own.
  void add_to_map(const Node& map, const std::string& flow, const std::string& block) {
    const bool is_empty = map.children.empty();
    const std::size_t first = is_empty ? map.offset : map.children.front().key_offset;
    const auto indent = indentation(text_, first);
    if (text_[map.offset] == '{') {
      if (!is_empty && indent && line_end(text_, map.offset) < first)
        propose(line_end(text_, map.offset), 0, newline_ + *indent + flow + ',');
      return propose(map.offset + 1, 0, flow + (is_empty ? "" : ", "));
    }
    if (!indent) return;
    if (&map == &root_) {
      add_at_end(*indent, block);
    } else {
      propose(line_end(text_, map.key_offset), 0, newline_ + *indent + block);
    }
    propose(first, 0, block + newline_ + *indent);
  }

  void add_at_end(const std::string& indent, const std::string& what) {
    const bool in_line = !text_.empty() && text_.back() != '\n' && text_.back() != '\r';
    propose(text_.size(), 0, (in_line ? newline_ : "") + indent + what + newline_);
  }

  // A section without a value: "null", or "listen:", perhaps with its keys commented out below.
  void fill(const Node& section) {
    const std::string flow = '{' + entry() + '}';
    for (const std::string_view nothing : {"null", "~"}) {
      if (text_.substr(section.offset).starts_with(nothing))
        propose(section.offset, nothing.size(), flow);
    }
    if (const auto indent = indentation(text_, section.key_offset))
      propose(line_end(text_, section.key_offset), 0, newline_ + *indent + "  " + entry());
    if (const auto end = token_end(text_, section.key_offset, section.key)) {
      if (const std::size_t colon = text_.find(':', *end); colon != text_.npos)
        propose(colon + 1, 0, ' ' + flow);
    }
  }

  std::string_view text_;
  const Node& root_;
  const Option& option_;
  std::string value_;  // as written in the file
  std::string newline_ = "\n";
  bool quotes_keys_ = false;
  std::vector<Splice> proposals_;
};

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.is_quoted == b.is_quoted && a.text == b.text && a.key == b.key &&
         std::ranges::equal(a.children, b.children, same);
}

// The tree without the key that was changed, and without what is empty then.
Node without(Node root, const Option& option) {
  const auto erase = [](Node& map, std::string_view key) {
    std::erase_if(map.children, [&](const Node& child) { return child.key == key; });
  };
  const std::string_view section_key = parent_of(option);
  const auto section = std::ranges::find(root.children, section_key, &Node::key);
  if (section_key.empty()) {
    erase(root, key_of(option));
  } else if (section != root.children.end()) {
    erase(*section, key_of(option));
    if (section->children.empty()) root.children.erase(section);
  }
  return root.children.empty() ? Node{} : root;
}

const Node* find(const Node& root, const Option& option) {
  const Node* const section = section_of(root, option);
  return section == nullptr ? nullptr : child_of(*section, key_of(option));
}

// `wanted` is the new value as a node of the tree.
bool changes_nothing_else(const std::string& after, const Node& before, const Option& option,
                          const Node& wanted) {
  const auto document = read_document(after);
  if (!document) return false;
  const Node* const found = find(document->root, option);
  return found != nullptr && found->kind == NodeKind::kScalar && found->text == wanted.text &&
         found->is_quoted == wanted.is_quoted &&
         same(without(document->root, option), without(before, option));
}

std::string joined(const ConfigErrors& errors) {
  std::string lines;
  for (const ConfigError& error : errors) lines += (lines.empty() ? "" : "\n") + describe(error);
  return lines;
}

bool is_scalar(OptionKind kind) {
  constexpr OptionKind kOthers[] = {
      OptionKind::kSection,  OptionKind::kListen, OptionKind::kWords,    OptionKind::kHosts,
      OptionKind::kServices, OptionKind::kNames,  OptionKind::kPatterns, OptionKind::kCountersets};
  return std::ranges::find(kOthers, kind) == std::end(kOthers);
}

std::expected<const Option*, std::string> option_to_set(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Option& option : config_options()) {
    const bool is_settable = is_scalar(option.kind) && !option.path.starts_with("countersets");
    if (is_settable && option.path == key) return &option;
    if (is_settable) keys.push_back(option.path);
    if (!is_settable && option.path == key)
      return std::unexpected(in_quotes(key) + " can't be set on its own: edit the file instead");
  }
  const std::string_view meant = nearest(key, keys);
  return std::unexpected("there is no key " + in_quotes(key) +
                         (meant.empty() ? ": docs/configuration.md lists them"
                                        : ": did you mean " + in_quotes(meant) + '?'));
}

bool is_bare(const Option& option) {
  return option.kind == OptionKind::kInteger || option.kind == OptionKind::kBoolean;
}

// A sentence about one place of the file.
std::unexpected<std::string> refused_at(std::size_t offset, std::string_view text,
                                        std::string_view file_name, std::string message) {
  const TextPosition place = position_of(text, offset);
  return std::unexpected(
      describe({std::string(file_name), place.line, place.column, std::move(message)}));
}

// The new value as a node of the tree, once it is known to be valid.
std::expected<Node, std::string> wanted_node(const Option& option, std::string_view value) {
  Node wanted;
  wanted.kind = NodeKind::kScalar;
  wanted.is_quoted = !is_bare(option);
  wanted.text = value;
  const auto valid = read_value(option, wanted);
  if (!valid) return std::unexpected(valid.error().message);
  if (option.kind == OptionKind::kInteger)
    wanted.text = std::to_string(std::get<std::int64_t>(*valid));
  return wanted;
}

// The text with the new value.
std::expected<std::string, std::string> edited(std::string_view text, std::string_view file_name,
                                               const Node& root, const Option& option,
                                               const Node& wanted) {
  const std::string written = is_bare(option) ? wanted.text : as_json(wanted.text);
  for (const Splice& splice : Proposals(text, root, option, written).run()) {
    std::string after = spliced(text, splice);
    if (!changes_nothing_else(after, root, option, wanted)) continue;
    if (const auto config = parse_config(after, file_name); !config)
      return std::unexpected(joined(config.error()));
    return after;
  }
  const Node* const old = find(root, option);
  return refused_at(
      (old != nullptr ? *old : root).offset, text, file_name,
      in_quotes(option.path) +
          " can't be changed without changing something else in this file: set it to " + written +
          " by hand");
}

}  // namespace

std::expected<ConfigEdit, std::string> set_config_value(std::string_view text,
                                                        std::string_view file_name,
                                                        std::string_view key,
                                                        std::string_view value) {
  const auto found_option = option_to_set(key);
  if (!found_option) return std::unexpected(found_option.error());
  const Option& option = **found_option;
  const auto wanted = wanted_node(option, value);
  if (!wanted) return std::unexpected(wanted.error());

  if (const auto config = parse_config(text, file_name); !config)
    return std::unexpected(joined(config.error()));
  const std::string_view body = without_byte_order_mark(text);
  const std::string mark(text.substr(0, text.size() - body.size()));
  const auto document = read_document(body);
  if (!document) return std::unexpected(std::string(file_name) + ": " + document.error().message);
  if (const Node* const section = section_of(document->root, option);
      section != nullptr && section->kind == NodeKind::kSequence) {
    return refused_at(section->offset, body, file_name,
                      in_quotes(parent_of(option)) + " is a list in this file, and " +
                          in_quotes(key) +
                          " can't tell which entry is meant: edit the file instead");
  }
  const Node* const old = find(document->root, option);
  if (old != nullptr && old->text == wanted->text)
    return ConfigEdit{.text = std::string(text), .old_value = old->text};
  const auto after = edited(body, file_name, document->root, option, *wanted);
  if (!after) return std::unexpected(after.error());
  return ConfigEdit{.text = mark + *after,
                    .old_value = old == nullptr ? std::nullopt : std::optional(old->text)};
}

}  // namespace winperf

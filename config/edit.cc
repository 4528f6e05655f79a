#include "config/edit.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>
#include <variant>
#include <vector>

#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/config.h"
#include "config/document.h"
#include "config/options.h"
#include "config/quantity.h"
#include "config/values.h"

namespace winperf {
namespace {

// Replaces the example's value. False if the example has no such line.
bool replace_value(std::string& text, std::string_view key, std::string_view old_value,
                   const std::string& value) {
  const std::string line = std::string(key) + ": " + std::string(old_value) + ",";
  const std::size_t at = text.find(line);
  if (at == std::string::npos) return false;
  text.replace(at, line.size(), std::string(key) + ": " + value + ",");
  return true;
}

}  // namespace

std::expected<std::string, std::string> example_config_with(
    const std::optional<std::string>& address, const std::optional<std::string>& port) {
  std::string text(example_config());
  if (address && !replace_value(text, "address", "\"::\"", as_json(*address)))
    return std::unexpected("the example has no listen.address");
  if (port) {
    const auto number = parse_integer(*port);
    if (!number)
      return std::unexpected("a port is a whole number, such as 10182, not \"" + *port + '"');
    if (!replace_value(text, "port", "10182", std::to_string(*number)))
      return std::unexpected("the example has no listen.port");
  }
  if (const auto config = parse_config(text, "the new configuration"); !config)
    return std::unexpected(describe(config.error().front()));
  return text;
}

namespace {

// The places of a configuration text where a new value of a key may be written, in the style of the
// text around it.

// The text that replaces `length` bytes at `offset`.
struct Splice {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string text;
};

// "listen", "web" and so on: a key of each section, and the option's own.
std::vector<std::string_view> keys_of(const Option& option) {
  std::vector<std::string_view> keys;
  for (const auto key : std::views::split(option.path, '.')) keys.emplace_back(key);
  return keys;
}

// The innermost of the option's sections that the text has, and how many keys lead to it.
struct Innermost {
  const Node* section = nullptr;
  std::size_t depth = 0;
};

Innermost innermost_of(const Node& root, const Option& option) {
  const auto keys = keys_of(option);
  Innermost innermost{.section = &root};
  while (innermost.depth + 1 < keys.size()) {
    const Node* const child = child_of(*innermost.section, keys[innermost.depth]);
    if (child == nullptr) break;
    innermost = {.section = child, .depth = innermost.depth + 1};
  }
  return innermost;
}

// The end of the key or value that begins at `at` and reads `decoded`; nothing if it can't be
// determined, such as for a text that continues on the next line.
std::optional<std::size_t> token_end(std::string_view text, std::size_t at,
                                     std::string_view decoded) {
  const char quote = at < text.size() ? text[at] : '\0';
  if (quote != '"' && quote != '\'') {
    const bool is_plain = text.substr(at).starts_with(decoded);
    return is_plain ? std::optional(at + decoded.size()) : std::nullopt;
  }
  for (std::size_t end = at + 1; end < text.size(); ++end) {
    const bool is_pair = quote == '"' ? text[end] == '\\' : text.substr(end).starts_with("''");
    if (is_pair)
      ++end;
    else if (text[end] == quote)
      return end + 1;
  }
  return std::nullopt;
}

bool may_have_comment(std::string_view text) {
  return text.contains('#') || text.contains("//") || text.contains("/*");
}

// Possible ends of the list in brackets that begins at `at`: which of the brackets are in quotes is
// unknown here. None if it may contain a comment, which would be lost.
std::vector<std::size_t> list_ends(std::string_view text, std::size_t at) {
  constexpr std::size_t kMost = 50;
  std::vector<std::size_t> ends;
  for (std::size_t end = text.find(']', at); end != text.npos && ends.size() < kMost;
       end = text.find(']', end + 1)) {
    if (may_have_comment(text.substr(at, end - at))) break;
    ends.push_back(end + 1);
  }
  return ends;
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

// The ways to write the new value, the best-looking one first. Only parsing the result shows
// whether one of them leaves everything else alone.
class Proposals {
 public:
  Proposals(std::string_view text, const Node& root, const Option& option, std::string value)
      : text_(text),
        root_(root),
        innermost_(innermost_of(root, option)),
        keys_(keys_of(option)),
        value_(std::move(value)) {
    const std::size_t line = text.find_first_of("\r\n");
    if (line != text.npos) newline_ = text.substr(line, text.substr(line).starts_with("\r\n") + 1U);
    quotes_keys_ = !root.children.empty() && text[root.children.front().key_offset] == '"';
  }

  std::vector<Splice> run() && {
    const auto& [section, depth] = innermost_;
    const Node* const old = depth + 1 == keys_.size() ? child_of(*section, keys_.back()) : nullptr;
    if (old != nullptr)
      replace(*old);
    else if (section->kind == NodeKind::kMap)
      add_to_map(*section);
    else if (section != &root_)
      fill(*section);
    else
      add_at_end("", flow());
    return std::move(proposals_);
  }

 private:
  void propose(std::size_t offset, std::size_t length, std::string text) {
    proposals_.push_back({offset, length, std::move(text)});
  }

  void replace(const Node& old) {
    if (old.kind != NodeKind::kSequence) {
      if (const auto end = token_end(text_, old.offset, old.text))
        propose(old.offset, *end - old.offset, value_);
    } else if (text_[old.offset] == '[') {
      for (const std::size_t end : list_ends(text_, old.offset))
        propose(old.offset, end - old.offset, value_);
    } else {
      replace_lines(old);
    }
  }

  // A list with one entry per line is moved to the line of its key.
  void replace_lines(const Node& list) {
    const Node& last = list.children.back();
    const auto key_end = token_end(text_, list.key_offset, list.key);
    const auto end = token_end(text_, last.offset, last.text);
    if (!key_end || !end || last.kind != NodeKind::kScalar) return;
    const std::size_t begin = text_.find(':', *key_end) + 1;
    if (begin == 0 || begin > *end || may_have_comment(text_.substr(begin, *end - begin))) return;
    propose(begin, *end - begin, ' ' + value_);
  }

  std::string written_key(std::string_view key) const {
    return quotes_keys_ ? '"' + std::string(key) + '"' : std::string(key);
  }
  // The missing keys, for use inside brackets.
  std::string flow() const {
    std::string entry = written_key(keys_.back()) + ": " + value_;
    for (std::size_t i = keys_.size() - 1; i > innermost_.depth; --i)
      entry = written_key(keys_[i - 1]) + ": {" + entry + '}';
    return entry;
  }
  // The same as an indented block.
  std::string block(std::string indent) const {
    std::string entry;
    for (std::size_t i = innermost_.depth; i + 1 < keys_.size(); ++i) {
      indent += "  ";
      entry += written_key(keys_[i]) + ':' + newline_ + indent;
    }
    return entry + written_key(keys_.back()) + ": " + value_;
  }

  void add_to_map(const Node& map) {
    const bool is_empty = map.children.empty();
    const std::size_t first = is_empty ? map.offset : map.children.front().key_offset;
    const auto indent = indentation(text_, first);
    const std::string flow = this->flow();
    const std::string block = this->block(indent.value_or(""));
    if (text_[map.offset] == '{') {
      if (!is_empty && indent && line_end(text_, map.offset) < first)
        propose(line_end(text_, map.offset), 0, newline_ + *indent + flow + ',');
      return propose(map.offset + 1, 0, flow + (is_empty ? "" : ", "));
    }
    if (!indent) return;
    if (&map == &root_)
      add_at_end(*indent, block);
    else
      propose(line_end(text_, map.key_offset), 0, newline_ + *indent + block);
    propose(first, 0, block + newline_ + *indent);
  }

  void add_at_end(const std::string& indent, const std::string& what) {
    const bool in_line = !text_.empty() && text_.back() != '\n' && text_.back() != '\r';
    propose(text_.size(), 0, (in_line ? newline_ : "") + indent + what + newline_);
  }

  // A section without a value: "null", or "listen:", perhaps with its keys commented out below.
  void fill(const Node& section) {
    const std::string flow = '{' + this->flow() + '}';
    for (const std::string_view nothing : {"null", "~"})
      if (text_.substr(section.offset).starts_with(nothing))
        propose(section.offset, nothing.size(), flow);
    if (const auto indent = indentation(text_, section.key_offset))
      propose(line_end(text_, section.key_offset), 0,
              newline_ + *indent + "  " + block(*indent + "  "));
    if (const auto end = token_end(text_, section.key_offset, section.key)) {
      if (const std::size_t colon = text_.find(':', *end); colon != text_.npos)
        propose(colon + 1, 0, ' ' + flow);
    }
  }

  std::string_view text_;
  const Node& root_;
  const Innermost innermost_;
  const std::vector<std::string_view> keys_;
  std::string value_;  // as written in the file
  std::string newline_ = "\n";
  bool quotes_keys_ = false;
  std::vector<Splice> proposals_;
};

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
  return text;
}

bool same(const Node& a, const Node& b);

bool same_value(const Node& a, const Node& b) {
  return a.kind == b.kind && a.is_quoted == b.is_quoted && a.text == b.text &&
         std::ranges::equal(a.children, b.children, same);
}

bool same(const Node& a, const Node& b) { return a.key == b.key && same_value(a, b); }

// The tree without the changed key, and without sections that this leaves empty.
Node without(Node root, const Option& option) {
  const auto keys = keys_of(option);
  std::vector<Node*> path{&root};
  for (const std::string_view key : keys) {
    const auto child = std::ranges::find(path.back()->children, key, &Node::key);
    if (child == path.back()->children.end()) break;
    path.push_back(&*child);
  }
  const auto is_gone = [&](std::size_t i) { return i == keys.size() || path[i]->children.empty(); };
  for (std::size_t i = path.size() - 1; i > 0 && is_gone(i); --i)
    std::erase_if(path[i - 1]->children,
                  [&](const Node& child) { return child.key == keys[i - 1]; });
  return root.children.empty() ? Node{} : root;
}

// The option's value; null if the text lacks it.
const Node* find(const Node& root, const Option& option) {
  const auto [section, depth] = innermost_of(root, option);
  return depth + 1 == keys_of(option).size() ? child_of(*section, key_of(option)) : nullptr;
}

// `wanted` is the new value as a node of the tree.
bool changes_nothing_else(const std::string& after, const Node& before, const Option& option,
                          const Node& wanted) {
  const auto document = read_document(after);
  if (!document) return false;
  const Node* const found = find(document->root, option);
  return found != nullptr && same_value(*found, wanted) &&
         same(without(document->root, option), without(before, option));
}

bool is_written_bare(const Option& option) { return option.takes.kind->written == Written::kBare; }

std::expected<const Option*, std::string> option_to_set(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Option& option : config_options()) {
    const bool is_of_an_entry = option.path.find("[]") != std::string_view::npos;
    const bool is_settable = option.takes.kind->written != Written::kByHand && !is_of_an_entry;
    if (is_settable && option.path == key) return &option;
    if (is_settable) keys.push_back(option.path);
    if (!is_settable && option.path == key)
      return std::unexpected(in_quotes(key) +
                             " cannot be set by this command; edit the file instead");
  }
  const std::string_view meant = nearest(key, keys);
  return std::unexpected("unknown key " + in_quotes(key) +
                         (meant.empty() ? "; docs/configuration.md lists them"
                                        : "; did you mean " + in_quotes(meant) + '?'));
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
  const auto scalar = [](std::string_view text, bool is_quoted) {
    return Node{.kind = NodeKind::kScalar, .is_quoted = is_quoted, .text = std::string(text)};
  };
  Node wanted = scalar(value, !is_written_bare(option));
  if (is_list(option)) {
    wanted = {.kind = NodeKind::kSequence};
    for (const auto word : std::views::split(value, ','))
      if (!word.empty()) wanted.children.push_back(scalar(trimmed(std::string_view(word)), true));
  }
  const auto valid = option.takes.kind->read(option, wanted);
  if (!valid) return std::unexpected(valid.error().message);
  if (const auto* const number = std::get_if<std::int64_t>(&*valid);
      number && is_written_bare(option))
    wanted.text = std::to_string(*number);
  return wanted;
}

std::string written_value(const Option& option, const Node& value) {
  if (value.kind != NodeKind::kSequence)
    return is_written_bare(option) ? value.text : as_json(value.text);
  return '[' + joined(value.children, ", ", [](const Node& word) { return as_json(word.text); }) +
         ']';
}

// As an administrator would type it.
std::string shown_value(const Node& value) {
  if (value.kind != NodeKind::kSequence) return value.text;
  return joined(value.children, ",", [](const Node& word) { return word.text; });
}

// The text with the new value.
std::expected<std::string, std::string> edited(std::string_view text, std::string_view file_name,
                                               const Node& root, const Option& option,
                                               const Node& wanted) {
  const std::string written = written_value(option, wanted);
  for (const Splice& splice : Proposals(text, root, option, written).run()) {
    std::string after(text);
    after.replace(splice.offset, splice.length, splice.text);
    if (changes_nothing_else(after, root, option, wanted)) return after;
  }
  const Node* const old = find(root, option);
  return refused_at(
      (old != nullptr ? *old : root).offset, text, file_name,
      in_quotes(option.path) +
          " cannot be changed without affecting other parts of this file; set it to " + written +
          " by hand");
}

struct Change {
  const Option& option;
  Node wanted;
};

std::expected<Change, std::string> checked(const ConfigChange& change) {
  const auto option = option_to_set(change.key);
  if (!option) return std::unexpected(option.error());
  auto wanted = wanted_node(**option, change.value);
  if (!wanted) return std::unexpected(wanted.error());
  return Change{.option = **option, .wanted = *std::move(wanted)};
}

// The result is a well-formed document, but may be a valid configuration only after further
// changes.
std::expected<void, std::string> make(const Change& change, std::string_view file_name,
                                      ConfigEdits& edits) {
  const Option& option = change.option;
  const std::string_view body = without_byte_order_mark(edits.text);
  const auto document = read_document(body);
  if (!document) return std::unexpected(std::string(file_name) + ": " + document.error().message);
  const Node& section = *innermost_of(document->root, option).section;
  if (section.kind == NodeKind::kSequence)
    return refused_at(section.offset, body, file_name,
                      in_quotes(section.key) + " is a list in this file, and " +
                          in_quotes(option.path) +
                          " does not say which entry is meant; edit the file instead");
  auto& old_value = edits.old_values.emplace_back();
  if (const Node* const old = find(document->root, option)) old_value = shown_value(*old);
  if (old_value == shown_value(change.wanted)) return {};
  const auto after = edited(body, file_name, document->root, option, change.wanted);
  if (!after) return std::unexpected(after.error());
  edits.text.replace(edits.text.size() - body.size(), body.size(), *after);
  return {};
}

}  // namespace

std::expected<ConfigEdits, std::string> set_config_values(std::string_view text,
                                                          std::string_view file_name,
                                                          std::span<const ConfigChange> changes) {
  std::vector<Change> all;
  for (const ConfigChange& change : changes) {
    auto one = checked(change);
    if (!one) return std::unexpected(std::move(one).error());
    all.push_back(*std::move(one));
  }
  if (const auto config = parse_config(text, file_name); !config)
    return std::unexpected(describe(config.error()));
  ConfigEdits edits{.text = std::string(text)};
  for (const Change& change : all)
    if (auto made = make(change, file_name, edits); !made)
      return std::unexpected(std::move(made).error());
  if (const auto config = parse_config(edits.text, file_name); !config)
    return std::unexpected(describe(config.error()));
  return edits;
}

}  // namespace winperf

#include "config/edit.h"

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <utility>
#include <variant>
#include <vector>

#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/config.h"
#include "config/document.h"
#include "config/edit_proposals.h"
#include "config/encoding.h"
#include "config/options.h"
#include "config/text_error.h"
#include "config/values.h"

namespace winperf {
namespace {

std::string spliced(std::string_view text, const Splice& splice) {
  std::string result(text);
  return result.replace(splice.offset, splice.length, splice.text);
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
  return text;
}

// The object that has the option's key; null if the text lacks it.
const Node* section_of(const Node& root, const Option& option) {
  const auto [section, depth] = innermost_of(root, option);
  return depth + 1 == keys_of(option).size() ? section : nullptr;
}

bool same(const Node& a, const Node& b);

bool same_value(const Node& a, const Node& b) {
  return a.kind == b.kind && a.is_quoted == b.is_quoted && a.text == b.text &&
         std::ranges::equal(a.children, b.children, same);
}

bool same(const Node& a, const Node& b) { return a.key == b.key && same_value(a, b); }

// The tree without the key that was changed, and without what is empty then.
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
  return found != nullptr && same_value(*found, wanted) &&
         same(without(document->root, option), without(before, option));
}

std::string lines_of(const ConfigErrors& errors) {
  return joined(errors, "\n", [](const ConfigError& error) { return describe(error); });
}

// A list of words, which a person writes with commas.
bool is_list(OptionKind kind) {
  return kind == OptionKind::kWords || kind == OptionKind::kHosts ||
         kind == OptionKind::kServices || kind == OptionKind::kNames;
}

bool can_be_set(OptionKind kind) {
  constexpr OptionKind kOthers[] = {
      OptionKind::kSection, OptionKind::kListen, OptionKind::kPatterns, OptionKind::kCountersets,
      OptionKind::kFacts, OptionKind::kMetrics, OptionKind::kTexts, OptionKind::kTargets,
      OptionKind::kUsers, OptionKind::kFixedLabels,
      // What the old value was would be said.
      OptionKind::kPem};
  return std::ranges::find(kOthers, kind) == std::end(kOthers);
}

std::expected<const Option*, std::string> option_to_set(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Option& option : config_options()) {
    const bool is_of_an_entry = option.path.find("[]") != std::string_view::npos;
    const bool is_settable = can_be_set(option.kind) && !is_of_an_entry;
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

Node scalar(std::string_view text, bool is_quoted) {
  Node node;
  node.kind = NodeKind::kScalar;
  node.is_quoted = is_quoted;
  node.text = text;
  return node;
}

// The new value as a node of the tree, once it is known to be valid.
std::expected<Node, std::string> wanted_node(const Option& option, std::string_view value) {
  Node wanted = scalar(value, !is_bare(option));
  if (is_list(option.kind)) {
    wanted = {};
    wanted.kind = NodeKind::kSequence;
    for (const auto word : std::views::split(value, ','))
      if (!word.empty()) wanted.children.push_back(scalar(trimmed(std::string_view(word)), true));
  }
  const auto valid = read_value(option, wanted);
  if (!valid) return std::unexpected(valid.error().message);
  if (option.kind == OptionKind::kInteger)
    wanted.text = std::to_string(std::get<std::int64_t>(*valid));
  return wanted;
}

std::string written_value(const Option& option, const Node& value) {
  if (value.kind != NodeKind::kSequence) return is_bare(option) ? value.text : as_json(value.text);
  return '[' + joined(value.children, ", ", [](const Node& word) { return as_json(word.text); }) +
         ']';
}

// As a person gives it.
std::string shown_value(const Node& value) {
  if (value.kind != NodeKind::kSequence) return value.text;
  return joined(value.children, ",", [](const Node& word) { return word.text; });
}

// The text with the new value.
std::expected<std::string, std::string> edited(std::string_view text, std::string_view file_name,
                                               const Node& root, const Option& option,
                                               const Node& wanted) {
  const std::string written = written_value(option, wanted);
  for (const Splice& splice : proposals(text, root, option, written)) {
    std::string after = spliced(text, splice);
    if (changes_nothing_else(after, root, option, wanted)) return after;
  }
  const Node* const old = find(root, option);
  return refused_at(
      (old != nullptr ? *old : root).offset, text, file_name,
      in_quotes(option.path) +
          " can't be changed without changing something else in this file: set it to " + written +
          " by hand");
}

// The first of the option's sections that is a list; null if none is.
const Node* list_in(const Node& root, const Option& option) {
  const Node* const section = innermost_of(root, option).section;
  return section->kind == NodeKind::kSequence ? section : nullptr;
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

// The text stays a document, but perhaps no valid configuration until others are changed, too.
std::expected<ConfigEdit, std::string> change_one(std::string_view text, std::string_view file_name,
                                                  const Change& change) {
  const Option& option = change.option;
  const std::string_view body = without_byte_order_mark(text);
  const std::string mark(text.substr(0, text.size() - body.size()));
  const auto document = read_document(body);
  if (!document) return std::unexpected(std::string(file_name) + ": " + document.error().message);
  if (const Node* const list = list_in(document->root, option)) {
    return refused_at(list->offset, body, file_name,
                      in_quotes(list->key) + " is a list in this file, and " +
                          in_quotes(option.path) +
                          " can't tell which entry is meant: edit the file instead");
  }
  const Node* const old = find(document->root, option);
  if (old != nullptr && shown_value(*old) == shown_value(change.wanted))
    return ConfigEdit{.text = std::string(text), .old_value = shown_value(*old)};
  const auto after = edited(body, file_name, document->root, option, change.wanted);
  if (!after) return std::unexpected(after.error());
  return ConfigEdit{.text = mark + *after,
                    .old_value = old == nullptr ? std::nullopt : std::optional(shown_value(*old))};
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
    return std::unexpected(lines_of(config.error()));
  ConfigEdits edits{.text = std::string(text)};
  for (const Change& change : all) {
    auto edit = change_one(edits.text, file_name, change);
    if (!edit) return std::unexpected(std::move(edit).error());
    edits.text = std::move(edit->text);
    edits.old_values.push_back(std::move(edit->old_value));
  }
  if (const auto config = parse_config(edits.text, file_name); !config)
    return std::unexpected(lines_of(config.error()));
  return edits;
}

std::expected<ConfigEdit, std::string> set_config_value(std::string_view text,
                                                        std::string_view file_name,
                                                        std::string_view key,
                                                        std::string_view value) {
  const ConfigChange change{.key = std::string(key), .value = std::string(value)};
  auto edits = set_config_values(text, file_name, {&change, 1});
  if (!edits) return std::unexpected(std::move(edits).error());
  return ConfigEdit{.text = std::move(edits->text), .old_value = edits->old_values.front()};
}

}  // namespace winperf

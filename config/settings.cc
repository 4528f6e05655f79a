#include "config/settings.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "config/document.h"
#include "config/options.h"
#include "config/quantity.h"
#include "config/values.h"

namespace winperf {
namespace {

constexpr char kSecret[] = "\"set\"";

// Inline certificates, keys and passwords. Every other kind of key can't have them.
bool is_secret(const Option& option) {
  const OptionKind* const kind = option.takes.kind;
  const OptionKind* const kShown[] = {&OptionKind::kBoolean,  &OptionKind::kInteger,
                                      &OptionKind::kDuration, &OptionKind::kBytes,
                                      &OptionKind::kFile,     &OptionKind::kChoice};
  return is_web_key(option.path) && std::ranges::find(kShown, kind) == std::end(kShown);
}

bool is_list_of_objects(const OptionKind* kind) {
  const OptionKind* const kLists[] = {&OptionKind::kCountersets,  &OptionKind::kTargetCountersets,
                                      &OptionKind::kFacts,        &OptionKind::kMetrics,
                                      &OptionKind::kTargets,      &OptionKind::kListen,
                                      &OptionKind::kCounterBounds};
  return std::ranges::find(kLists, kind) != std::end(kLists);
}

std::string json_of(const Node& node);

std::string json_of_scalar(const Node& node) {
  const bool is_plain =
      !node.is_quoted && (node.text == "true" || node.text == "false" || node.text == "0" ||
                          (!node.text.starts_with('0') && !node.text.starts_with('+') &&
                           !node.text.starts_with("-0") && parse_integer(node.text).has_value()));
  return is_plain ? node.text : as_json(node.text);
}

std::string json_of(const Node& node) {
  if (node.kind == NodeKind::kNull) return "null";
  if (node.kind == NodeKind::kScalar) return json_of_scalar(node);
  const bool is_map = node.kind == NodeKind::kMap;
  std::string out(1, is_map ? '{' : '[');
  for (const Node& child : node.children) {
    if (out.size() > 1) out += ',';
    if (is_map) out += as_json(child.key) + ':';
    out += json_of(child);
  }
  return out + (is_map ? '}' : ']');
}

class SettingsReader {
 public:
  explicit SettingsReader(std::string_view text) : lines_(text) {}

  // `parent`: the section's path in the table, and `prefix` that of its keys. `section`: null if
  // the file lacks it.
  void add_section(std::string_view parent, const std::string& prefix, const Node* section,
                   bool has_defaults) {
    const bool is_map = section != nullptr && section->kind == NodeKind::kMap;
    for (const Option& option : config_options()) {
      if (parent_of(option) != parent) continue;
      const std::string key = (prefix.empty() ? "" : prefix + '.') + std::string(key_of(option));
      add(option, key, is_map ? child_of(*section, key_of(option)) : nullptr, has_defaults);
    }
  }

  Settings take() { return std::move(settings_); }

 private:
  void add(const Option& option, const std::string& key, const Node* node, bool has_defaults) {
    const OptionKind* const kind = option.takes.kind;
    // The section of TLS and passwords is long, and mostly missing.
    if (node == nullptr && (!has_defaults || option.path == kWebSection)) return;
    if (kind == &OptionKind::kSection) return add_section(option.path, key, node, has_defaults);
    if (is_list_of_objects(kind)) return add_entries(option, key, node);
    std::string value(option.default_value.empty() ? "null" : option.default_value);
    if (node != nullptr) value = is_secret(option) ? kSecret : json_of(*node);
    settings_.push_back({.key = key,
                         .value = std::move(value),
                         .line = node != nullptr ? lines_.line_of(node->key_offset) : 0});
  }

  void add_entries(const Option& option, const std::string& key, const Node* node) {
    const bool is_listen = option.takes.kind == &OptionKind::kListen;
    if (node == nullptr || node->kind != NodeKind::kSequence) {
      if (is_listen) add_section(option.path, key + "[0]", node, true);
      return;
    }
    const std::string parent = std::string(option.path) + (is_listen ? "" : "[]");
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      const Node& entry = node->children[i];
      const std::string of_entry = key + '[' + std::to_string(i) + ']';
      if (entry.kind == NodeKind::kMap)
        add_section(parent, of_entry, &entry, is_listen);
      else
        settings_.push_back(
            {.key = of_entry, .value = json_of(entry), .line = lines_.line_of(entry.offset)});
    }
  }

  const LineIndex lines_;
  Settings settings_;
};

}  // namespace

Settings settings_of(const Document& document, std::string_view text) {
  SettingsReader reader(text);
  reader.add_section("", "", &document.root, true);
  return reader.take();
}

Settings default_settings() { return settings_of(Document{}, ""); }

void override_setting(Settings& settings, const std::string& key, std::string value,
                      std::string_view option) {
  auto setting = std::ranges::find(settings, key, &Setting::key);
  if (setting == settings.end()) setting = settings.insert(settings.end(), {.key = key});
  setting->value = std::move(value);
  setting->line = 0;
  setting->option = option;
}

void remove_settings(Settings& settings, std::string_view key) {
  std::erase_if(settings, [&](const Setting& setting) {
    const std::string_view rest =
        std::string_view(setting.key).substr(setting.key.starts_with(key) ? key.size() : 0);
    return setting.key == key ||
           (setting.key.starts_with(key) && (rest.starts_with('.') || rest.starts_with('[')));
  });
}

}  // namespace winperf

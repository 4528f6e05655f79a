#include "config/migration/settings.h"

#include <algorithm>
#include <utility>

#include "config/document.h"
#include "config/encoding.h"

namespace winperf::migration {
namespace {

void add(Settings& settings, std::string key, std::string value, std::string place) {
  const auto known = std::ranges::find(settings, key, &Setting::key);
  if (known != settings.end()) {
    known->values.push_back(std::move(value));
  } else {
    settings.push_back({std::move(key), {std::move(value)}, std::move(place)});
  }
}

// Flags without a value.
bool is_switch(std::string_view key) {
  static constexpr std::string_view kSwitches[] = {
      "web.disable-exporter-metrics", "debug.enabled",           "collector.process.iis",
      "collector.process.cmdline",    "collector.update.online", "collector.time.enabled.ntp"};
  return std::ranges::find(kSwitches, key) != std::end(kSwitches);
}

std::string at(std::string_view text, const std::string& name, std::size_t offset) {
  const TextPosition place = position_of(text, offset);
  return name + ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
}

constexpr std::string_view kAddresses = "web.listen-address";

class FileReader {
 public:
  FileReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Settings take() { return std::move(settings_); }

  // What is wrong, or nothing.
  std::string read(const Node& map, const std::string& prefix) {
    for (const Node& child : map.children) {
      const std::string key = prefix.empty() ? child.key : prefix + '.' + child.key;
      if (std::string wrong = read_value(child, key); !wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  std::string read_value(const Node& node, const std::string& key) {
    const std::string place = at(text_, name_, node.key_offset) + ": " + key;
    if (node.kind == NodeKind::kMap) return read(node, key);
    if (node.kind == NodeKind::kScalar) add(settings_, key, node.text, place);
    if (node.kind != NodeKind::kSequence) return {};
    std::string joined;
    for (const Node& item : node.children) {
      if (item.kind != NodeKind::kScalar)
        return at(text_, name_, item.offset) + ": the entries of \"" + key +
               "\" must be texts: write each as a text, or the whole list as a text block (|-)";
      if (key == kAddresses) add(settings_, key, item.text, place);
      joined += (joined.empty() ? "" : ",") + item.text;
    }
    // windows_exporter joins every list but this one, whose entries are values of their own.
    if (key != kAddresses) add(settings_, key, std::move(joined), place);
    return {};
  }

  std::string_view text_;
  const std::string& name_;
  Settings settings_;
};

}  // namespace

std::expected<Settings, std::string> read_flags(std::span<const std::string> arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with('-')) {
      if (i == 0) continue;
      return std::unexpected("\"" + argument +
                             "\" belongs to no flag: write --flag=value, and put quotes around a "
                             "value with spaces");
    }
    std::string key = argument.substr(argument.starts_with("--") ? 2 : 1);
    const std::string place = "--" + key.substr(0, key.find('='));
    if (const std::size_t equals = key.find('='); equals != std::string::npos) {
      add(settings, key.substr(0, equals), key.substr(equals + 1), place);
    } else if (key.starts_with("no-") && is_switch(key.substr(3))) {
      add(settings, key.substr(3), "false", place);
    } else if (is_switch(key)) {
      add(settings, key, "true", place);
    } else if (i + 1 < arguments.size()) {
      add(settings, key, arguments[++i], place);
    } else {
      return std::unexpected(argument + " needs a value: write " + argument + "=value");
    }
  }
  return settings;
}

std::expected<Settings, std::string> read_file(std::string_view text, const std::string& name) {
  const std::string_view rest = without_byte_order_mark(text);
  if (const auto wrong = check_encoding(rest))
    return std::unexpected(at(rest, name, wrong->offset) + ": " + wrong->message);
  const auto document = read_plain_yaml(rest);
  if (!document)
    return std::unexpected(at(rest, name, document.error().offset) + ": " +
                           document.error().message);
  if (!document->duplicates.empty()) {
    const TextError& twice = document->duplicates.front();
    return std::unexpected(at(rest, name, twice.offset) + ": " + twice.message);
  }
  if (document->root.kind == NodeKind::kNull) return Settings();
  if (document->root.kind != NodeKind::kMap)
    return std::unexpected(name +
                           ":1:1: this is not a configuration of windows_exporter, which "
                           "has keys such as \"collectors\", \"collector\" and \"web\"");
  FileReader reader(rest, name);
  if (std::string wrong = reader.read(document->root, {}); !wrong.empty())
    return std::unexpected(std::move(wrong));
  return reader.take();
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

const Setting* Progress::use(std::string_view key) {
  const auto found = std::ranges::find(settings_, key, &Setting::key);
  if (found == settings_.end()) return nullptr;
  used_.emplace(key);
  return &*found;
}

std::vector<const Setting*> Progress::unused() const {
  std::vector<const Setting*> all;
  for (const Setting& setting : settings_)
    if (!used_.contains(setting.key)) all.push_back(&setting);
  return all;
}

void Progress::note(std::string text) {
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  notes_.push_back(std::move(text));
}

void Progress::lose(std::string text) {
  ++lost_;
  note(std::move(text));
}

}  // namespace winperf::migration

#include "config/migration/settings.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "collectors/base/utf8.h"
#include "collectors/base/wording.h"
#include "collectors/match/nearest.h"
#include "config/collectors.h"
#include "config/document.h"
#include "config/migration/command_words.h"

namespace winperf::migration {
namespace {

void add(Settings& settings, std::string key, std::string value, std::string place) {
  const auto known = std::ranges::find(settings, key, &Setting::key);
  if (known != settings.end()) {
    known->values.push_back(std::move(value));
  } else {
    settings.push_back(
        {.key = std::move(key), .values = {std::move(value)}, .place = std::move(place)});
  }
}

// windows_exporter doesn't start without a needed value. Windows PowerShell drops an empty word.
enum class Value : std::uint8_t { kNone, kTaken, kNeeded };

struct Known {
  std::string_view key;
  Value value{};
  bool is_offered = true;  // as a suggestion for an unknown one
};
constexpr Known kKnown[] = {
    {"collectors.enabled", Value::kNeeded},
    {"collectors.disabled", Value::kNeeded},
    {"web.listen-address", Value::kNeeded},
    {"web.config.file", Value::kNeeded},
    {"web.disable-exporter-metrics", Value::kNone},
    {"telemetry.path", Value::kNeeded},
    {"log.level", Value::kNeeded},
    {"log.format", Value::kNeeded},
    {"log.file", Value::kNeeded},
    {"scrape.timeout-margin", Value::kNeeded},
    {"process.priority", Value::kNeeded},
    {"process.memory-limit", Value::kNeeded},
    {"debug.enabled", Value::kNone},
    {"config.file", Value::kNeeded},
    // Of collectors, in addition to the filters in their tables.
    {"collector.performancecounter.objects", Value::kTaken},
    {"collector.textfile.directories", Value::kTaken},
    {"collector.process.cmdline", Value::kNone},
    {"collector.process.iis", Value::kNone},
    {"collector.update.online", Value::kNone},
    {"collector.update.scrape-interval", Value::kTaken},
    // Of older versions, or specific to windows_exporter.
    {"telemetry.addr", Value::kNeeded, false},
    {"telemetry.max-requests", Value::kNeeded, false},
    {"web.systemd-socket", Value::kNone, false},
    {"collector.time.enabled.ntp", Value::kNone, false},
    {"collector.service.use-api", Value::kNone, false},
    {"collector.service.v2", Value::kNone, false},
    {"collector.mssql.class-print", Value::kNone, false},
    {"collectors.mssql.class-print", Value::kNone, false},
    {"collectors.exchange.list", Value::kNone, false},
    {"collectors.print", Value::kNone, false},
    {"config.file.insecure-skip-verify", Value::kNone, false},
    {"version", Value::kNone, false},
    {"help", Value::kNone, false},
};

Value value_of(std::string_view key) {
  const auto* const known = std::ranges::find(kKnown, key, &Known::key);
  return known == std::end(kKnown) ? Value::kTaken : known->value;
}

std::string at(std::string_view text, const std::string& name, std::size_t offset) {
  const TextPosition place = position_of(text, offset);
  return name + ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
}

constexpr std::string_view kAddresses = "web.listen-address";
constexpr std::string_view kOldAddress = "telemetry.addr";
constexpr std::string_view kObjects = "collector.performancecounter.objects";

// Where the text block that is the value of the key at `offset` begins; none for other values, and
// for a block whose lines are joined.
BlockPlace block_after(std::string_view text, const std::string& name, std::size_t offset) {
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  const std::string_view line = text.substr(offset, end - offset);
  const std::size_t colon = line.find(": |");
  if (colon == std::string_view::npos || end == text.size()) return {};
  BlockPlace block{.file = name, .line = position_of(text, end).line + 1};
  const std::size_t word = std::min(text.find_first_not_of(" \r\n", end), text.size());
  block.indent = word - text.rfind('\n', word) - 1;
  return block;
}

class FileReader {
 public:
  FileReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Settings take() { return std::move(settings_); }

  void read(const Node& map, const std::string& prefix) {
    for (const Node& child : map.children)
      read_value(child, prefix.empty() ? child.key : prefix + '.' + child.key);
  }

 private:
  void read_value(const Node& node, const std::string& key) {
    const std::string place = at(text_, name_, node.key_offset) + ": " + key;
    if (node.kind == NodeKind::kMap) return read(node, key);
    if (node.kind == NodeKind::kScalar) {
      add(settings_, key, node.text, place);
      if (settings_.back().key == key)
        settings_.back().block = block_after(text_, name_, node.key_offset);
    }
    if (node.kind == NodeKind::kSequence) read_list(node, key, place);
  }

  void read_list(const Node& node, const std::string& key, const std::string& place) {
    const auto is_map = [](const Node& item) { return item.kind == NodeKind::kMap; };
    if (key == kObjects && std::ranges::all_of(node.children, is_map)) {
      settings_.push_back({.key = key,
                           .values = {std::string(text_)},
                           .place = place,
                           .block = {.file = name_, .line = 1},
                           .list = node});
      return;
    }
    std::string joined;
    for (const Node& item : node.children) {
      if (item.kind == NodeKind::kMap) read(item, key + "[]");
      if (item.kind != NodeKind::kScalar) continue;
      if (key == kAddresses) add(settings_, key, item.text, place);
      joined += (joined.empty() ? "" : ",") + item.text;
    }
    // windows_exporter joins every list except this one, whose entries are separate values.
    if (key != kAddresses) add(settings_, key, std::move(joined), place);
  }

  std::string_view text_;
  const std::string& name_;
  Settings settings_;
};

void add_flag(Settings& settings, std::string key, const std::string* next, bool& takes_next) {
  const std::string place = "--" + key.substr(0, key.find('='));
  if (const std::size_t equals = key.find('='); equals != std::string::npos) {
    add(settings, key.substr(0, equals), key.substr(equals + 1), place);
  } else if (key.starts_with("no-")) {
    add(settings, key.substr(3), "false", place);
  } else if (value_of(key) == Value::kNone || next == nullptr || next->starts_with("--") ||
             is_installer_word(*next)) {
    const std::string value = value_of(key) == Value::kNeeded ? "" : "true";
    add(settings, std::move(key), value, place);
  } else {
    add(settings, std::move(key), *next, place);
    takes_next = true;
  }
}

// The installer has an address and a port, the exporter one flag.
void join_address(Settings& settings) {
  std::string address;
  std::string port = "9182";
  bool any = false;
  for (Setting& setting : settings) {
    if (setting.key != "installer.address" && setting.key != "installer.port") continue;
    (setting.key == "installer.address" ? address : port) = setting.values.back();
    any = true;
  }
  if (!any) return;
  std::erase_if(settings,
                [](const Setting& setting) { return setting.key.starts_with("installer."); });
  if (address.find(':') != std::string::npos && !address.starts_with('[')) {
    address.insert(0, "[");
    address += ']';
  }
  add(settings, std::string(kAddresses), address + ':' + port, "LISTEN_ADDR and LISTEN_PORT");
}

// A configuration must be UTF-8, even in comments.
std::optional<std::string> problem_of_text(const std::string& argument) {
  if (valid_bytes(argument) != argument.size())
    return in_quotes(argument) + " is not UTF-8; write it in UTF-8";
  return std::nullopt;
}

}  // namespace

std::expected<Settings, std::string> read_flags(std::span<const std::string> arguments) {
  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    if (const auto problem = problem_of_text(argument)) return std::unexpected(*problem);
    if (is_installer_word(argument))
      std::ranges::move(flags_of_installer(argument), std::back_inserter(words));
    else
      words.push_back(argument);
  }
  Settings settings;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      if (i == 0) continue;
      return std::unexpected("\"" + word +
                             "\" belongs to no flag; write --flag=value, and put quotes around a "
                             "value with spaces");
    }
    bool takes_next = false;
    add_flag(settings, word.substr(word.starts_with("--") ? 2 : 1),
             i + 1 < words.size() ? &words[i + 1] : nullptr, takes_next);
    if (takes_next) ++i;
  }
  join_address(settings);
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
                           ":1:1: not a windows_exporter configuration, which has keys such as "
                           "\"collectors\", \"collector\" and \"web\"");
  FileReader reader(rest, name);
  reader.read(document->root, {});
  return reader.take();
}

bool is_list(const Setting& setting) {
  return setting.key == kAddresses || setting.key == kOldAddress;
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

std::string place_in(const Setting& setting, std::size_t offset) {
  const BlockPlace& block = setting.block;
  if (block.line == 0) return setting.place;
  const std::string text = setting.values.empty() ? "" : setting.values.back();
  const TextPosition place = position_of(text, offset);
  return block.file + ':' + std::to_string(block.line + place.line - 1) + ':' +
         std::to_string(block.indent + place.column) + ": " + setting.key;
}

namespace {

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const Known& known : kKnown)
    if (known.is_offered) keys.emplace_back(known.key);
  for (const Collector& collector : collectors()) {
    const std::string prefix = "collector." + std::string(collector.name) + '.';
    const auto add = [&](std::string_view option) {
      if (option.empty()) return;
      std::string key = prefix + std::string(option);
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
    };
    const auto add_filters = [&](const auto& reads) {
      for (const auto& read : reads) {
        add(read.include);
        add(read.exclude);
      }
    };
    add_filters(collector.objects);
    add_filters(collector.topics);
    if (has_parts(collector)) add("enabled");
  }
  return keys;
}

// All keys of collectors begin alike, which would make them all similar.
std::string_view without_section(std::string_view key) {
  for (const std::string_view section : {"collector.", "collectors."})
    if (key.starts_with(section)) return key.substr(section.size());
  return key;
}

bool ends_with_part(std::string_view key, std::string_view end) {
  return key == end || (key.ends_with(end) && key[key.size() - end.size() - 1] == '.');
}

// The known key in another section that shares the longest end with this one, or none. A single
// word of a long key is too little.
std::string with_end_of(std::string_view key, const std::vector<std::string>& known) {
  const bool is_long = std::ranges::count(key, '.') > 1;
  for (std::string_view end = key; !end.empty();
       end.remove_prefix(end.contains('.') ? end.find('.') + 1 : end.size())) {
    if (is_long && !end.contains('.')) break;
    const auto found = std::ranges::find_if(
        known, [end](const std::string& one) { return ends_with_part(one, end); });
    if (found != known.end()) return *found;
  }
  return {};
}

}  // namespace

std::string meant_key(std::string_view key) {
  static const std::vector<std::string> known = known_keys();
  if (std::ranges::find(known, key) != known.end()) return {};
  if (const std::string elsewhere = with_end_of(key, known); !elsewhere.empty()) return elsewhere;
  const std::string_view word = without_section(key);
  if (find_collector(word) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const std::string& one : known) names.push_back(without_section(one));
  const std::string_view similar = nearest(word, names);
  if (similar.empty()) return {};
  return known[static_cast<std::size_t>(std::ranges::find(names, similar) - names.begin())];
}

std::string hint_at(std::string_view meant) {
  return meant.empty() ? "" : "; did you mean " + as_json(meant) + '?';
}

const Setting* Progress::use(std::string_view key) {
  const auto found = std::ranges::find(settings_, key, &Setting::key);
  if (found == settings_.end()) return nullptr;
  used_.emplace(key);
  return &*found;
}

const Setting* Progress::use_any(const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    if (const Setting* const setting = use(key)) return setting;
  return nullptr;
}

std::vector<const Setting*> Progress::unused() const {
  std::vector<const Setting*> all;
  for (const Setting& setting : settings_)
    if (!used_.contains(setting.key)) all.push_back(&setting);
  return all;
}

std::size_t Progress::lost() const {
  return static_cast<std::size_t>(std::ranges::count(messages_, true, &Message::is_loss));
}

void Progress::add(std::string text, bool is_loss) {
  // A configuration can't contain them, even in a comment.
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  std::ranges::replace_if(text, is_control, ' ');
  Message message{.text = std::move(text), .is_loss = is_loss};
  if (std::ranges::find(messages_, message) == messages_.end())
    messages_.push_back(std::move(message));
}

}  // namespace winperf::migration

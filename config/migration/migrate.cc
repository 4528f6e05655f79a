#include "config/migration/migrate.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "config/config.h"
#include "config/document.h"
#include "config/migration/collectors.h"
#include "config/nearest.h"
#include "config/quantity.h"

namespace winperf::migration {
namespace {

// Settings whose values say nothing about what is sampled, and what to do about each.
struct Unmatched {
  std::string_view key;
  std::string_view note;
};
constexpr Unmatched kUnmatched[] = {
    {"web.config.file",
     "TLS and passwords have no counterpart yet: put a reverse proxy in front, "
     "or listen on 127.0.0.1"},
    {"web.disable-exporter-metrics", "the exporter's own metrics are always there"},
    {"telemetry.path", "metrics are at /metrics: change metrics_path in Prometheus' configuration"},
    {"scrape.timeout-margin",
     "scrapes show what was sampled before, so they need no time-out; "
     "limits.query_timeout bounds a query"},
    {"debug.enabled", "there are no profiles of this program"},
    {"process.priority", "set it where the service is started, if it is needed"},
    {"process.memory-limit",
     "limits.max_reply_bytes bounds a reply; there is no limit of the whole"},
    {"config.file", "it was not read: name it with --from-windows-exporter"},
};

std::string as_json(std::string_view text) {
  using nlohmann::json;
  return json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
}

// A pattern that matches this name alone.
std::string escaped(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
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

const Collector* find_collector(std::string_view name) {
  const auto all = collectors();
  const auto found = std::ranges::find(all, name, &Collector::name);
  return found == all.end() ? nullptr : &*found;
}

const Node* child_of(const Node& map, std::string_view key) {
  const auto found = std::ranges::find(map.children, key, &Node::key);
  return found == map.children.end() ? nullptr : &*found;
}

// "{name: ..., instances: {include: [...], exclude: [...]}}" of one counterset.
struct Entry {
  std::vector<std::string> names;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> counters;
  std::string comment;
};

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + as_json(text);
  return '[' + list + ']';
}

std::string text_of(const Entry& entry) {
  std::string text = "    {name: " + (entry.names.size() == 1 ? as_json(entry.names.front())
                                                              : list_of(entry.names));
  std::string filter;
  if (!entry.include.empty()) filter = "include: " + list_of(entry.include);
  if (!entry.exclude.empty())
    filter += (filter.empty() ? "" : ", ") + std::string("exclude: ") + list_of(entry.exclude);
  if (!filter.empty()) text += ", instances: {" + filter + '}';
  if (!entry.counters.empty()) text += ", counters: {include: " + list_of(entry.counters) + '}';
  return text + "},  // " + entry.comment + '\n';
}

class Migration {
 public:
  explicit Migration(const Settings& settings) : settings_(settings) {}

  std::expected<Migrated, std::string> run();

 private:
  const Setting* take(std::string_view key);
  const std::string* value_of(std::string_view key);
  // One line, whatever a value in it holds: it becomes a comment.
  void note(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    notes_.push_back(std::move(text));
  }

  std::string listen();
  std::string log();
  std::expected<void, std::string> select_collectors();
  void add_collector(const Collector& collector);
  std::expected<void, std::string> add_custom_objects();
  std::expected<Entry, std::string> custom_object(const Node& node);
  void add(Entry entry);
  void list_what_is_left();

  const Settings& settings_;
  std::set<std::string, std::less<>> taken_;
  std::vector<std::string> enabled_;
  std::vector<Entry> entries_;
  std::vector<std::string> notes_;
};

const Setting* Migration::take(std::string_view key) {
  const auto found = std::ranges::find(settings_, key, &Setting::key);
  if (found == settings_.end()) return nullptr;
  taken_.emplace(key);
  return &*found;
}

// The last one counts, as it does for windows_exporter.
const std::string* Migration::value_of(std::string_view key) {
  const Setting* const setting = take(key);
  return setting == nullptr ? nullptr : &setting->values.back();
}

std::string Migration::listen() {
  const Setting* const setting = take("web.listen-address");
  std::string address = "0.0.0.0";
  std::string port = "9182";
  if (setting != nullptr) {
    const std::string& value = setting->values.front();
    const std::size_t colon = value.rfind(':');
    if (colon != std::string::npos && parse_integer(value.substr(colon + 1))) {
      port = value.substr(colon + 1);
      if (colon > 0) address = value.substr(0, colon);
    } else {
      note(setting->place + ": \"" + value + "\" is no address that is known here");
    }
    if (setting->values.size() > 1)
      note(setting->place +
           ": there is one address here, so the first was taken; \"0.0.0.0\" is "
           "every IPv4 interface and \"::\" every one");
  }
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  return "  // windows_exporter's port, so that nothing has to be changed in Prometheus; the two "
         "can't "
         "both have it.\n  listen: {address: " +
         as_json(address) + ", port: " + port + "},\n";
}

std::string Migration::log() {
  std::string keys;
  if (const std::string* level = value_of("log.level")) keys += "level: " + as_json(*level);
  if (const std::string* format = value_of("log.format")) {
    const bool json = *format == "json";
    keys += (keys.empty() ? "" : ", ") + std::string("format: ") + (json ? "\"json\"" : "\"text\"");
  }
  if (const std::string* file = value_of("log.file")) {
    static constexpr std::string_view kStreams[] = {"stdout", "stderr", "eventlog"};
    if (std::ranges::find(kStreams, *file) == std::end(kStreams)) {
      keys += (keys.empty() ? "" : ", ") + std::string("file: ") + as_json(*file);
    } else if (*file == "stdout") {
      note("log.file: messages go to standard error, or as a service to the event log");
    }
  }
  return keys.empty() ? "" : "  log: {" + keys + "},\n";
}

std::expected<void, std::string> Migration::select_collectors() {
  const Setting* const enabled = take("collectors.enabled");
  const auto defaults = default_collectors();
  const auto enable = [this](std::string_view name) {
    if (std::ranges::find(enabled_, name) == enabled_.end()) enabled_.emplace_back(name);
  };
  for (const std::string& name : enabled == nullptr ? std::vector<std::string>{"[defaults]"}
                                                    : split(enabled->values.back(), ',')) {
    if (name != "[defaults]") enable(name);
    if (name == "[defaults]") std::ranges::for_each(defaults, enable);
  }
  if (const std::string* disabled = value_of("collectors.disabled"))
    for (const std::string& name : split(*disabled, ',')) std::erase(enabled_, name);
  for (const std::string& name : enabled_) {
    const Collector* const collector = find_collector(name);
    if (collector != nullptr) {
      add_collector(*collector);
      continue;
    }
    std::vector<std::string_view> names;
    for (const Collector& known : collectors()) names.push_back(known.name);
    const std::string_view meant = nearest(name, names);
    return std::unexpected((enabled == nullptr ? "collectors" : enabled->place) +
                           ": there is no collector \"" + name + '"' +
                           (meant.empty() ? std::string(": remove it")
                                          : ": did you mean \"" + std::string(meant) + "\"?"));
  }
  return {};
}

void Migration::add_collector(const Collector& collector) {
  const std::string prefix = "collector." + std::string(collector.name) + '.';
  for (const ReadObject& object : collector.objects) {
    Entry entry{.names = split(object.name, '|'),
                .include = {},
                .exclude = {},
                .counters = {},
                .comment = std::string(collector.name)};
    if (!object.include.empty())
      if (const std::string* pattern = value_of(prefix + std::string(object.include)))
        if (*pattern != ".+" && *pattern != ".*" && !pattern->empty()) entry.include = {*pattern};
    if (!object.exclude.empty())
      if (const std::string* pattern = value_of(prefix + std::string(object.exclude)))
        if (!pattern->empty()) entry.exclude = {*pattern};
    add(std::move(entry));
  }
  if (!collector.note.empty())
    note("collector " + std::string(collector.name) + ": " + std::string(collector.note));
}

// Two of one name would be an error: the first one stays, as a collector's.
void Migration::add(Entry entry) {
  const bool known = std::ranges::any_of(entries_, [&](const Entry& other) {
    return std::ranges::any_of(entry.names, [&](const std::string& name) {
      return std::ranges::find(other.names, name) != other.names.end();
    });
  });
  if (!known) {
    entries_.push_back(std::move(entry));
    return;
  }
  note(entry.comment + ": \"" + entry.names.front() +
       "\" is sampled already; it was left out, so add what is missing of it there");
}

std::expected<void, std::string> Migration::add_custom_objects() {
  const Setting* const setting = take("collector.performancecounter.objects");
  if (setting == nullptr) return {};
  const auto document = read_plain_yaml(setting->values.back());
  if (!document || document->root.kind != NodeKind::kSequence)
    return std::unexpected(setting->place +
                           ": this is not the list of objects that the collector takes: each has "
                           "the keys name, object and counters");
  for (const Node& node : document->root.children) {
    auto entry = custom_object(node);
    if (!entry) return std::unexpected(setting->place + ": " + entry.error());
    add(*std::move(entry));
  }
  note(
      "collector performancecounter: the metric names and labels that it gives are not taken over; "
      "docs/metrics.md says how counters are named here");
  return {};
}

std::expected<Entry, std::string> Migration::custom_object(const Node& node) {
  const Node* const object = child_of(node, "object");
  if (object == nullptr || object->kind != NodeKind::kScalar || object->text.empty())
    return std::unexpected("an entry has no \"object\": write the counterset's name there");
  Entry entry{.names = {object->text},
              .include = {},
              .exclude = {},
              .counters = {},
              .comment = "performancecounter"};
  if (const Node* const instances = child_of(node, "instances"))
    for (const Node& instance : instances->children)
      if (instance.text != "*" && !instance.text.empty())
        entry.include.push_back(escaped(instance.text));
  if (const Node* const counters = child_of(node, "counters"))
    for (const Node& counter : counters->children)
      if (const Node* const name = child_of(counter, "name"))
        entry.counters.push_back(escaped(name->text));
  return entry;
}

void Migration::list_what_is_left() {
  for (const Setting& setting : settings_) {
    if (taken_.contains(setting.key)) continue;
    const auto known = std::ranges::find(kUnmatched, setting.key, &Unmatched::key);
    if (known != std::end(kUnmatched)) {
      note(setting.place + ": " + std::string(known->note));
      continue;
    }
    const std::vector<std::string> parts = split(setting.key, '.');
    const bool of_collector = parts.size() > 2 && parts[0] == "collector";
    const Collector* const collector = of_collector ? find_collector(parts[1]) : nullptr;
    const bool enabled = of_collector && std::ranges::find(enabled_, parts[1]) != enabled_.end();
    if (collector != nullptr && !enabled) {
      note(setting.place + ": the collector " + parts[1] + " is not enabled");
    } else if (collector != nullptr) {
      note(setting.place + ": this option has no counterpart");
    } else {
      note(setting.place + ": this setting is not known");
    }
  }
}

std::expected<Migrated, std::string> Migration::run() {
  const std::string head = listen() + log();
  if (auto selected = select_collectors(); !selected) return std::unexpected(selected.error());
  if (auto added = add_custom_objects(); !added) return std::unexpected(added.error());
  list_what_is_left();
  if (entries_.empty())
    return std::unexpected(
        "none of the enabled collectors reads performance counters, so there is "
        "nothing to sample");
  std::string text =
      "// Made from windows_exporter's configuration by \"winperf_exporter config "
      "migrate\". Names of metrics differ.\n{\n" +
      head + "  countersets: [\n";
  for (const Entry& entry : entries_) text += text_of(entry);
  text += "  ],\n}\n";
  if (!notes_.empty()) text += "// Without a counterpart, or to know:\n";
  for (const std::string& one : notes_) text += "// - " + one + '\n';
  if (const auto config = parse_config(text, "the result"); !config)
    return std::unexpected(describe(config.error().front()));
  return Migrated{.text = std::move(text), .notes = std::move(notes_)};
}

}  // namespace

std::expected<Migrated, std::string> migrate(const Settings& settings) {
  return Migration(settings).run();
}

}  // namespace winperf::migration

#include "config/migration/migrate.h"

#include <algorithm>
#include <optional>
#include <set>

#include "collectors/base/ascii.h"
#include "collectors/match/filter.h"
#include "config/config.h"
#include "config/document.h"
#include "config/migration/collectors.h"
#include "config/migration/texts.h"
#include "config/nearest.h"
#include "config/options.h"
#include "config/perfmon_path.h"

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

// What this program has against a part of a configuration; empty: nothing.
std::string wrong_with(const std::string& part) {
  const auto config = parse_config(part, "");
  return config ? "" : config.error().front().message;
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

// What the built-in defaults sample at an interval of its own is sampled so here, too: "15s". Empty
// for all others.
std::string interval_of(const std::vector<std::string>& names) {
  static const Config kDefaults = default_config();
  for (const CountersetConfig& counterset : kDefaults.countersets)
    if (counterset.interval != kDefaults.interval &&
        std::ranges::find(names, ascii_lower(counterset.label),
                              [](const std::string& name) { return ascii_lower(name); }) != names.end())
      return duration_text(counterset.interval.count());
  return {};
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + as_json(text);
  return '[' + list + ']';
}

std::string text_of(const Entry& entry) {
  std::string text = "    {name: " + (entry.names.size() == 1 ? as_json(entry.names.front())
                                                              : list_of(entry.names));
  if (const std::string interval = interval_of(entry.names); !interval.empty())
    text += ", interval: " + as_json(interval);
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
  std::expected<std::string, std::string> log();
  std::expected<void, std::string> select_collectors();
  void note_unknown_collector(const std::string& name, const std::string& place);
  std::expected<void, std::string> add_collector(const Collector& collector);
  std::optional<std::vector<std::string>> parts_of(const Collector& collector);
  const Setting* parts_setting(const Collector& collector);
  std::expected<std::string, std::string> pattern_of(const Collector& collector,
                                                     std::string_view option);
  std::expected<void, std::string> add_custom_objects();
  std::expected<Entry, std::string> custom_object(const Node& node);
  void add(Entry entry);
  void list_what_is_left();

  const Settings& settings_;
  std::set<std::string, std::less<>> taken_;
  std::vector<std::string> enabled_;
  std::vector<Entry> entries_;
  std::vector<std::string> notes_;
  std::size_t collectors_taken_ = 0;
  std::size_t settings_lost_ = 0;
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
  const Setting* setting = take("web.listen-address");
  // So older versions call it, whose configurations are still in use.
  if (const Setting* const old = take("telemetry.addr"); setting == nullptr) setting = old;
  const std::string value = setting == nullptr ? ":9182" : setting->values.front();
  const std::size_t colon = std::min(value.rfind(':'), value.size());
  std::string address = value.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  const auto text = [](const std::string& host, std::string_view port) {
    return "listen: {address: " + as_json(host.empty() ? "0.0.0.0" : host) +
           ", port: " + std::string(port) + '}';
  };
  std::string keys = text(address, value.substr(std::min(colon + 1, value.size())));
  if (!wrong_with(keys).empty()) {
    keys = text("", "9182");
    note(setting->place + ": " + as_json(value) +
         " is no address that is known here; every IPv4 interface and port 9182 were written");
  }
  if (setting != nullptr && setting->values.size() > 1)
    note(setting->place +
         ": there is one address here, so the first was taken; \"0.0.0.0\" is "
         "every IPv4 interface and \"::\" every one");
  return "  // windows_exporter's port, so that nothing has to be changed in Prometheus; the two "
         "can't "
         "both have it.\n  " +
         keys + ",\n";
}

std::expected<std::string, std::string> Migration::log() {
  static constexpr std::string_view kStreams[] = {"stdout", "stderr", "eventlog"};
  std::string keys;
  for (const std::string_view key : {"log.level", "log.format", "log.file"}) {
    const Setting* const setting = take(key);
    if (setting == nullptr) continue;
    std::string value = setting->values.back();
    if (key == "log.file" && std::ranges::find(kStreams, value) != std::end(kStreams)) {
      if (value != "stderr")
        note(setting->place +
             ": messages go to standard error at a console, and to the event log as a service");
      continue;
    }
    if (key == "log.level") value = ascii_lower(value);
    if (key == "log.format") value = value == "json" ? "json" : "text";
    const std::string line = std::string(key.substr(4)) + ": " + as_json(value);
    if (const std::string wrong = wrong_with("log: {" + line + '}'); !wrong.empty())
      return std::unexpected(setting->place + ": " + wrong);
    keys += (keys.empty() ? "" : ", ") + line;
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
      if (auto added = add_collector(*collector); !added) return added;
    } else {
      note_unknown_collector(name, enabled == nullptr ? "collectors" : enabled->place);
    }
  }
  return {};
}

// Of a newer version than is known here, or misspelt: it costs itself alone.
void Migration::note_unknown_collector(const std::string& name, const std::string& place) {
  std::vector<std::string_view> names;
  for (const Collector& known : collectors()) names.push_back(known.name);
  const std::string_view meant = nearest(name, names);
  note(place + ": the collector " + as_json(name) + " is not known here, and was left out" +
       (meant.empty() ? "" : ": did you mean " + as_json(meant) + '?'));
}

// What limits a collector to some of the objects that it reads; null where nothing does.
const Setting* Migration::parts_setting(const Collector& collector) {
  const std::string name(collector.name);
  for (const std::string& key :
       {"collector." + name + ".enabled", "collectors." + name + ".enabled",
        "collector." + name + ".classes-enabled", "collectors." + name + ".classes-enabled"})
    if (const Setting* const setting = take(key)) return setting;
  return nullptr;
}

// The parts that a collector is limited to, in lower case; nothing where it is not.
std::optional<std::vector<std::string>> Migration::parts_of(const Collector& collector) {
  const auto has_part = [&](std::string_view part) {
    return std::ranges::find(collector.objects, part, &ReadObject::part) != collector.objects.end();
  };
  // Its "enabled", if it has one, is about something else.
  if (collector.objects.empty() || collector.objects.front().part.empty()) return std::nullopt;
  const Setting* const setting = parts_setting(collector);
  if (setting == nullptr) return std::nullopt;
  std::vector<std::string> parts = split(ascii_lower(setting->values.back()), ',');
  for (const std::string& part : parts) {
    if (has_part(part)) continue;
    ++settings_lost_;
    note(setting->place + ": " + as_json(part) + " has no counterpart");
  }
  return parts;
}

// The value of an option that is a pattern, "" where it selects nothing; once the options had other
// names.
std::expected<std::string, std::string> Migration::pattern_of(const Collector& collector,
                                                              std::string_view option) {
  if (option.empty()) return "";
  std::string old(option);
  old.replace(old.size() - 7, 7, option.ends_with("include") ? "whitelist" : "blacklist");
  const std::string prefix = "collector." + std::string(collector.name) + '.';
  const Setting* setting = take(prefix + std::string(option));
  if (setting == nullptr) setting = take(prefix + old);
  if (setting == nullptr) return "";
  const std::string& value = setting->values.back();
  if (option.ends_with("include") && (value == ".+" || value == ".*")) return "";
  if (const auto pattern = Pattern::compile(value); !pattern)
    return std::unexpected(setting->place + ": " + as_json(value) +
                           " is no regular expression here (" + pattern.error().message +
                           " at byte " + std::to_string(pattern.error().offset) +
                           "): write \\ before a character that stands for itself");
  return value;
}

std::expected<void, std::string> Migration::add_collector(const Collector& collector) {
  if (!collector.objects.empty()) ++collectors_taken_;
  const auto parts = parts_of(collector);
  for (const ReadObject& object : collector.objects) {
    if (parts && std::ranges::find(*parts, object.part) == parts->end()) continue;
    const auto include = pattern_of(collector, object.include);
    if (!include) return std::unexpected(include.error());
    const auto exclude = pattern_of(collector, object.exclude);
    if (!exclude) return std::unexpected(exclude.error());
    const auto list = [&](const std::string& pattern) {
      std::vector<std::string> patterns;
      const std::string before(object.before);
      if (!pattern.empty())
        patterns.push_back(before.empty() ? pattern : before + "(?:" + pattern + ')');
      return patterns;
    };
    add({.names = split(object.name, '|'),
         .include = list(*include),
         .exclude = list(*exclude),
         .counters = {},
         .comment = std::string(collector.name)});
  }
  if (!collector.note.empty())
    note("collector " + std::string(collector.name) + ": " + std::string(collector.note));
  return {};
}

// Two of one name would be an error: the first one stays, as a collector's.
void Migration::add(Entry entry) {
  const bool known = std::ranges::any_of(entries_, [&](const Entry& other) {
    return std::ranges::any_of(entry.names, [&](const std::string& name) {
      return std::ranges::any_of(other.names, [&](const std::string& taken) {
        return ascii_lower(taken) == ascii_lower(name);
      });
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
  if (std::ranges::find(enabled_, "performancecounter") == enabled_.end()) return {};
  const Setting* const setting = take("collector.performancecounter.objects");
  if (setting == nullptr) return {};
  const auto document = read_plain_yaml(setting->values.back());
  if (document && document->root.kind == NodeKind::kNull) return {};
  if (!document || document->root.kind != NodeKind::kSequence)
    return std::unexpected(
        setting->place +
        ": this is not the list of objects that the collector takes: each has "
        "the keys name, object and counters" +
        (document ? "" : "; " + of_its_line(setting->values.back(), document.error())));
  for (const Node& node : document->root.children) {
    auto entry = custom_object(node);
    if (!entry) return std::unexpected(setting->place + ": " + entry.error());
    add(*std::move(entry));
  }
  ++collectors_taken_;
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
        entry.include.push_back(path_pattern(instance.text));
  if (const Node* const counters = child_of(node, "counters"))
    for (const Node& counter : counters->children)
      if (const Node* const name = child_of(counter, "name"))
        entry.counters.push_back(path_pattern(name->text));
  const auto is_total = [](const std::string& name) { return name.ends_with("_Total"); };
  if (std::ranges::any_of(entry.include, is_total))
    note("performancecounter: \"" + object->text +
         "\": instances such as _Total are exposed with metrics: {total_instances: true}, those "
         "of all countersets");
  return entry;
}

void Migration::list_what_is_left() {
  for (const Setting& setting : settings_) {
    if (taken_.contains(setting.key)) continue;
    if (setting.key == "telemetry.path" && setting.values.back() == "/metrics") continue;
    ++settings_lost_;
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
      note(setting.place +
           ": this option has no counterpart; the collector's objects are sampled without it");
    } else {
      note(setting.place + ": this setting is not known");
    }
  }
}

std::expected<Migrated, std::string> Migration::run() {
  const std::string address = listen();
  const auto logging = log();
  if (!logging) return std::unexpected(logging.error());
  if (auto selected = select_collectors(); !selected) return std::unexpected(selected.error());
  if (auto added = add_custom_objects(); !added) return std::unexpected(added.error());
  list_what_is_left();
  if (entries_.empty()) {
    std::string lines;
    for (const std::string& one : notes_) lines += one + '\n';
    return std::unexpected(lines +
                           "none of the enabled collectors reads performance counters that are "
                           "known here, so there is "
                           "nothing to sample: enable one that does, such as cpu");
  }
  std::string summary = std::to_string(collectors_taken_) + " of " +
                        std::to_string(enabled_.size()) + " collectors were taken over";
  if (settings_lost_ != 0)
    summary += "; settings without a counterpart: " + std::to_string(settings_lost_);
  std::string text =
      "// Made from windows_exporter's configuration by \"winperf_exporter config "
      "migrate\". Names of metrics differ.\n// " +
      summary + ".\n{\n" + address + *logging + "  countersets: [\n";
  for (const Entry& entry : entries_) text += text_of(entry);
  text += "  ],\n}\n";
  if (!notes_.empty()) text += "// Without a counterpart, or to know:\n";
  for (const std::string& one : notes_) text += "// - " + one + '\n';
  if (const auto config = parse_config(text, "the result"); !config)
    return std::unexpected(describe(config.error().front()));
  const bool complete = collectors_taken_ == enabled_.size() && settings_lost_ == 0;
  return Migrated{.text = std::move(text),
                  .notes = std::move(notes_),
                  .summary = std::move(summary),
                  .complete = complete};
}

}  // namespace

std::expected<Migrated, std::string> migrate(const Settings& settings) {
  return Migration(settings).run();
}

}  // namespace winperf::migration

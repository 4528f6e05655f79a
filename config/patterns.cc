#include "config/patterns.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/decimal.h"
#include "collectors/base/wording.h"
#include "collectors/model/guid.h"
#include "config/collectors.h"

namespace winperf {

std::optional<PerfmonPath> parse_perfmon_path(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return std::nullopt;
  PerfmonPath path;
  if (text.starts_with("\\\\")) {
    const std::size_t machine_end = std::min(text.find('\\', 2), text.size());
    path.machine = text.substr(2, machine_end - 2);
    text.remove_prefix(machine_end);
  }
  if (text.starts_with('\\')) text.remove_prefix(1);

  // Names of instances may have any of these characters, and those of counters parentheses.
  const std::size_t separator = text.find('\\');
  const std::size_t open = text.find('(');
  std::size_t close = text.rfind(")\\");
  if (close == std::string_view::npos && text.ends_with(')')) close = text.size() - 1;
  if (open < separator && close != std::string_view::npos && open < close) {
    path.object = text.substr(0, open);
    path.instance = text.substr(open + 1, close - open - 1);
    if (close + 2 < text.size()) path.counter = text.substr(close + 2);
    return path;
  }
  path.object = text.substr(0, separator);
  if (separator != std::string_view::npos) path.counter = text.substr(separator + 1);
  return path;
}

std::expected<void, std::string> select_path(CountersetConfig& entry, const PerfmonPath& path) {
  if (path.object.empty())
    return std::unexpected("has no object; write, for example, \\Memory\\Available Bytes");
  if (!path.machine.empty())
    return std::unexpected("names the machine " + in_quotes(path.machine) + "; write " +
                           in_quotes(local_path(path)) +
                           ", and name the machine by --target, or in targets in a configuration");
  if (const bool opens = path.object.find('(') != std::string::npos;
      opens || path.object.find(')') != std::string::npos)
    return std::unexpected(std::string("lacks the parenthesis ") + (opens ? "after" : "before") +
                           " the instance; write, for example, \\Process(svchost)\\Working Set");
  if (const auto object = filter_of(path.object); !object) return std::unexpected(object.error());
  // The first instance of a name has the number 0, which perfmon doesn't show.
  auto instances =
      filter_of(path.instance.ends_with("#0") ? path.instance.substr(0, path.instance.size() - 2)
                                              : path.instance);
  if (!instances) return std::unexpected(instances.error());
  auto counters = filter_of(path.counter);
  if (!counters) return std::unexpected(counters.error());
  entry.names = {path.object};
  entry.instances = *std::move(instances);
  entry.instances_as_displayed = !entry.instances.accepts_all();
  entry.counters = *std::move(counters);
  return {};
}

std::optional<std::string> name_problem(const std::string& name) {
  CountersetConfig entry;
  if (const auto path = parse_perfmon_path(name)) {
    const auto selected = select_path(entry, *path);
    return selected ? std::nullopt : std::optional(selected.error());
  }
  if (!is_pattern(name)) return std::nullopt;
  const auto filter = filter_of(name);
  return filter ? std::nullopt : std::optional(filter.error());
}

CountersetConfig counterset_named(const std::string& name, const Config& config) {
  CountersetConfig entry;
  entry.label = name;
  entry.names = {name};
  entry.interval = config.interval;
  entry.with_twins = true;
  // If it is invalid, it is looked up like any other name, and not found.
  if (const auto path = parse_perfmon_path(name)) static_cast<void>(select_path(entry, *path));
  return entry;
}

std::string local_path(const PerfmonPath& path) {
  std::string text = '\\' + path.object;
  if (!path.instance.empty()) text += '(' + path.instance + ')';
  // The instance ends at the last ")\", so without a counter a trailing one may be needed.
  const bool is_ambiguous = path.instance.find(")\\") != std::string::npos;
  if (!path.counter.empty() || is_ambiguous) text += '\\' + path.counter;
  return text;
}

std::expected<Filter, std::string> filter_of(const std::string& name) {
  if (name.empty() || name == "*") return Filter();
  auto pattern = Pattern::compile("(?i)" + pattern_of_name(name));
  if (!pattern) return std::unexpected("has an invalid name: " + pattern.error().message);
  return Filter{.include = {*std::move(pattern)}, .exclude = {}};
}

std::string pattern_of_name(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    // Several * are equivalent to one, but would backtrack over every way to split the text.
    if (c == '*' && pattern.ends_with(".*")) continue;
    if (c == '*') pattern += '.';
    if (std::string_view("\\^$.|?+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

namespace {

// A list of patterns and names.
class NamePatterns {
 public:
  explicit NamePatterns(std::vector<std::string> names) : names_(std::move(names)) {
    for (const std::string& name : names_) filters_.push_back(filter_of(name).value_or(Filter()));
  }
  bool match(const KnownCounterset& known) const {
    const auto matches = [&](const Filter& filter) {
      return filter.check(known.name).accepted ||
             (!known.local_name.empty() && filter.check(known.local_name).accepted);
    };
    const auto is_key = [&](const std::string& name) {
      const auto guid = parse_guid(name);
      return guid ? guid == parse_guid(known.key) : equal_names(name, known.key);
    };
    return std::ranges::any_of(filters_, matches) || std::ranges::any_of(names_, is_key);
  }
  // Of those that are sampled.
  bool match_any(const Inventory& inventory, bool costly) const {
    return std::ranges::any_of(inventory.countersets, [&](const KnownCounterset& known) {
      return known.is_active && (costly || !known.is_costly) && match(known);
    });
  }

 private:
  std::vector<std::string> names_;
  std::vector<Filter> filters_;
};

// A counterset that has the same counters and instances as another one.
struct Twin {
  std::string_view name;
  std::string_view of;
};

constexpr Twin kTwins[] = {{"Process V2", "Process"}};

// The counterset that it repeats; empty if it repeats none.
std::string_view original_of(std::string_view name) {
  for (const Twin& twin : kTwins)
    if (equal_names(twin.name, name)) return twin.of;
  return {};
}

bool stands_for_others(const CountersetConfig& entry) {
  return entry.is_optional || is_pattern(entry.names.front());
}

class Expansion {
 public:
  Expansion(const Config& config, const Inventory& inventory)
      : path_(config.path), inventory_(inventory) {
    for (const CountersetConfig& entry : config.countersets) {
      if (!stands_for_others(entry)) labels_.insert(ascii_lower(entry.label));
      if (entry.is_optional || parse_perfmon_path(entry.label)) continue;
      for (const std::string& name : entry.names) named_.insert(ascii_lower(name));
    }
    for (const KnownCounterset& known : inventory.countersets) ++of_name_[ascii_lower(known.name)];
  }

  // Of alternatives, the first that exists.
  void add(std::vector<CountersetConfig>& out, const CountersetConfig& entry) {
    const std::size_t before = out.size();
    for (const std::string& name : entry.names)
      if (out.size() == before) add(out, entry, name);
  }

  // Of those that an entry has matched, the ones that repeat another counterset and that no entry
  // has added.
  std::vector<std::string> left_out() const {
    std::vector<std::string> names;
    for (const auto& [key, name] : left_out_)
      if (!taken_.contains(key)) names.push_back(name);
    return names;
  }

 private:
  void add(std::vector<CountersetConfig>& out, const CountersetConfig& entry,
           const std::string& name) {
    const NamePatterns wanted({name});
    const NamePatterns excepted(entry.except);
    const auto path = parse_perfmon_path(entry.label);
    const bool has_v1 = entry.path.value_or(path_) != CounterPath::kPerflib;
    const auto is_matched = [&](const KnownCounterset& known) {
      return (has_v1 || !whole_decimal<std::uint32_t>(known.key)) && known.is_active &&
             (!known.is_costly || entry.costly) && wanted.match(known) && !excepted.match(known);
    };
    const auto is_repetition = [&](const KnownCounterset& known) {
      const std::string_view original = original_of(known.name);
      return !original.empty() &&
             std::ranges::any_of(inventory_.countersets, [&](const KnownCounterset& other) {
               return equal_names(other.name, original) && is_matched(other);
             });
    };
    for (const KnownCounterset& known : inventory_.countersets) {
      if (!is_matched(known) || is_named(known)) continue;
      if (!entry.with_twins && is_repetition(known)) {
        left_out_.emplace(known.key, known.name);
        continue;
      }
      if (!path && !taken_.insert(known.key).second) continue;
      CountersetConfig& one = out.emplace_back(entry);
      const bool is_unique = !known.name.empty() && of_name_.at(ascii_lower(known.name)) == 1;
      one.names = {is_unique ? known.name : known.key};
      one.label =
          is_unique || known.name.empty() ? one.names.front() : known.name + " (" + known.key + ')';
      if (path) one.label = local_path({{}, one.label, path->instance, path->counter});
      if (!labels_.insert(ascii_lower(one.label)).second) {
        // Another path has the same selection.
        out.pop_back();
        continue;
      }
      one.except.clear();
      one.costly = false;
      one.is_optional = false;
      one.object = whole_decimal<std::uint32_t>(known.key);
      // A query for everything would also call the unavailable provider.
      one.is_of_everything =
          name == kEverything && entry.except.empty() && inventory_.is_whole() && !known.is_costly;
    }
  }

  bool is_named(const KnownCounterset& known) const {
    return named_.contains(ascii_lower(known.name)) || named_.contains(ascii_lower(known.key)) ||
           (!known.local_name.empty() && named_.contains(ascii_lower(known.local_name)));
  }

  const CounterPath path_;
  const Inventory& inventory_;
  std::set<std::string> named_;                  // by entries that aren't patterns, in lower case
  std::map<std::string, int> of_name_;           // how many countersets have it
  std::set<std::string> taken_;                  // keys
  std::map<std::string, std::string> left_out_;  // names by key
  std::set<std::string> labels_;                 // in lower case, none twice
};

}  // namespace

bool is_pattern(std::string_view name) { return name.find('*') != std::string_view::npos; }

bool has_patterns(const Config& config) {
  return std::ranges::any_of(config.countersets, stands_for_others);
}

bool wants_costly(const Config& config) {
  return std::ranges::any_of(config.countersets,
                             [](const CountersetConfig& entry) { return entry.costly; });
}

std::vector<std::string> fixed_names(const Config& config) {
  std::vector<std::string> names;
  for (const CountersetConfig& entry : config.countersets)
    if (!stands_for_others(entry))
      names.insert(names.end(), entry.names.begin(), entry.names.end());
  return names;
}

bool is_lacking(const CountersetConfig& entry, const Inventory& inventory) {
  if (stands_for_others(entry)) return false;
  const NamePatterns wanted(entry.names);
  return std::ranges::none_of(inventory.countersets,
                              [&](const KnownCounterset& known) { return wanted.match(known); });
}

Config expanded(const Config& config, const Inventory& inventory) {
  Config concrete = config;
  concrete.countersets.clear();
  Expansion expansion(config, inventory);
  for (const CountersetConfig& entry : config.countersets)
    if (stands_for_others(entry))
      expansion.add(concrete.countersets, entry);
    else
      concrete.countersets.push_back(entry);
  return concrete;
}

std::vector<std::string> repeated(const Config& config, const Inventory& inventory) {
  std::vector<CountersetConfig> ignored;
  Expansion expansion(config, inventory);
  for (const CountersetConfig& entry : config.countersets)
    if (stands_for_others(entry)) expansion.add(ignored, entry);
  return expansion.left_out();
}

std::vector<std::string> unmatched(const Config& config, const Inventory& inventory) {
  std::vector<std::string> patterns;
  for (const CountersetConfig& entry : config.countersets) {
    if (entry.is_optional || !is_pattern(entry.names.front())) continue;
    if (!NamePatterns({entry.names.front()}).match_any(inventory, entry.costly))
      patterns.push_back(entry.label);
  }
  return patterns;
}

std::vector<std::string> empty_sets(const Config& config, const Inventory& inventory) {
  std::vector<std::string> empty;
  if (!inventory.is_whole()) return empty;
  for (const std::string& name : config.collect) {
    const Collector* const set = find_collector(name);
    if (set == nullptr || set->objects.empty()) continue;
    std::vector<std::string> names;
    for (const auto& alternatives : reads_of(*set))
      names.insert(names.end(), alternatives.begin(), alternatives.end());
    if (!NamePatterns(std::move(names)).match_any(inventory, false)) empty.push_back(name);
  }
  return empty;
}

}  // namespace winperf

#include "config/perfmon_path.h"

#include <algorithm>
#include <utility>

#include "collectors/base/wording.h"
#include "config/text_error.h"

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
    return std::unexpected("names no object: write, for example, \\Memory\\Available Bytes");
  if (!path.machine.empty())
    return std::unexpected("names the machine " + in_quotes(path.machine) + ": write " +
                           in_quotes(local_path(path)) +
                           ", and name the machine by --target, or in targets in a configuration");
  if (const bool opens = path.object.find('(') != std::string::npos;
      opens || path.object.find(')') != std::string::npos)
    return std::unexpected(std::string("lacks the parenthesis ") + (opens ? "after" : "before") +
                           " the instance: write, for example, \\Process(svchost)\\Working Set");
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
  if (name.find('*') == std::string::npos) return std::nullopt;
  const auto filter = filter_of(name);
  return filter ? std::nullopt : std::optional(filter.error());
}

CountersetConfig counterset_named(const std::string& name, const Config& config) {
  CountersetConfig entry;
  entry.label = name;
  entry.names = {name};
  entry.interval = config.interval;
  // After an error it is looked up like any other name, and not found.
  if (const auto path = parse_perfmon_path(name)) static_cast<void>(select_path(entry, *path));
  return entry;
}

std::string local_path(const PerfmonPath& path) {
  std::string text = '\\' + path.object;
  if (!path.instance.empty()) text += '(' + path.instance + ')';
  // Where the instance ends is where the last ")\" is: without a counter it may need one, too.
  const bool is_ambiguous = path.instance.find(")\\") != std::string::npos;
  if (!path.counter.empty() || is_ambiguous) text += '\\' + path.counter;
  return text;
}

std::expected<Filter, std::string> filter_of(const std::string& name) {
  if (name.empty() || name == "*") return Filter();
  auto pattern = Pattern::compile("(?i)" + pattern_of_name(name));
  if (!pattern)
    return std::unexpected("has a name that can't be looked for: " + pattern.error().message);
  return Filter{.include = {*std::move(pattern)}, .exclude = {}};
}

std::string pattern_of_name(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    // Several mean no more than one, but would be tried in each way to share the text.
    if (c == '*' && pattern.ends_with(".*")) continue;
    if (c == '*') pattern += '.';
    if (std::string_view("\\^$.|?+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace winperf

#include "config/perfmon_path.h"

#include "config/text_error.h"

namespace winperf {
namespace {

// "instances: {include: ["C:"]}"; empty if the name stands for all of them.
std::string selection(std::string_view key, const std::string& name) {
  if (name.empty() || name == "*") return {};
  return ", " + std::string(key) + ": {include: [" + as_json(pattern_of_name(name)) + "]}";
}

}  // namespace

std::optional<PerfmonPath> parse_perfmon_path(std::string_view text) {
  const std::size_t closed = text.rfind(")\\");
  if (!text.starts_with('\\') && closed == std::string_view::npos) return std::nullopt;
  if (text.starts_with("\\\\")) {
    const std::size_t machine_end = text.find('\\', 2);
    text.remove_prefix(machine_end == std::string_view::npos ? text.size() : machine_end);
  }
  if (text.starts_with('\\')) text.remove_prefix(1);

  PerfmonPath path;
  const std::size_t open = text.find('(');
  const std::size_t close = text.ends_with(')') ? text.size() - 1 : text.rfind(")\\");
  if (open != std::string_view::npos && close != std::string_view::npos && open < close) {
    path.instance = text.substr(open + 1, close - open - 1);
    if (close + 2 < text.size()) path.counter = text.substr(close + 2);
    path.object = text.substr(0, open);
    return path;
  }
  const std::size_t separator = text.find('\\');
  path.object = text.substr(0, separator);
  if (separator != std::string_view::npos) path.counter = text.substr(separator + 1);
  return path;
}

std::string as_counterset(const PerfmonPath& path) {
  const std::string object = path.object.empty() ? "Memory" : path.object;
  // "#2" tells instances of one name apart, but isn't part of the name.
  const std::size_t sign = path.instance.rfind('#');
  const bool is_indexed =
      sign != std::string::npos && sign + 1 < path.instance.size() &&
      path.instance.find_first_not_of("0123456789", sign + 1) == std::string::npos;
  const std::string instance = path.instance.substr(0, is_indexed ? sign : std::string::npos);
  std::string text = "{name: " + as_json(object) + selection("instances", instance) +
                     selection("counters", path.counter) + '}';
  if (instance.ends_with("_Total"))
    text += ", and metrics: {total_instances: true} to get a total on /metrics";
  return text;
}

std::string pattern_of_name(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (c == '*') pattern += '.';
    if (std::string_view("\\^$.|?+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace winperf

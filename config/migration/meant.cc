#include "config/migration/meant.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/match/nearest.h"
#include "config/collectors.h"

namespace winperf::migration {
namespace {

// Those of no collector.
constexpr std::string_view kGlobal[] = {"collectors.enabled",
                                        "collectors.disabled",
                                        "web.listen-address",
                                        "web.config.file",
                                        "web.disable-exporter-metrics",
                                        "telemetry.path",
                                        "log.level",
                                        "log.format",
                                        "log.file",
                                        "scrape.timeout-margin",
                                        "process.priority",
                                        "process.memory-limit",
                                        "debug.enabled",
                                        "config.file"};
// Those of collectors that select nothing by a name.
constexpr std::string_view kOthers[] = {"collector.performancecounter.objects",
                                        "collector.textfile.directories",
                                        "collector.process.cmdline",
                                        "collector.process.iis",
                                        "collector.update.online",
                                        "collector.update.scrape-interval"};

std::vector<std::string> known_keys() {
  std::vector<std::string> keys(std::begin(kGlobal), std::end(kGlobal));
  keys.insert(keys.end(), std::begin(kOthers), std::end(kOthers));
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

// All keys of collectors begin alike, so that they would all be near one another.
std::string_view without_section(std::string_view key) {
  for (const std::string_view section : {"collector.", "collectors."})
    if (key.starts_with(section)) return key.substr(section.size());
  return key;
}

bool ends_with_part(std::string_view key, std::string_view end) {
  return key == end || (key.ends_with(end) && key[key.size() - end.size() - 1] == '.');
}

// The known key with the longest end of this one, which is under another section, or none. Of a
// long key, a single word says too little.
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

bool means_defaults(std::string_view name) {
  static constexpr std::string_view kWords[] = {"defaults", "default"};
  const bool is_in_brackets = name.starts_with('[') && name.ends_with(']') && name.size() > 2;
  const std::string_view word = is_in_brackets ? name.substr(1, name.size() - 2) : name;
  return std::ranges::any_of(kWords,
                             [word](std::string_view one) { return equal_names(word, one); });
}

}  // namespace winperf::migration

#include "service/scm/counter_state.h"

#include <algorithm>
#include <array>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "exporter/counters/own_counters.h"

namespace winperf {
namespace {

constexpr std::array<std::string_view, 3> kRoadNames{"none", "v1", "v2"};
static_assert(kRoadNames.size() == static_cast<std::size_t>(CounterRoad::kV2) + 1);

constexpr std::string_view kIniFile = "winperf_exporter_perf.ini";
constexpr std::string_view kSymbolFile = "winperf_exporter_perf.h";
constexpr std::string_view kManifestFile = "winperf_exporter.man";
constexpr std::string_view kOpenFunction = "OpenWinperfExporter";
constexpr std::string_view kCollectFunction = "CollectWinperfExporter";
constexpr std::string_view kCloseFunction = "CloseWinperfExporter";

std::size_t after_folder(std::string_view path) {
  const std::size_t found = path.find_last_of("/\\");
  return found == path.npos ? 0 : found + 1;
}

CounterFiles files_in(std::string_view folder) {
  const auto file = [folder](std::string_view name) { return std::string(folder) += name; };
  // Programs disagree about a backslash before a quotation mark; only "C:\" needs its own.
  const bool is_root = folder.size() <= 3;
  return {.folder = std::string(folder.substr(0, folder.size() - (is_root ? 0 : 1))),
          .library = file(kCounterLibrary),
          .ini = file(kIniFile),
          .symbols = file(kSymbolFile),
          .manifest = file(kManifestFile)};
}

bool covers_table(std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) {
  // Names have every second index, and so have help texts.
  return first && last && *last >= *first &&
         *last - *first == 2 * static_cast<std::uint32_t>(counter_names() - 1);
}

std::string number_or(const std::optional<std::uint32_t>& number, std::string_view absent) {
  return number ? std::to_string(*number) : std::string(absent);
}

}  // namespace

std::string_view name_of(CounterRoad road) { return kRoadNames.at(static_cast<std::size_t>(road)); }

CounterFiles counter_files(const std::string& executable) {
  return files_in(std::string_view(executable).substr(0, after_folder(executable)));
}

CounterFiles files_beside(const std::string& library) { return counter_files(library); }

CounterKey counter_key_for(const std::string& library) {
  CounterKey key;
  key.library = library;
  key.open = kOpenFunction;
  key.collect = kCollectFunction;
  key.close = kCloseFunction;
  key.supports_metadata = 1;
  return key;
}

bool is_same_path(std::string_view left, std::string_view right) {
  const auto same = [](char a, char b) {
    const auto plain = [](char c) { return c == '/' ? '\\' : ascii_lower(c); };
    return plain(a) == plain(b);
  };
  return std::ranges::equal(left, right, same);
}

std::size_t counter_names() {
  std::size_t names = 0;
  for (const own::ObjectRow* const object : own::kObjects) names += 1 + object->counters.size();
  return names;
}

std::string range_text(const CounterKey& key) {
  return number_or(key.first_counter, "(no First Counter)") + " to " +
         number_or(key.last_counter, "(no Last Counter)");
}

bool has_any_index(const CounterKey& key) {
  return key.first_counter || key.last_counter || key.first_help || key.last_help;
}

bool has_all_indices(const CounterKey& key) {
  return key.first_counter && key.last_counter && key.first_help && key.last_help;
}

bool has_range_of_table(const CounterKey& key) {
  return covers_table(key.first_counter, key.last_counter) &&
         covers_table(key.first_help, key.last_help);
}

bool has_names_of_others(const CounterFacts& facts) {
  return facts.key && facts.first_title && *facts.first_title != own::kObjects[0]->english.name;
}

bool is_foreign(const CounterKey& key) {
  if (!key.library) return false;
  const std::string_view name = std::string_view(*key.library).substr(after_folder(*key.library));
  return !equal_names(name, kCounterLibrary);
}

bool has_v1(const CounterFacts& facts) { return facts.key.has_value() || facts.message_file; }

bool is_v1_complete(const CounterFacts& facts, const std::string& library) {
  if (!facts.key || !facts.message_file) return false;
  const CounterKey& key = *facts.key;
  const CounterKey wanted = counter_key_for(library);
  return key.library && is_same_path(*key.library, library) && key.open == wanted.open &&
         key.collect == wanted.collect && key.close == wanted.close &&
         key.supports_metadata == wanted.supports_metadata && has_range_of_table(key) &&
         !has_names_of_others(facts) && is_same_path(*facts.message_file, library);
}

bool has_v2(const CounterFacts& facts) { return facts.v2_countersets.value_or(0) != 0; }

std::vector<std::string> foreign_titles(const CounterKey& key, const TitleOf& title,
                                        std::size_t most) {
  std::vector<std::string> lines;
  if (!key.first_counter) return lines;
  const auto compare = [&](std::uint32_t offset, const char* name) {
    // An index that wraps around has no title.
    const std::uint32_t index = *key.first_counter + offset;
    const std::string* const found = title(index);
    if ((found != nullptr && *found == name) || lines.size() >= most) return;
    lines.push_back("index " + std::to_string(index) + " is " +
                    (found == nullptr ? "without a name" : in_quotes(*found)) + " instead of " +
                    in_quotes(name));
  };
  for (const own::ObjectRow* const object : own::kObjects) {
    compare(own::title_offset(*object), object->english.name);
    for (std::size_t row = 0; row < object->counters.size(); ++row)
      compare(own::title_offset(*object, row), object->counters[row].english.name);
  }
  return lines;
}

std::string roads_text(const CounterFacts& facts) {
  const bool v1 = facts.key.has_value();
  if (v1 && has_v2(facts)) return "v1 and v2";
  return std::string(name_of(v1              ? CounterRoad::kV1
                             : has_v2(facts) ? CounterRoad::kV2
                                             : CounterRoad::kNone));
}

std::string registration_text(const CounterFacts& facts) {
  std::string text = roads_text(facts);
  if (facts.key)
    text +=
        ": " + facts.key->library.value_or("(no Library)") + ", indices " + range_text(*facts.key);
  if (!facts.v2_countersets) text += "; whether v2 is registered is unknown";
  return text;
}

}  // namespace winperf

// What a registration of the exporter's own counters should be, and whether one is that: names,
// files, range of title indices, titles. Computed from what a CounterRegistrar has found.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/scm/counter_registrar.h"

namespace winperf {

// The key and the event source have these names. The DLL reads the key of this service alone.
inline constexpr std::string_view kCounterLibrary = "winperf_exporter_perf.dll";
inline constexpr std::string_view kCounterEventSource = "winperf_exporter_perf";
// The provider of the manifest, by which it is removed.
inline constexpr std::string_view kCounterProvider = "{2ccc91d9-7078-43ea-a5a0-a0d3dd714ee9}";
inline constexpr std::string_view kCounterKeyPath =
    "HKLM\\SYSTEM\\CurrentControlSet\\Services\\winperf_exporter\\Performance";

// How other programs get them (docs/adr/0027-own-counters.md).
enum class CounterRoad : std::uint8_t { kNone, kV1, kV2 };
// As in the configuration: "none", "v1", "v2".
std::string_view name_of(CounterRoad road);

// The files beside the executable.
struct CounterFiles {
  std::string folder{};  // without a separator at its end, if it isn't a root
  std::string library{};
  std::string ini{};
  std::string symbols{};  // that the .ini names
  std::string manifest{};
};
CounterFiles counter_files(const std::string& executable);
// The same, of a library that is registered.
CounterFiles files_beside(const std::string& library);

// The values for this library, without those that Windows assigns.
CounterKey counter_key_for(const std::string& library);

// Whether both are the same file for Windows, as far as the text says.
bool is_same_path(std::string_view left, std::string_view right);

// How many names the table has: of objects and counters.
std::size_t counter_names();
// `5000 to 5090`, or which of the two is missing.
std::string range_text(const CounterKey& key);
// Whether Windows has assigned any of the four numbers, or all.
bool has_any_index(const CounterKey& key);
bool has_all_indices(const CounterKey& key);
// Whether the ranges have as many indices as the table has names and texts. False without indices.
bool has_range_of_table(const CounterKey& key);

// Whether the key's indices are those of other programs' names: unlodctr removes names by their
// indices alone, so it would remove theirs.
bool has_names_of_others(const CounterFacts& facts);

// Whether the key names another program's DLL.
bool is_foreign(const CounterKey& key);
// Whether anything of V1 is there: values of the key, or the event source. Whether it is as it
// should be for this library: nothing has to be done.
bool has_v1(const CounterFacts& facts);
bool is_v1_complete(const CounterFacts& facts, const std::string& library);
bool has_v2(const CounterFacts& facts);

// The text with a title index, in English; null if the table has none.
using TitleOf = std::function<const std::string*(std::uint32_t index)>;
// A line for each of the table's names that has another text, up to `most`; empty if all are ours.
std::vector<std::string> foreign_titles(const CounterKey& key, const TitleOf& title,
                                        std::size_t most);

// For `service status`: "v1", "v2", "v1 and v2", "none"; and with more words.
std::string roads_text(const CounterFacts& facts);
std::string registration_text(const CounterFacts& facts);

}  // namespace winperf

// How a V1 provider is registered: HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance.
// Not validated: the names; an Object List takes the numbers that it has.
//
//   Disable Performance Counters  Perflib writes 1 when it disables a provider, and 0 enables it.
//                                 Other numbers occur, but are undocumented. All except 0 count as
//                                 disabled here, so that a provider that Windows may have disabled
//                                 isn't called.
//   Library Validation Code       lodctr's data on the DLL. Its content isn't documented, so only
//                                 its presence is read.
//   KeepResident                  by its name, that the DLL is to stay loaded when the last reader
//                                 has closed the key. Undocumented; irrelevant for a host, which
//                                 never unloads a DLL.
// Thread rule: values. Source: Learn, "Creating the Application's Performance Key" and "Creating
// Other Registry Entries"; the registry reference of Windows Server 2003, "Open Timeout" and
// "Collect Timeout".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/ids.h"

namespace winperf {

// Of opening a key or a file.
enum class Access : std::uint8_t { kUnknown, kReadable, kAbsent, kDenied, kFailed };

// The values of the key as they are stored. Nothing: absent, of another type or unreadable.
struct PerformanceKey {
  std::string service{};
  Access access = Access::kUnknown;
  std::optional<std::string> library{};
  std::optional<std::string> open{};
  std::optional<std::string> collect{};
  std::optional<std::string> close{};
  std::optional<std::uint32_t> first_counter{};
  std::optional<std::uint32_t> last_counter{};
  std::optional<std::string> object_list{};
  std::optional<std::uint32_t> disable_performance_counters{};
  std::optional<std::uint32_t> collect_supports_metadata{};
  std::optional<std::uint32_t> keep_resident{};
  std::optional<std::uint32_t> open_timeout_ms{};
  std::optional<std::uint32_t> collect_timeout_ms{};
  bool has_validation_code = false;
};

// First Counter and Last Counter: the title indices of the provider's objects and counters.
struct TitleRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool has(ObjectIndex index) const { return value_of(index) >= first && value_of(index) <= last; }
};

struct ProviderRegistration {
  std::string service{};
  std::string library{};  // its path as LoadLibrary takes it, with variables expanded
  // The names of the library's functions. Empty: not registered, which is valid for Open and Close.
  std::string open{};
  std::string collect{};
  std::string close{};
  std::optional<TitleRange> titles{};
  std::vector<ObjectIndex> objects{};  // "Object List"; empty: it is called for every query
  std::optional<std::vector<std::u16string>> devices{};  // Linkage\Export
  bool disabled = false;                                 // it, or all V1 providers
  std::optional<std::uint32_t> disable_value{};          // its "Disable Performance Counters"
  bool supports_metadata = false;                        // "Collect Supports Metadata"
  bool keep_resident = false;                            // "KeepResident"
  bool has_validation_code = false;                      // "Library Validation Code"
  // Time limits of its functions. Nothing: the default.
  std::optional<std::chrono::milliseconds> open_timeout{};
  std::optional<std::chrono::milliseconds> collect_timeout{};
};

// Interprets the values, without devices; the library's path is unchanged.
[[nodiscard]] ProviderRegistration registration_of(const PerformanceKey& key);

// Whether the object belongs to it: its Object List has it or, without one, its title range.
[[nodiscard]] bool supplies(const ProviderRegistration& provider, ObjectIndex object);

// For people: `provider "x"`.
[[nodiscard]] std::string title_of(const ProviderRegistration& provider);

// "Open Timeout" or "Collect Timeout". Nothing for 0, which would leave no time.
[[nodiscard]] std::optional<std::chrono::milliseconds> call_timeout(
    std::optional<std::uint32_t> value);

// The numbers of an Object List, which are separated by blanks.
[[nodiscard]] std::vector<ObjectIndex> parse_object_list(std::string_view text);

}  // namespace winperf

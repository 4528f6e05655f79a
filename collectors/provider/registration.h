// How a V1 provider is registered: HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance.
// Not validated: the names; an Object List takes the numbers that it has.
//
//   Disable Performance Counters  Perflib writes 1 when it gives a provider up, and 0 enables it.
//                                 Other numbers occur; nothing public says what they mean. All but
//                                 0 count as disabled here, so that nobody calls what Windows may
//                                 have given up.
//   Library Validation Code       what lodctr has noted of the DLL. Its content isn't documented,
//                                 so only its presence is known here.
//   KeepResident                  by its name, that the DLL is to stay loaded when the last reader
//                                 has closed the key. No document says so. A host needs no such
//                                 request: it never unloads a DLL.
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

// First Counter and Last Counter: the title indices of the provider's objects and counters.
struct TitleRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct ProviderRegistration {
  std::string service{};
  std::string library{};  // its path as LoadLibrary takes it, with variables expanded
  // The names of the library's functions. Empty: not registered, which is legal for Open and Close.
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
  // How long it may take for its functions. Nothing: as long as anybody.
  std::optional<std::chrono::milliseconds> open_timeout{};
  std::optional<std::chrono::milliseconds> collect_timeout{};
};

// Whether the object is one of its own: its Object List has it or, without one, its titles include
// it.
[[nodiscard]] bool supplies(const ProviderRegistration& provider, ObjectIndex object);

// For people: `provider "x"`.
[[nodiscard]] std::string title_of(const ProviderRegistration& provider);

// "Open Timeout" or "Collect Timeout". One of 0 would leave no time at all: nothing.
[[nodiscard]] std::optional<std::chrono::milliseconds> call_timeout(
    std::optional<std::uint32_t> value);

// The numbers of an Object List, which are separated by blanks.
[[nodiscard]] std::vector<ObjectIndex> parse_object_list(std::string_view text);

}  // namespace winperf

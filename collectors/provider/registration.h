// How a V1 provider is registered: HKLM\SYSTEM\CurrentControlSet\Services\<service>\Performance.
// Not validated: the names; an Object List takes the numbers that it has.
// Thread rule: values. Source: Learn, "Creating the Application's Performance Key".
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
  bool disabled = false;                                 // "Disable Performance Counters"
  bool supports_metadata = false;                        // "Collect Supports Metadata"
  std::optional<std::chrono::milliseconds> collect_timeout{};
};

// Whether the object is one of its own: its Object List has it or, without one, its titles include
// it.
[[nodiscard]] bool supplies(const ProviderRegistration& provider, ObjectIndex object);

// For people: `provider "x"`.
[[nodiscard]] std::string title_of(const ProviderRegistration& provider);

// The numbers of an Object List, which are separated by blanks.
[[nodiscard]] std::vector<ObjectIndex> parse_object_list(std::string_view text);

}  // namespace winperf

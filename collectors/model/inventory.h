// The countersets of a machine at one time, as found by collectors/discovery. The patterns of a
// configuration match its entries. Thread rule: values.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/error.h"

namespace winperf {

// How the absence of a configured counterset is treated.
enum class Absence : std::uint8_t {
  kFailure,         // it should be there
  kFailureIfKnown,  // a failure if the machine's name tables have its name
  kNoFailure,       // discovery has not found it, or is pending
};

struct KnownCounterset {
  std::string name;          // English; empty if it has none
  std::string local_name{};  // in the machine's language, if requested
  std::string key;  // identifies it regardless of its name: the title index in decimal, or the GUID
  bool is_costly = false;  // an object that Windows leaves out of "Global"
  bool is_active = true;   // false: its V2 provider isn't running, or it has no instance
  bool operator==(const KnownCounterset&) const = default;
};

struct Inventory {
  std::vector<KnownCounterset> countersets{};  // by name, then by key
  bool supports_metadata = false;              // "Supports Metadata"
  std::vector<std::string> asked{};            // "OLD_MetadataGlobal", "PerfLib"
  std::uint64_t bytes = 0;                     // of the replies
  std::chrono::duration<double> took{};
  std::vector<Error> problems{};  // parts that could not be read
  // The first problem that may have hidden countersets, such as a provider that did not answer.
  std::optional<Error> gap{};
  bool is_whole() const { return !gap; }
};

inline void sort_by_name(Inventory& inventory) {
  std::ranges::sort(inventory.countersets, {},
                    [](const KnownCounterset& known) { return std::tie(known.name, known.key); });
}

// The state of discovery in the running program.
struct DiscoveryReport {
  Inventory inventory{};            // of the last successful discovery run
  std::optional<Ticks100ns> at{};   // time of that run
  std::set<std::string> sampled{};  // the keys of those that are sampled
  std::vector<std::string>
      absent{};         // configured countersets that a complete discovery run hasn't found
  std::string error{};  // error of the last discovery run; empty if it succeeded
};

}  // namespace winperf

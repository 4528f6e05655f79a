// Which countersets a machine has at a moment, and how that was found out. collectors/discovery
// takes it; the patterns of a configuration stand for what is in it. Thread rule: values.
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

// What it means that a machine doesn't have a counterset that is to be sampled.
enum class Absence : std::uint8_t {
  kFailure,         // it should be there
  kFailureIfKnown,  // it should, if the machine knows its name
  kNoFailure,       // a look for countersets has not found it, or is still to come
};

struct KnownCounterset {
  std::string name;          // English; empty if it has none
  std::string local_name{};  // in the machine's language, if that was asked for
  std::string key;           // finds it whatever its name: the title index in decimal, or the GUID
  bool is_costly = false;    // an object that Windows leaves out of "Global"
  bool is_active = true;     // false: its V2 provider isn't running, or it has no instance
  bool operator==(const KnownCounterset&) const = default;
};

struct Inventory {
  std::vector<KnownCounterset> countersets{};  // by name, then by key
  bool supports_metadata = false;              // "Supports Metadata"
  std::vector<std::string> asked{};            // "OLD_MetadataGlobal", "PerfLib"
  std::uint64_t bytes = 0;                     // of the replies
  std::chrono::duration<double> took{};
  std::vector<Error> problems{};  // parts that could not be read
  // The first of them because of which countersets may be missing here, such as a provider that did
  // not answer.
  std::optional<Error> gap{};
  bool is_whole() const { return !gap; }
};

inline void sort_by_name(Inventory& inventory) {
  std::ranges::sort(inventory.countersets, {},
                    [](const KnownCounterset& known) { return std::tie(known.name, known.key); });
}

// What the running program knows about the countersets that its patterns stand for.
struct DiscoveryReport {
  Inventory inventory{};              // of the last look that succeeded
  std::optional<Ticks100ns> at{};     // when that was
  std::set<std::string> sampled{};    // the keys of those that are sampled
  std::vector<std::string> absent{};  // what the configuration names and a whole look hasn't found
  std::string error{};                // why the last look failed; empty if it did not
};

}  // namespace winperf

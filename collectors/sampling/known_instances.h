// The list of instances that a provider delivered last, as bytes: finds out which instances of the
// next list are the same, so that only the others are decoded and matched by name.
//
// An instance is the same if the bytes of its definition and the raw values of its identity
// counters are. Lists change little and keep their order, so each instance is looked for near the
// place where the one before it was. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/base/equal_bytes.h"
#include "collectors/sampling/selected_instances.h"

namespace winperf {

class KnownInstances {
 public:
  // Begins the next list. `has_identity`: its instances have identity counters.
  void begin(bool has_identity);
  // The next instance of the list, with its identity (stable()) or null. Returns where it was in
  // the list before, or kNewInstance.
  std::uint32_t add(std::span<const std::byte> definition, const RawIdentity* identity) {
    if (!is_same_ || at_ >= known_.size() || !is_at(at_, definition, identity))
      return add_other(definition, identity);
    ++count_;
    return static_cast<std::uint32_t>(at_++);
  }
  // Ends the list. Returns whether it is the one before.
  bool end();
  // The next list is another one, even if it has no instances.
  void forget();

 private:
  struct List {
    std::vector<std::byte> bytes;         // the definitions
    std::vector<std::size_t> ends;        // of each of them
    std::vector<RawIdentity> identities;  // of each of them, if they have identity counters
    std::size_t size() const { return ends.size(); }
    void clear();
    void add(std::span<const std::byte> definition, const RawIdentity* identity);
    std::span<const std::byte> definition(std::size_t place) const {
      const std::size_t begin = place == 0 ? 0 : ends[place - 1];
      return {bytes.data() + begin, ends[place] - begin};
    }
  };
  bool is_at(std::size_t place, std::span<const std::byte> definition,
             const RawIdentity* identity) const {
    return equal_short_bytes(known_.definition(place), definition) &&
           (identity == nullptr || known_.identities[place] == *identity);
  }
  // One that isn't at the next place of the list before.
  std::uint32_t add_other(std::span<const std::byte> definition, const RawIdentity* identity);
  std::uint32_t find(std::span<const std::byte> definition, const RawIdentity* identity) const;
  void diverge();

  List known_;
  List next_;                  // of a list that isn't the one before
  std::size_t at_ = 0;         // in known_: after the instance that was found last
  std::size_t count_ = 0;      // of the list so far
  bool is_same_ = true;        // so far
  bool is_forgotten_ = false;  // what known_ would be
  bool has_identity_ = false;
};

}  // namespace winperf

// What goes wrong on a simulated machine, on a script: calls that answer with an error, replies
// that are spoilt, and values that one path changes. Everything random follows a seed.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "collectors/model/guid.h"

namespace winperf::simulator {

// Where a fault can strike.
enum class Point : std::uint8_t {
  kEnumerateCountersets,
  kEnumerateInstances,
  kRegistration,
  kOpen,
  kInfo,
  kData,
  kAdd,
  kDelete,
  kDeleteStatus,  // the Status of an identifier; the call succeeds
  kRegistryQuery,
};

// How a reply is spoilt.
enum class Damage : std::uint8_t {
  kCut,      // ends somewhere
  kField,    // one 32-bit field becomes 0, 1, a huge or a negative number, or one too many
  kNoise,    // some bytes are random
  kOverrun,  // claims to be longer than the buffer
  kGrowing,  // never fits: needs more each time
};

// On one path a counter of a V2 counterset is not what it is.
struct Lie {
  enum class Path : std::uint8_t { kRegistry, kPerflib };
  Path path = Path::kPerflib;
  Guid counterset{};
  std::uint32_t counter_id = 0;
  std::u16string instance{};    // empty: every one
  std::int64_t added = 0;       // to the raw value
  bool hides_instance = false;  // leaves the instance out altogether
};

class Faults {
 public:
  // The next `times` calls there answer `code`; with kSuccess nothing is wrong with them.
  void fail(Point point, std::uint32_t code, std::size_t times = 1);
  // The next `times` replies there are spoilt.
  void spoil(Point point, Damage damage, std::uint64_t seed, std::size_t times = 1);
  // From now on one call in `one_in` goes wrong somehow.
  void at_random(std::uint64_t seed, std::uint32_t one_in);
  void tell(const Lie& lie);
  void clear();

  // For the faces. The code that a call has to answer, if any.
  std::optional<std::uint32_t> code_for(Point point);
  // Changes what a call gives back; true where it claims too much or never fits.
  std::optional<Damage> damage(Point point, std::vector<std::byte>& reply);
  // What is reported about a value; empty if the instance is hidden.
  std::optional<std::uint64_t> told(Lie::Path path, const Guid& counterset, std::uint32_t counter,
                                    const std::u16string& instance, std::uint64_t value) const;

 private:
  struct Spoiling {
    Damage damage;
    std::uint64_t seed;
  };
  bool strikes();

  mutable std::mutex mutex_;
  std::map<Point, std::deque<std::uint32_t>> codes_;
  std::map<Point, std::deque<Spoiling>> spoilings_;
  std::vector<Lie> lies_;
  std::mt19937_64 random_;
  std::uint32_t one_in_ = 0;
};

}  // namespace winperf::simulator

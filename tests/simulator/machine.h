// A simulated machine: its clock, its providers, its name table, and what goes wrong on it.
//
// The registry face (registry_face.h) and the PerfLib face (perflib_face.h) are two ways to the
// same providers. Time is the test's: nothing here waits.
// Thread rule: set up by one thread; then the faces may be used by several.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/provider/library_head.h"
#include "tests/simulator/definitions.h"
#include "tests/simulator/faults.h"
#include "tests/simulator/spoiler.h"
#include "tests/simulator/v1_provider.h"
#include "tests/simulator/v2_provider.h"

namespace winperf::simulator {

// One tick of all the clocks.
struct Now {
  std::int64_t perf_time = 1'000'000'000;
  std::int64_t perf_frequency = 10'000'000;
  std::int64_t time_100ns = 133'716'612'800'000'000;  // 2024-09-24, UTC
};

class Machine;

// For as long as it exists, a machine's clocks stand still for this thread, so that all values of a
// reply are of the moment that the reply names, however long it takes to make.
class Moment {
 public:
  explicit Moment(const Machine& machine);
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;
  ~Moment();

 private:
  friend class Machine;
  static thread_local const Moment* current_;

  const Machine& machine_;
  const Now now_;
  const Moment* const before_;
};

class Machine {
 public:
  // `now`: the machine's clocks; without one they stand still until advance().
  explicit Machine(std::function<Now()> now = {});

  void add(std::shared_ptr<V1Provider> provider);
  void add(std::shared_ptr<V2Provider> provider);
  void remove_v2(const Guid& provider);
  const std::vector<std::shared_ptr<V1Provider>>& v1() const { return v1_; }
  const std::vector<std::shared_ptr<V2Provider>>& v2() const { return v2_; }

  Now now() const;
  // Of clocks that stand still.
  void advance(double seconds);

  // Title index of the names of a V2 counterset and its counters in the registry's name table,
  // assigned when its provider was added.
  std::uint32_t title_of(const Guid& counterset) const { return titles_.at(counterset).set; }
  std::uint32_t title_of(const Guid& counterset, std::uint32_t counter_id) const {
    return titles_.at(counterset).counters.at(counter_id);
  }
  // Of those that are added from now on; without it, 10,000.
  void number_titles_from(std::uint32_t title);
  // What lodctr does for a V1 provider with so many names: returns the first title index; those of
  // names are two apart, and each is followed by that of its help.
  std::uint32_t assign_titles(std::uint32_t names);
  // Perflib's "Last Counter"; another one while the name table is another one.
  std::uint32_t last_counter() const;
  struct Title {
    std::uint32_t index;
    std::u16string text;
  };
  // `is_local`: with the names in the machine's language, where it has them.
  std::vector<Title> counter_table(bool is_local = false) const;
  std::vector<Title> help_table() const;

  bool supports_metadata = true;
  bool v1_disabled = false;                // Perflib's "Disable Performance Counters"
  std::optional<PerfHost> perf_host{};     // the service; unknown
  Padding v2_padding = Padding::kCounted;  // of V2 replies
  Faults faults;
  // What PerfLib and the name table say can be something else; without it, it isn't.
  std::unique_ptr<Spoiler> spoiler;

  // The set and its provider; null if no provider has registered it.
  struct Found {
    V2Provider* provider = nullptr;
    CountersetDefinition counterset;
  };
  std::optional<Found> find(const Guid& counterset) const;

  // A set's instances with values: the provider's answer, filtered by the system once more.
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(const Found& found,
                                                                    const Mask& mask) const;
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(const Found& found,
                                                                      const Mask& mask) const;

 private:
  struct Titles {
    std::uint32_t set = 0;
    std::map<std::uint32_t, std::uint32_t> counters;  // by counter id
  };

  std::function<Now()> clock_;
  Now standing_;
  std::vector<std::shared_ptr<V1Provider>> v1_;
  std::vector<std::shared_ptr<V2Provider>> v2_;
  std::map<Guid, Titles> titles_;
  std::uint32_t next_title_ = 10'000;
};

}  // namespace winperf::simulator

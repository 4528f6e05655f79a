// The instances of one counterset's samples: those that the selection accepts, shared between
// samples for as long as they stay the same. V1Tracker, V2Tracker and LoggedTracker each have one;
// they detect quickly whether anything has changed. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampling/plan.h"

namespace winperf {

// Matches the instances of a sample with those of the sample before: which of them are the same
// instance. SampleChain calls it for each pair of samples whose instances differ.
//
// Order and "#n" numbers mean nothing, because instances may be listed in any order. The identity
// of an instance is its parent, name and unique id, and for processes and threads the id and the
// start time, so that a process that reuses an id is a new instance. Instances of other objects
// that belong to a process are the same as long as that process is the same one, or is unknown in
// one of the samples. Instances that are still alike (duplicates without an id) are matched in list
// order. Cost: linear, so it is called only when the instances have changed.
inline constexpr std::uint32_t kNewInstance = std::numeric_limits<std::uint32_t>::max();

// For each current instance the row of the same instance in `previous`, or kNewInstance. No row of
// `previous` is used twice.
[[nodiscard]] std::vector<std::uint32_t> match_instances(std::span<const InstanceSchema> previous,
                                                         std::span<const InstanceSchema> current);

// Of its parent and name, whatever the case of ASCII letters; another one in each process.
[[nodiscard]] std::uint64_t name_hash(const InstanceSchema& instance);

// Sets InstanceSchema::duplicate: 0 for the first instance with a parent and name, then 1, 2, ...
// in list order. Like perfmon, it ignores ASCII case. `hashes`: name_hash() of each of them.
void number_duplicates(std::span<InstanceSchema> instances, std::span<const std::uint64_t> hashes);

// The identity of an instance, as far as the object has it, whether or not it is selected: the
// places of the counters, or their raw values.
template <class Part>
struct Identity {
  std::optional<Part> process_id{};
  std::optional<Part> thread_id{};
  std::optional<Part> owner{};  // the id of a process, of other objects
  std::optional<Part> started{};

  // `place`: where the counter is. `is_called`: (std::string_view) -> bool, whether that is its
  // name.
  template <class IsCalled>
  void note(const CountersetSchema& object, const CounterSchema& counter, const Part& place,
            const IsCalled& is_called) {
    if (is_called(process_id_name(object.name)))
      process_id = place;
    else if (is_process_id(counter.name))
      owner = place;
    if (is_called(kThreadIdName)) thread_id = place;
    if (counter.info().formula == Formula::kElapsed) started = place;
  }
  // `read`: (const Part&) -> std::optional<std::uint64_t>.
  template <class Read>
  Identity<std::uint64_t> values(const Read& read) const {
    return {.process_id = process_id.and_then(read),
            .thread_id = thread_id.and_then(read),
            .owner = owner.and_then(read),
            .started = started.and_then(read)};
  }
  bool any() const { return process_id || thread_id || owner || started; }
  bool operator==(const Identity&) const = default;
  // For an object without instances: the owner of its counters.
  const std::optional<Part>& any_process() const { return owner ? owner : process_id; }
};
using RawIdentity = Identity<std::uint64_t>;
// The part of an identity that distinguishes instances: without a process id ("Idle", "_Total") the
// start time may change with every sample.
RawIdentity stable(RawIdentity identity);
// An id of 0 means none.
void set_identity(InstanceSchema& instance, const RawIdentity& identity);

// Whether samples have the instance, whose duplicates have been numbered. In a log of counters
// perfmon's "#1" is part of the name; the name that was delivered is the one without it.
bool accepts(const Selection& selection, const CountersetSchema& schema,
             const InstanceSchema& instance);

class SelectedInstances {
 public:
  // `all`: every instance that was delivered, in that order. Duplicates are numbered before any is
  // left out, so that "#n" doesn't depend on the selection. `places`: of each of them, where it was
  // in the `all` before, or kNewInstance; empty: that isn't known.
  void select(std::vector<InstanceSchema> all, const CountersetSchema& schema,
              const Selection& selection, std::span<const std::uint32_t> places = {});
  void clear();

  const std::shared_ptr<const InstanceSet>& set() const { return set_; }
  // Of each instance in set(), its position in `all`.
  const std::vector<std::uint32_t>& positions() const { return positions_; }
  // The instance at a position in `all`; null if it isn't in set().
  const InstanceSchema* at_position(std::uint32_t position) const;
  // Of each instance in set(), its row in `before`, or kNewInstance.
  std::vector<std::uint32_t> rows_in(const std::shared_ptr<const InstanceSet>& before) const;

 private:
  std::vector<std::uint64_t> hashes_of(std::span<const InstanceSchema> all,
                                       std::span<const std::uint32_t> places) const;
  std::vector<std::uint32_t> continued_rows(const InstanceSet& now,
                                            std::span<const std::uint32_t> places) const;

  std::shared_ptr<const InstanceSet> set_ = std::make_shared<InstanceSet>();
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint32_t> rows_;          // by position: the row in set_, or kNewInstance
  std::vector<std::uint64_t> hashes_;        // by position: name_hash(), unless a log numbers them
  std::weak_ptr<const InstanceSet> before_;  // the set before set_
  std::vector<std::uint32_t> rows_before_;   // rows of set_ in before_; empty: not known
};

}  // namespace winperf

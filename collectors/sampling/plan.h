// The plan of the sampler: countersets, intervals and selections; and the result of a reader.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/model/counter_path.h"
#include "collectors/model/ids.h"
#include "collectors/model/inventory.h"
#include "collectors/model/sample.h"

namespace winperf {

using NamePredicate = std::function<bool(std::string_view)>;
using CounterPredicate = std::function<bool(const CounterSchema&)>;

// Which instances stay if there are too many: those with the highest values of a counter.
struct InstanceLimit {
  std::size_t instances = 0;  // not counting those that add up others
  std::string by{};           // the counter's name; empty: the first ones in the provider's order
};

// Which instances and counters of an object are published, and how they are cooked. An empty
// predicate accepts everything.
struct Selection {
  NamePredicate instances{};     // by the instance's name as delivered, or as displayed:
  bool by_display_name = false;  // with its parent and "#1", as display_name() writes it
  CounterPredicate counters{};
  // Only the instance with this id: PerfLib's instance id, the registry's unique id.
  std::optional<std::uint32_t> instance_id{};
  std::optional<InstanceLimit> limit{};
  // The labels that an instance gets because of its name.
  std::function<std::vector<InstanceLabel>(std::string_view)> labels{};
  CookOptions cook{};
  // A narrower request to the provider; the predicates still decide.
  std::string instance_pattern{"*"};         // with `*` and `?`; case doesn't matter
  std::optional<std::string> one_counter{};  // the name of the only selected counter
};

struct PlannedCounterset {
  std::string label;  // the counterset's name in metrics and messages
  // Alternatives, of which the first that exists is used: an English object name, a title index in
  // decimal, or the GUID of a V2 counterset.
  std::vector<std::string> names;
  std::chrono::milliseconds interval{5000};
  std::chrono::milliseconds stale_after{12'500};  // the age at which a value is stale
  CounterPath path = CounterPath::kAuto;
  Selection selection{};
  // Of a counterset that discovery has just found under its first name.
  std::optional<ObjectIndex> object{};  // which V1 object it is
  bool is_of_everything = false;        // found as one of all that "Global" has
  Absence absence = Absence::kFailure;
  std::vector<std::string> label_names{};  // of the labels that instances get from their names
};

// One counterset of a plan that replaces another plan.
struct PlanStep {
  PlannedCounterset planned{};
  // Index in the previous plan of the counterset whose state this one continues; only the times
  // and the absence may differ. Without it the counterset starts over.
  std::optional<std::size_t> continues{};
};

// The result of a reader for one counterset: a sample, or the reason why there is none. Both
// readers (registry/registry_reader.h, perflib/perflib_reader.h) and their parts return it.
struct Reading {
  std::shared_ptr<const CountersetSample> sample;  // never null
  std::vector<Error> problems{};                   // damaged parts, which were left out
  // Of the reply, or of this counterset's part of a shared one; set by a reader.
  std::uint64_t bytes = 0;
  std::chrono::steady_clock::duration shared_query{};  // that was over before the reader began
  std::optional<Instant> taken_at{};                   // then
};

struct ReadFailure {
  Error error;                    // why there is no sample
  std::vector<Error> problems{};  // found before that; `error` is not among them
};

using ReadResult = std::expected<Reading, ReadFailure>;

inline std::vector<Error>& problems_of(ReadResult& result) {
  return result ? result->problems : result.error().problems;
}

// `result`, with problems that were found before it.
[[nodiscard]] inline ReadResult with_earlier(std::vector<Error> problems, ReadResult result) {
  std::vector<Error>& later = problems_of(result);
  later.insert(later.begin(), problems.begin(), problems.end());
  return result;
}

}  // namespace winperf

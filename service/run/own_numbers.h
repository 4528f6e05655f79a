// The numbers of the exporter's own counters (exporter/counters/own_counters.h): what the table's
// rows mean in terms of this program.
//
// What a state of sampling says of its last attempt only, is added up from sample to sample: each
// one has to be noted, in order. Sums go on where a counterset begins anew, or is no longer
// sampled, so that no counter ever falls. A counterset that the machine doesn't have has no
// failures, as in /metrics.
// Thread rule: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/model/sample.h"
#include "collectors/model/worker_state.h"
#include "exporter/counters/own_state.h"
#include "exporter/text/exporter_registry.h"

namespace winperf {

// As instances of performance counters may be called: what perfmon's paths use for something else
// is replaced as PDH does it, and a long name is cut. Invalid UTF-8 becomes U+FFFD.
std::u16string instance_name(std::string_view name);

// What a state has besides the sample.
struct OwnFacts {
  Instant now{};
  ExporterRegistry::Numbers exporter{};
  ProcessFacts process{};
  std::uint64_t worker_restarts = 0;
  // Nothing while the recorder has no sample.
  std::optional<ExporterRegistry::Recorded> recorded{};
  std::uint64_t recorder_budget = 0;  // in bytes; 0: it has no memory
};

class OwnNumbers {
 public:
  // `frequency`: ticks per second of the performance counter, by which consumers divide.
  OwnNumbers(Ticks100ns started, std::int64_t frequency);

  // A sample that was published; one that is noted again changes nothing.
  void note(const Sample& sample);
  // Of what was noted. Its number is left to the caller.
  own::OwnState state(const OwnFacts& facts) const;

 private:
  // A count of someone else's, which begins anew at times.
  class Growing {
   public:
    // Returns by how much it grew.
    std::uint64_t see(std::uint64_t now) {
      const std::uint64_t growth = now >= last_ ? now - last_ : now;
      last_ = now;
      return growth;
    }

   private:
    std::uint64_t last_ = 0;
  };
  static constexpr std::size_t kKinds = 5;  // of errors
  // In all.
  struct Totals {
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
    double busy_seconds = 0;
    double late_seconds = 0;
    std::uint64_t late_samples = 0;  // whose lateness is known
    std::array<std::uint64_t, kKinds> problems{};
  };
  struct Counterset {
    std::u16string name{};
    Growing attempts_seen{};
    Growing failures_seen{};
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
    double busy_seconds = 0;
    std::uint64_t problems = 0;
    // Of the current sample.
    SteadyTime sampled_at{};
    std::uint64_t values = 0;
    std::uint64_t missing = 0;
    // Of the current state.
    bool has_sample = false;
    Ticks100ns sampled_wall{};
    SteadyTime stale_at{};
    std::uint64_t bytes = 0;
    std::optional<double> late_seconds{};
    bool is_absent = false;
    bool was_tried = false;
    bool success = false;
  };
  using Name = std::pair<std::string, std::string>;  // machine, name

  void note(Counterset& counterset, const CountersetState& state);
  void note_problems(const Sample& sample);
  void forget_others(const Sample& sample);
  void put_sampling(own::OwnState& state) const;
  void put_exporter(own::OwnState& state, const OwnFacts& facts) const;
  own::CountersetRow row_of(const Counterset& counterset, SteadyTime now) const;
  std::uint64_t ticks(double seconds) const;

  const Ticks100ns started_;
  const double frequency_;
  std::uint64_t sequence_ = 0;  // of the sample that was noted last
  Totals totals_;
  std::map<Name, Counterset> countersets_;
  std::map<std::pair<std::string, ErrorCode>, Growing> problems_;
  std::vector<const Counterset*> current_;  // of that sample, in its order
};

}  // namespace winperf

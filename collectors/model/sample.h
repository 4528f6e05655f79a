// One immutable sample: the sampler publishes it, and everything downstream reads it.
//
// Samples share data that rarely changes: a CountersetSchema (the counters of one object) and an
// InstanceSet (its instances). A renderer may cache derived data while the pointers stay the same.
// A CountersetSample itself holds only arrays of numbers, with one cell for each instance and
// counter. The cells of a counter lie together, because they are read and cooked alike:
// cell(row, column) = column * rows + row.
//
// Thread rule: built by one thread, then shared as shared_ptr<const ...> and never changed.
// Source: winperf.h, PERF_OBJECT_TYPE, PERF_COUNTER_DEFINITION, PERF_INSTANCE_DEFINITION.
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/changes.h"
#include "collectors/model/clock.h"
#include "collectors/model/counter_path.h"
#include "collectors/model/counter_type.h"
#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/model/ids.h"
#include "collectors/model/raw_reading.h"
#include "collectors/model/worker_state.h"

namespace winperf {

// One counter of an object. Base definitions have no entry: the counter to which a base belongs
// carries its value.
struct CounterSchema {
  // Title index via the registry, id in the counterset via PerfLib, number in a log.
  CounterIndex index{};
  HelpIndex help_index{};
  std::string name;          // UTF-8, English; empty if the name table lacks the index
  std::string local_name{};  // in the machine's language, if the configuration may use it
  std::string help;          // UTF-8, English; may be empty
  CounterType type{};
  std::uint32_t size = 0;  // CounterSize: 4 or 8 bytes of raw data, anything else is NoValue
  std::int32_t default_scale = 0;  // power of ten that charts use
  std::uint32_t detail_level = 0;
  bool has_base = false;
  CounterType base_type{};
  std::uint32_t base_size = 0;
  RawReading reading{};  // set by read_by_names()
  bool operator==(const CounterSchema&) const = default;

  CounterTypeInfo info() const { return describe(type); }
};

struct CountersetSchema {
  CounterPath path = CounterPath::kRegistry;
  std::string machine;       // of a recording of several machines; empty otherwise
  ObjectIndex index{};       // title index via the registry, 0 via PerfLib, number in a log
  std::optional<Guid> guid;  // via PerfLib
  HelpIndex help_index{};
  std::string name;  // UTF-8, English
  std::string help;
  std::uint32_t detail_level = 0;
  bool multi_instance = false;
  std::vector<CounterSchema> counters;
  std::size_t nameless = 0;  // further counters without a name, which aren't shown
};

// Looks up each counter's reading by its English names: the last step of creating a schema.
void read_by_names(CountersetSchema& schema);

// The value of a raw count of the counter, if it is negative.
std::optional<std::int64_t> negative_of(const CounterSchema& counter, std::uint64_t raw);

// The raw value as digits, with its sign.
std::string raw_text(const CounterSchema& counter, std::uint64_t raw);

struct InstanceLabel {
  std::string name;
  std::string value;  // never empty
  auto operator<=>(const InstanceLabel&) const = default;
};

struct InstanceSchema {
  std::string name;           // as delivered, UTF-8; without a name, the unique id in decimal
  std::string parent;         // name of the parent instance; empty if there is none
  std::uint32_t ordinal = 0;  // 0-based position in the object's instance list
  // 0 for the first instance with this parent and name, then 1, 2, ...
  std::uint32_t duplicate = 0;
  std::optional<std::uint32_t> unique_id;
  std::optional<std::uint64_t> process_id;  // value of the "ID Process" counter, if there is one
  std::optional<std::uint64_t> thread_id;   // value of "ID Thread"
  // In other objects with a process id: the process that the instance belongs to, if ever known.
  // Not a label; an instance whose process changes starts over.
  std::optional<std::uint64_t> owner{};
  // Raw start time ("Elapsed Time"), if the object has one and process_id is not 0: it
  // distinguishes a process from a later one with the same id.
  std::optional<std::uint64_t> started;
  std::vector<InstanceLabel> labels{};  // that the configuration takes from the name
  bool operator==(const InstanceSchema&) const = default;
};

// The counters that distinguish a process or thread from a later one of the same name, by their
// English names. Thread rule: pure functions.
inline constexpr std::string_view kThreadIdName = "ID Thread";

// For processes and threads, whose id becomes a label (ADR 0003). One counterset has another name
// for it.
constexpr std::string_view process_id_name(std::string_view object) {
  return equal_names(object, "Process V2") ? "Process ID" : "ID Process";
}

// Whether the counter is a process id in any spelling: "ID Process", "Process ID", "IDProcess",
// "ProcessId". In other objects it identifies the owner of the instance.
constexpr bool is_process_id(std::string_view counter) {
  const auto is_called = [counter](std::string_view words) {
    for (const char c : counter) {
      if (c == ' ' || c == '_') continue;
      if (words.empty() || ascii_lower(c) != words.front()) return false;
      words.remove_prefix(1);
    }
    return words.empty();
  };
  return is_called("idprocess") || is_called("processid");
}

// By its English name; case doesn't matter.
bool has_counter(const CountersetSchema& schema, std::string_view name);

// Whether the name is the counter's, in English or in the machine's language; case doesn't matter.
bool is_called(const CounterSchema& counter, std::string_view name);

// Whether the instance adds up others: it is called "_Total", or a part of its name of two parts
// is ("0,_Total" of Processor Information; "_Total" of the parent "System"). A name that merely
// ends in it, such as "Orders_Total", doesn't count.
bool is_total(const InstanceSchema& instance);
// What the processors do when nothing else runs: "Idle" of Process, "Idle:0" of Process V2, and the
// threads of the first.
bool is_idle(const InstanceSchema& instance);

// Perfmon's display name: "parent/name#duplicate".
std::string display_name(const InstanceSchema& instance);

struct InstanceSet {
  std::vector<InstanceSchema> instances;  // empty for an object without instances
  // If these were selected from more: all of them, and the index of each of these in them.
  std::shared_ptr<const InstanceSet> all{};
  std::vector<std::uint32_t> places{};
};

// What the arrays of a sample have for each counter, which follows from the schema: only some
// counters have bases, or totals that can differ from the raw values.
struct SampleLayout {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Column {
    CounterTypeInfo type;
    // Columns of CountersetSample::more, or kNone.
    std::uint32_t base = kNone;
    std::uint32_t total = kNone;
    std::uint32_t base_total = kNone;
  };
  std::vector<Column> columns;  // in the order of the schema's counters
  std::uint32_t more = 0;       // how many columns CountersetSample::more has
};
[[nodiscard]] std::shared_ptr<const SampleLayout> layout_of(const CountersetSchema& schema);

struct CountersetSample {
  std::shared_ptr<const CountersetSchema> schema;
  std::shared_ptr<const SampleLayout> layout;
  std::shared_ptr<const InstanceSet> instances;
  Clocks clocks;
  // One per cell if counters have separate clocks (V2's time counters, logs of counters); otherwise
  // empty, and `clocks` applies to all cells.
  std::vector<Clocks> own_clocks;
  std::vector<std::uint64_t> raw;  // as delivered, zero-extended; valid where has_raw(reason)
  std::vector<double> cooked;      // perfmon's number; valid where reason is kNone
  std::vector<NoValue> reason;
  std::vector<std::uint64_t> more;  // bases and totals, where `layout` says
  // For an object without instances: the process that its counters belong to, if ever known.
  std::optional<std::uint64_t> owner{};
  // The number of instances left out because of a limit in the configuration.
  std::uint64_t instances_left_out = 0;
  // Why instances, counters or names of parents are missing that the data should have: the first
  // corrupt part.
  std::optional<Error> damage;

  std::size_t columns() const { return schema->counters.size(); }
  // One row per instance; an object without instances has one row.
  std::size_t rows() const { return schema->multi_instance ? instances->instances.size() : 1; }
  std::size_t cell(std::size_t row, std::size_t column) const { return column * rows() + row; }
  // The base's raw value; 0 if the counter has no base.
  std::uint64_t base_at(std::size_t cell) const {
    return more_at(cell, &SampleLayout::Column::base).value_or(0);
  }
  // The raw value, of 32-bit counters extended to 64 bits across wraps.
  std::uint64_t total_at(std::size_t cell) const {
    return more_at(cell, &SampleLayout::Column::total).value_or(raw[cell]);
  }
  // The same for the base.
  std::uint64_t base_total_at(std::size_t cell) const {
    const auto total = more_at(cell, &SampleLayout::Column::base_total);
    return total ? *total : base_at(cell);
  }
  // A column of `more`; empty if `column` is kNone.
  std::span<std::uint64_t> more_column(std::uint32_t column) {
    return column == SampleLayout::kNone ? std::span<std::uint64_t>()
                                         : std::span(more).subspan(column * rows(), rows());
  }
  std::span<const std::uint64_t> more_column(std::uint32_t column) const {
    return column == SampleLayout::kNone ? std::span<const std::uint64_t>()
                                         : std::span(more).subspan(column * rows(), rows());
  }
  // The clocks of one cell.
  const Clocks& clocks_at(std::size_t cell) const {
    return own_clocks.empty() ? clocks : own_clocks[cell];
  }

 private:
  std::optional<std::uint64_t> more_at(std::size_t cell,
                                       std::uint32_t SampleLayout::Column::* place) const {
    const std::uint32_t column = layout->columns[cell / rows()].*place;
    if (column == SampleLayout::kNone) return std::nullopt;
    return more[column * rows() + cell % rows()];
  }
};

// Makes `sample` one of these instances and counters. No cell has a reason, and what its numbers
// are isn't specified: the memory of the arrays is used again.
void prepare(CountersetSample& sample, std::shared_ptr<const CountersetSchema> schema,
             std::shared_ptr<const SampleLayout> layout,
             std::shared_ptr<const InstanceSet> instances, const Clocks& clocks);

// The result of the last attempt to sample a configured counterset, and its current sample.
struct CountersetState {
  std::string name;                      // as configured; the label value `counterset`
  std::string machine;                   // of a recording of several machines; empty otherwise
  std::chrono::milliseconds interval{};  // between two samples; 0 if unknown
  std::shared_ptr<const CountersetSample> sample;  // last good one; null if there was none
  bool success = false;                            // of the last attempt
  std::optional<Error> error;                      // why the last attempt failed
  // It doesn't exist, and hasn't since sampling began, which isn't a failure.
  bool is_absent = false;
  // If the name is unknown, the known name that is most similar; may be empty.
  std::string nearest;
  double duration_seconds = 0;  // of the last attempt
  std::uint64_t bytes = 0;      // size of the last reply
  Instant sampled_at{};         // when the current sample was taken, by this machine's clocks
  // How old the current sample may get before its values are stale.
  std::chrono::milliseconds stale_after{12'500};
  std::uint64_t attempts = 0;
  std::uint64_t failures = 0;
  std::optional<Error>
      preferred_path_error;         // why the current sample was read through the other path
  std::uint64_t skipped_ticks = 0;  // ticks missed because the previous one was still running
  // From when the current sample was due until it was taken, with the query; nothing if unknown, as
  // in a recording.
  std::optional<double> late_seconds{};
};

// Why the last attempt failed, as text, with the name that may have been meant. There
// may have been no attempt yet.
std::string describe_failure(const CountersetState& state);

// How many problems occurred since the start, by counterset and reason.
struct ProblemCount {
  std::string counterset;
  ErrorCode code{};
  std::uint64_t count = 0;
  Error last;
  bool operator==(const ProblemCount&) const = default;
};

struct Sample {
  std::uint64_t sequence = 0;  // grows by one with each published sample; 0 is never published
  Ticks100ns published_at;
  std::vector<CountersetState> countersets;  // in configured order
  std::vector<ProblemCount> problems;        // sorted by counterset, then code
  std::vector<WorkerState> workers{};        // the processes that made the queries
  std::vector<ProviderState> providers{};    // those with a separate process
  std::uint64_t registrations = 0;           // changes when providers are added or removed
};

// The latest published sample: the only sample data that the sampling and HTTP threads share.
using SampleSlot = Latest<Sample>;

// The age at which values are stale. A stale value looks like one that doesn't change, so stale
// values are left out and reported. Ages are measured by the steady clock, so that setting the
// machine's clock doesn't change them.
inline constexpr std::chrono::milliseconds kShortestStaleAfter{10'000};

// Two samples are missing: the second one is half an interval late.
constexpr std::chrono::milliseconds default_stale_after(std::chrono::milliseconds interval) {
  return std::max(kShortestStaleAfter, interval * 5 / 2);
}

// Of the current sample. Not negative, also if another thread has sampled since `now`.
inline std::chrono::duration<double> age(const CountersetState& state, SteadyTime now) {
  return std::max(SteadyTime::duration::zero(), now - state.sampled_at.steady);
}

// Whether there is a sample, and it is too old.
inline bool is_stale(const CountersetState& state, SteadyTime now) {
  return state.sample != nullptr && now - state.sampled_at.steady > state.stale_after;
}

inline bool is_fresh(const CountersetState& state, SteadyTime now) {
  return state.sample != nullptr && !is_stale(state, now);
}

}  // namespace winperf

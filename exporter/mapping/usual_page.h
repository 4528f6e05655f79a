// What the page has of a sample with metrics.detail: usual, by two tables (ADR 0023): which
// numbers of a counter, and by which counters the instances of an object are chosen.
// docs/metrics.md shows both tables. Names are English, and '|' separates alternatives. By another
// exporter's names the page has the same instances, and all of their numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// Of a counter that has a running total and a cooked number.
enum class UsualNumbers : std::uint8_t {
  kTotal,
  kBoth,  // Task Manager shows the cooked number
  kNone,  // few people ask for it, and each processor has it
};

struct UsualRow {
  std::string_view object{};
  std::string_view counters{};
  UsualNumbers numbers = UsualNumbers::kBoth;
};
std::span<const UsualRow> usual_rows();
// kTotal unless a row says otherwise.
UsualNumbers usual_numbers(std::string_view object, std::string_view counter);

// An object with so many instances that a fleet scrapes the leading ones alone.
struct LeadersRow {
  std::string_view object{};
  // They lead by each of these in turn; of alternatives the first one that the object has counts.
  std::span<const std::string_view> by{};
};
std::span<const LeadersRow> leaders_rows();
// Null for an object whose instances are all on the page.
const LeadersRow* leaders_row(std::string_view object);
// The same of the page that the options describe, for one counterset (CountersetState::name).
const LeadersRow* leaders_row(const MappingOptions& options, const std::string& counterset,
                              std::string_view object);

// Chooses the leading instances of one counterset, as a set that changes slowly: at most once per
// kChoiceHolds, and an instance gives way only to one with clearly more. Instances that end are
// replaced at once. By a running total those lead that it has grown most for since the last choice,
// so that a short peak between two scrapes counts, too. `_Total`, and the idle process, which has
// no process id, never lead.
//
// The same sample gives the same rows, in whichever format and however often it is rendered.
// Thread rule: one thread.
class Leaders {
 public:
  static constexpr std::chrono::seconds kChoiceHolds{60};
  // What a leader's number counts for, compared with those of others.
  static constexpr double kAdvantage = 1.5;

  // By row of the sample, whether it leads. At most `most` do.
  const std::vector<bool>& choose(const std::shared_ptr<const CountersetSample>& sample,
                                  const LeadersRow& row, std::size_t most, SteadyTime sampled_at);

 private:
  // Where the numbers are that the instances lead by.
  using Columns = std::vector<std::size_t>;

  // `place`: of the column.
  std::vector<std::size_t> ranked(const CountersetSample& sample, std::size_t column,
                                  std::size_t place) const;
  // `all`: no leader stays only because it is one.
  void choose_again(const CountersetSample& sample, const Columns& columns, std::size_t most,
                    bool all);
  void remember(const CountersetSample& sample, const Columns& columns);

  std::shared_ptr<const CountersetSample> chosen_of_;
  std::vector<bool> leads_;        // by its rows
  std::vector<std::string> keys_;  // of its rows; empty: never leads
  std::vector<std::string> leaders_;
  // By key, the numbers at the last choice.
  std::unordered_map<std::string, std::vector<std::uint64_t>> totals_;
  std::optional<SteadyTime> chosen_at_;
};

}  // namespace winperf

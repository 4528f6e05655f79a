#include "exporter/mapping/usual_page.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/name_table.h"

namespace winperf {
namespace {

constexpr std::string_view kProcessors = "Processor|Processor Information";

// Source: the Performance and Processes tabs of Task Manager.
constexpr UsualRow kNumbers[] = {
    {kProcessors,
     "% Processor Time|% Processor Utility|% Privileged Utility|% Processor Performance"},
    {"PhysicalDisk", "% Idle Time|Disk Read Bytes/sec|Disk Write Bytes/sec|Avg. Disk sec/Transfer"},
    {"Network Interface|Network Adapter", "Bytes Received/sec|Bytes Sent/sec"},
    {"Process|Process V2", "% Processor Time"},
    {kProcessors,
     "% C1 Time|% C2 Time|% C3 Time|C1 Transitions/sec|C2 Transitions/sec|C3 Transitions/sec|"
     "Processor State Flags|Performance Limit Flags|Clock Interrupts/sec|Idle Break Events/sec",
     UsualNumbers::kNone},
};

constexpr std::string_view kProcessBy[] = {"% Processor Time", "Working Set - Private|Working Set"};
constexpr LeadersRow kLeaders[] = {{"Process|Process V2", kProcessBy}};

bool has_name(std::string_view names, std::string_view name) {
  return std::ranges::any_of(alternatives(names),
                             [&](std::string_view one) { return equal_names(one, name); });
}

// The column of the first alternative that the object has.
std::optional<std::size_t> column_of(const CountersetSchema& schema, std::string_view names) {
  for (const std::string_view name : alternatives(names)) {
    const auto found = std::ranges::find_if(
        schema.counters, [&](const auto& counter) { return equal_names(counter.name, name); });
    if (found != schema.counters.end())
      return static_cast<std::size_t>(found - schema.counters.begin());
  }
  return std::nullopt;
}

// Tells an instance from a later one with the same name and process id.
std::string key_of(const InstanceSchema& instance) {
  if (is_total(instance) || instance.process_id == 0) return {};
  const auto id = [](const auto& number) { return number ? std::to_string(*number) : ""; };
  std::string key = instance.parent;
  for (const std::string& part : {instance.name, id(instance.process_id), id(instance.started),
                                  std::to_string(instance.duplicate)})
    key += '\0' + part;
  return key;
}

// An object without instances has one row, which always leads.
std::vector<std::string> keys_of(const CountersetSample& sample) {
  std::vector<std::string> keys;
  if (sample.schema->multi_instance)
    for (const InstanceSchema& instance : sample.instances->instances)
      keys.push_back(key_of(instance));
  return keys;
}

std::vector<std::size_t> columns_of(const CountersetSchema& schema, const LeadersRow& row) {
  std::vector<std::size_t> columns;
  for (const std::string_view names : row.by)
    if (const auto column = column_of(schema, names)) columns.push_back(*column);
  return columns;
}

bool has_total(const CounterSchema& counter) {
  return counter.info().exposition == Exposition::kCounter;
}

// Of one row; nothing without a value.
std::optional<std::uint64_t> raw_number(const CountersetSample& sample, std::size_t row,
                                        std::size_t column) {
  const std::size_t cell = sample.cell(row, column);
  if (!has_raw(sample.reason[cell])) return std::nullopt;
  return has_total(sample.schema->counters[column]) ? sample.total_at(cell) : sample.raw[cell];
}

}  // namespace

std::span<const UsualRow> usual_rows() { return kNumbers; }

UsualNumbers usual_numbers(std::string_view object, std::string_view counter) {
  for (const UsualRow& row : kNumbers)
    if (has_name(row.object, object) && has_name(row.counters, counter)) return row.numbers;
  return UsualNumbers::kTotal;
}

std::span<const LeadersRow> leaders_rows() { return kLeaders; }

const LeadersRow* leaders_row(std::string_view object) {
  const auto found = std::ranges::find_if(
      kLeaders, [&](const LeadersRow& row) { return has_name(row.object, object); });
  return found == std::ranges::end(kLeaders) ? nullptr : found;
}

const LeadersRow* leaders_row(const MappingOptions& options, const std::string& counterset,
                              std::string_view object) {
  const bool is_chosen = std::ranges::find(options.chosen, counterset) != options.chosen.end();
  return options.detail == PageDetail::kFull || is_chosen ? nullptr : leaders_row(object);
}

const std::vector<bool>& Leaders::choose(const std::shared_ptr<const CountersetSample>& sample,
                                         const LeadersRow& row, std::size_t most,
                                         SteadyTime sampled_at) {
  if (chosen_of_ == sample) return leads_;
  if (chosen_of_ == nullptr || chosen_of_->instances != sample->instances) keys_ = keys_of(*sample);
  chosen_of_ = sample;
  leads_.assign(sample->rows(), true);
  if (sample->rows() <= most) return leads_;
  const std::unordered_set<std::string_view> present(keys_.begin(), keys_.end());
  std::erase_if(leaders_, [&](const std::string& leader) { return !present.contains(leader); });
  const bool is_due = !chosen_at_ || sampled_at - *chosen_at_ >= kChoiceHolds;
  if (is_due || leaders_.size() != most) {
    const Columns columns = columns_of(*sample->schema, row);
    choose_again(*sample, columns, most, is_due);
    if (is_due) {
      remember(*sample, columns);
      chosen_at_ = sampled_at;
    }
  }
  const std::unordered_set<std::string_view> leading(leaders_.begin(), leaders_.end());
  for (std::size_t i = 0; i < keys_.size(); ++i) leads_[i] = leading.contains(keys_[i]);
  return leads_;
}

// The rows with a number, the highest first.
std::vector<std::size_t> Leaders::ranked(const CountersetSample& sample, std::size_t column,
                                         std::size_t place) const {
  const std::unordered_set<std::string_view> leading(leaders_.begin(), leaders_.end());
  std::vector<std::pair<double, std::size_t>> numbers;
  for (std::size_t row = 0; row < keys_.size(); ++row) {
    const auto raw = raw_number(sample, row, column);
    if (keys_[row].empty() || !raw) continue;
    std::uint64_t number = *raw;
    if (has_total(sample.schema->counters[column])) {
      const auto known = totals_.find(keys_[row]);
      if (known != totals_.end() && known->second[place] <= number) number -= known->second[place];
    }
    const double advantage = leading.contains(keys_[row]) ? kAdvantage : 1;
    if (number != 0) numbers.emplace_back(static_cast<double>(number) * advantage, row);
  }
  std::ranges::stable_sort(numbers, std::ranges::greater(), &std::pair<double, std::size_t>::first);
  std::vector<std::size_t> rows;
  for (const auto& [number, row] : numbers) rows.push_back(row);
  return rows;
}

void Leaders::choose_again(const CountersetSample& sample, const Columns& columns, std::size_t most,
                           bool all) {
  std::vector<std::vector<std::size_t>> rankings;
  for (std::size_t place = 0; place < columns.size(); ++place)
    rankings.push_back(ranked(sample, columns[place], place));
  // Those that stay, if only the places of others are free.
  std::vector<std::string> chosen = all ? std::vector<std::string>() : leaders_;
  std::unordered_set<std::string> known(chosen.begin(), chosen.end());
  std::size_t longest = 0;
  for (const auto& ranking : rankings) longest = std::max(longest, ranking.size());
  std::vector<std::size_t> next(rankings.size());
  for (std::size_t turn = 0; turn < longest && chosen.size() < most; ++turn)
    for (std::size_t i = 0; i < rankings.size() && chosen.size() < most; ++i) {
      while (next[i] < rankings[i].size() && known.contains(keys_[rankings[i][next[i]]])) ++next[i];
      if (next[i] == rankings[i].size()) continue;
      chosen.push_back(keys_[rankings[i][next[i]]]);
      known.insert(chosen.back());
    }
  leaders_ = std::move(chosen);
}

void Leaders::remember(const CountersetSample& sample, const Columns& columns) {
  totals_.clear();
  for (std::size_t row = 0; row < keys_.size(); ++row) {
    if (keys_[row].empty()) continue;
    std::vector<std::uint64_t>& totals = totals_[keys_[row]];
    for (const std::size_t column : columns)
      totals.push_back(raw_number(sample, row, column).value_or(0));
  }
}

}  // namespace winperf

#include "tests/simulator/server/rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "collectors/wire/text.h"
#include "tests/simulator/server/movement.h"

namespace winperf::simulator {
namespace {

constexpr double k100nsPerSecond = 1e7;
// How far rates go up and down.
constexpr double kSwing = 0.7;
// Process ids are multiples of 4, and soon given to others.
constexpr std::uint64_t kPidStep = 148, kPidRange = 8000;
constexpr double kDay = 86'400;
// Totals are numbered downwards from here, far from all process ids.
constexpr std::size_t kLastId = 0x7FFF'FFFF;

// A row of a table as it is from one restart to the next.
struct Member {
  const ServerTable::Row* row = nullptr;  // null for an object without instances
  double since = 0;                       // seconds after the machine's start
  double until = std::numeric_limits<double>::infinity();
  std::uint64_t pid = 0;
};

double number_in(const ServerTable::Row& row, const std::optional<std::size_t>& column) {
  return column ? row.numbers[*column] : 0;
}

// Nothing while it isn't there.
std::optional<Member> member_of(const ServerTable& table, const ServerTable::Row& row,
                                double seconds) {
  const double started = number_in(row, table.started);
  const double lasts = number_in(row, table.lasts);
  if (lasts > 0 && seconds < started) return std::nullopt;
  Member member{.row = &row,
                .since = std::min(started, seconds),
                .pid = static_cast<std::uint64_t>(number_in(row, table.pid))};
  const double period = number_in(row, table.restarts);
  if (period > 0) {
    const double restarts = std::floor((seconds - member.since) / period);
    member.since += restarts * period;
    member.pid += static_cast<std::uint64_t>(restarts) * kPidStep % kPidRange;
  }
  if (lasts > 0 && seconds >= member.since + lasts) return std::nullopt;
  return member;
}

// As if it had never begun anew, but for the time when it wasn't there.
std::vector<Member> lasting_members(const ServerTable& table, const ServerTable::Row& row,
                                    double seconds) {
  const double started = number_in(row, table.started);
  const double lasts = number_in(row, table.lasts);
  const double period = number_in(row, table.restarts);
  if (lasts <= 0) return {{.row = &row, .since = std::min(started, seconds)}};
  std::vector<Member> members;
  for (double since = started; since < seconds; since += period) {
    members.push_back({.row = &row, .since = since, .until = since + lasts});
    if (period <= 0) break;
  }
  return members;
}

// The values of one instance: of a row, or what several rows have together.
class Instance {
 public:
  Instance(const ServerTable* table, std::vector<Member> members, const ServerObject& object,
           const ServerMoment& moment)
      : table_(table),
        members_(std::move(members)),
        object_(object),
        moment_(moment),
        seconds_(moment.seconds()),
        object_seed_(seed_of(object.like)) {}

  void add(const Member& member) { members_.push_back(member); }

  InstanceValues values() const;
  std::int64_t value(const ServerCounter& counter) const;
  std::uint32_t id(std::size_t position) const;
  std::string name() const;
  const std::string& row_name() const { return members_.front().row->name; }

 private:
  double amount(const Amount& amount, const Member& member) const;
  std::int64_t sum(const Movement& movement) const;
  double moving(const ServerCounter& counter, const Member& member) const;
  std::int64_t start_100ns() const {
    return moment_.boot_100ns + static_cast<std::int64_t>(members_.front().since * k100nsPerSecond);
  }
  std::int64_t ticks() const { return moment_.now.time_100ns - start_100ns(); }

  const ServerTable* const table_;
  std::vector<Member> members_;
  const ServerObject& object_;
  const ServerMoment& moment_;
  const double seconds_;
  const std::uint64_t object_seed_;
};

double Instance::amount(const Amount& amount, const Member& member) const {
  double product = amount.factor;
  for (const std::size_t column : amount.columns)
    product *=
        column == table_->pid ? static_cast<double>(member.pid) : member.row->numbers[column];
  return product;
}

double Instance::moving(const ServerCounter& counter, const Member& member) const {
  const std::vector<Amount>& amounts = counter.movement.amounts;
  const double first = amount(amounts[0], member);
  if (counter.movement.motion == Motion::kConstant) return first;
  const std::int64_t day = static_cast<std::int64_t>(kDay * k100nsPerSecond);
  const Waves waves({.instance = member.row == nullptr ? 0 : member.row->seed,
                     .object = object_seed_,
                     .counter = seed_of(counter.name)},
                    static_cast<double>(moment_.boot_100ns % day) / k100nsPerSecond);
  if (counter.movement.motion == Motion::kLevel)
    return std::max(0.0, waves.level(first, amount(amounts[1], member), seconds_));
  const double until = std::min(member.until, seconds_);
  if (counter.movement.motion == Motion::kRate)
    return waves.total(first, kSwing, member.since, until);
  // A part of the time never becomes more than all of it.
  const double swing = first > 0 && first < 1 ? std::min(kSwing, (1 - first) / first) : kSwing;
  return waves.total(first * k100nsPerSecond, swing, member.since, until);
}

std::int64_t Instance::sum(const Movement& movement) const {
  std::int64_t whole = 0;
  double parts = 0;
  for (const Movement::Term& term : movement.terms) {
    const std::int64_t value =
        term.counter ? this->value(object_.counters[*term.counter]) : ticks();
    if (term.factor == 1 || term.factor == -1) {
      whole += term.factor > 0 ? value : -value;
    } else {
      parts += term.factor * static_cast<double>(value);
    }
  }
  return whole + static_cast<std::int64_t>(std::floor(parts));
}

std::int64_t Instance::value(const ServerCounter& counter) const {
  std::int64_t sum = 0;
  switch (counter.movement.motion) {
    case Motion::kSum:
      return this->sum(counter.movement);
    case Motion::kUptime:
      return ticks() / static_cast<std::int64_t>(k100nsPerSecond);
    case Motion::kStarted:
      return start_100ns();
    case Motion::kTime:
      return moment_.now.time_100ns;
    case Motion::kFrequency:
      return static_cast<std::int64_t>(k100nsPerSecond);
    case Motion::kConstant:
    case Motion::kLevel:
      for (const Member& member : members_) sum += std::llround(moving(counter, member));
      return sum;
    case Motion::kRate:
    case Motion::kShare:
      break;
  }
  for (const Member& member : members_)
    sum += static_cast<std::int64_t>(std::floor(moving(counter, member)));
  return sum;
}

std::string Instance::name() const {
  const Member& first = members_.front();
  if (first.row == nullptr) return "";
  std::string name = object_.pattern;
  const auto put = [&name](const std::string& variable, const std::string& text) {
    const std::size_t at = name.find('{' + variable + '}');
    if (at != std::string::npos) name.replace(at, variable.size() + 2, text);
  };
  put("name", first.row->name);
  put("pid", std::to_string(first.pid));
  for (std::size_t i = 0; i < table_->columns.size(); ++i)
    put(table_->columns[i], first.row->texts[i]);
  return name;
}

InstanceValues Instance::values() const {
  InstanceValues result{.name = to_utf16(name())};
  for (const ServerCounter& counter : object_.counters)
    result.values.push_back(static_cast<std::uint64_t>(value(counter)));
  return result;
}

// A process has its own id, others are numbered.
std::uint32_t Instance::id(std::size_t position) const {
  if (table_ != nullptr && table_->pid) return static_cast<std::uint32_t>(members_.front().pid);
  return static_cast<std::uint32_t>(position);
}

std::vector<Instance> instances_of(const ServerTable& table, const ServerObject& object,
                                   const ServerMoment& moment) {
  std::vector<Instance> instances;
  for (const ServerTable::Row& row : table.rows) {
    if (object.with && row.texts[*object.with].empty()) continue;
    const auto member = member_of(table, row, moment.seconds());
    if (!member) continue;
    const Instance instance(&table, {*member}, object, moment);
    const auto together = object.is_grouped
                              ? std::ranges::find(instances, instance.name(), &Instance::name)
                              : instances.end();
    if (together != instances.end()) {
      together->add(*member);
    } else {
      instances.push_back(instance);
    }
  }
  return instances;
}

bool is_process_id(const ServerTable* table, const ServerCounter& counter) {
  return table != nullptr && table->pid && counter.movement.motion == Motion::kConstant &&
         counter.movement.amounts[0].columns == std::vector{*table->pid};
}

bool is_time(const ServerCounter& counter) {
  const Formula formula = describe(counter.type).formula;
  return formula == Formula::kTimer || formula == Formula::kTimerInverse ||
         formula == Formula::kPrecision;
}

bool is_running_total(const ServerCounter& counter) {
  return counter.is_hidden || describe(counter.type).exposition == Exposition::kCounter;
}

bool is_mean(const ServerCounter& counter, ServerObject::Total::Means means) {
  using Means = ServerObject::Total::Means;
  if (means == Means::kNone) return false;
  return is_time(counter) || (means == Means::kAll && !is_running_total(counter));
}

std::uint64_t total_of(const std::vector<InstanceValues>& rows, std::size_t column,
                       const ServerCounter& counter, const ServerTable* table, bool mean) {
  const Motion motion = counter.movement.motion;
  if (rows.empty() || is_process_id(table, counter)) return 0;
  std::uint64_t sum = 0;
  std::uint64_t least = rows[0].values[column];
  for (const InstanceValues& row : rows) {
    sum += row.values[column];
    least = std::min(least, row.values[column]);
  }
  const bool is_clock = motion == Motion::kTime || motion == Motion::kFrequency;
  if (motion == Motion::kStarted || is_clock) return least;
  return mean ? sum / rows.size() : sum;
}

// Of all but the one that gets the rest, also of those that aren't there now.
std::int64_t sum_of_others(const ServerTable& table, const ServerObject& object,
                           const ServerMoment& moment) {
  std::int64_t sum = 0;
  for (const ServerTable::Row& row : table.rows)
    if (row.name != object.rest->instance)
      sum += Instance(&table, lasting_members(table, row, moment.seconds()), object, moment)
                 .value(object.counters[object.rest->of_others]);
  return sum;
}

// Gives the instance at `place` what the others leave.
void leave_rest(std::vector<InstanceValues>& rows, std::size_t place,
                const ServerObject::Rest& rest, std::int64_t of_others,
                const ServerMoment& moment) {
  const auto ticks = static_cast<double>(moment.now.time_100ns - moment.boot_100ns);
  const auto left = static_cast<std::uint64_t>(std::llround(rest.amount * ticks) - of_others);
  rows[place].values[rest.counter] = left;
  rows[place].values[rest.of_others] = left;
}

std::vector<InstanceValues> totals_of(const ServerObject& object, const ServerTable& table,
                                      const std::vector<InstanceValues>& rows) {
  std::vector<InstanceValues> totals;
  for (const ServerObject::Total& total : object.totals) {
    InstanceValues& sum = totals.emplace_back();
    sum.name = to_utf16(total.name);
    sum.id = static_cast<std::uint32_t>(kLastId - totals.size());
    for (std::size_t i = 0; i < object.counters.size(); ++i) {
      const ServerCounter& counter = object.counters[i];
      sum.values.push_back(total_of(rows, i, counter, &table, is_mean(counter, total.means)));
    }
  }
  return totals;
}

}  // namespace

std::vector<InstanceValues> rows_of(const ServerData& data, const ServerObject& object,
                                    const ServerMoment& moment) {
  if (!object.table) return {Instance(nullptr, {Member{}}, object, moment).values()};
  const ServerTable& table = data.tables[*object.table];
  std::vector<InstanceValues> rows;
  std::optional<std::size_t> rest;
  for (const Instance& instance : instances_of(table, object, moment)) {
    if (object.rest && instance.row_name() == object.rest->instance) rest = rows.size();
    rows.push_back(instance.values());
    rows.back().id = instance.id(rows.size() - 1);
  }
  if (rest) leave_rest(rows, *rest, *object.rest, sum_of_others(table, object, moment), moment);
  std::ranges::move(totals_of(object, table, rows), std::back_inserter(rows));
  return rows;
}

}  // namespace winperf::simulator

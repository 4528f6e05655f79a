#include "collectors/pdh/pdh_comparison.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "collectors/pdh/pdh_cook.h"
#include "collectors/pdh/pdh_status.h"

namespace winperf {
namespace {

using Rows = std::map<std::string, std::size_t>;

// Positions by display name; "" for the one row of a counterset without instances.
Rows rows_in(const CountersetSample& sample) {
  if (!sample.schema->multi_instance) return {{"", 0}};
  Rows rows;
  const auto& instances = sample.instances->instances;
  for (std::size_t row = 0; row < instances.size(); ++row)
    rows.emplace(display_name(instances[row]), row);
  return rows;
}

// The first column of that name.
std::optional<std::size_t> column_in(const CountersetSample& sample, std::string_view name) {
  const auto& counters = sample.schema->counters;
  const auto found = std::ranges::find(counters, name, &CounterSchema::name);
  if (found == counters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - counters.begin());
}

// PDH's items by the name that perfmon shows: the second one of a name gets "#1".
template <class Item>
struct NamedItems {
  std::map<std::string, const Item*> items;
  std::vector<std::string> twice;
};
template <class Item>
NamedItems<Item> named_items(const std::vector<Item>& items) {
  NamedItems<Item> named;
  std::map<std::string_view, std::size_t> seen;
  for (const Item& item : items) {
    const std::size_t before = seen[item.instance]++;
    std::string name = before == 0 ? item.instance : item.instance + '#' + std::to_string(before);
    if (!named.items.emplace(name, &item).second) named.twice.push_back(std::move(name));
  }
  return named;
}

bool is_same_instance(const InstanceSchema& a, const InstanceSchema& b) {
  return a.unique_id == b.unique_id && a.process_id == b.process_id && a.thread_id == b.thread_id &&
         a.started == b.started;
}

struct OurSample {
  const CountersetSample& sample;
  Rows rows = rows_in(sample);

  std::optional<std::size_t> row(const std::string& instance) const {
    const auto found = rows.find(instance);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<OurReading> reading(const std::string& instance, std::string_view counter) const {
    const auto at_row = row(instance);
    const auto column = column_in(sample, counter);
    if (!at_row || !column) return std::nullopt;
    const std::size_t cell = sample.cell(*at_row, *column);
    return OurReading{.reason = sample.reason[cell],
                      .value = sample.raw[cell],
                      .base = sample.base_at(cell),
                      .clocks = sample.clocks_at(cell)};
  }
};

struct Moment {
  OurSample before;
  OurSample after;

  // Whether an instance of that name was there all the time, and the same one.
  bool has(const std::string& instance) const {
    const auto row_before = before.row(instance);
    const auto row_after = after.row(instance);
    if (!row_before || !row_after) return false;
    if (!before.sample.schema->multi_instance || !after.sample.schema->multi_instance) return true;
    return is_same_instance(before.sample.instances->instances[*row_before],
                            after.sample.instances->instances[*row_after]);
  }
  bool has_never(const std::string& instance) const {
    return !before.row(instance) && !after.row(instance);
  }
};

// What PDH has of one counter at one moment.
struct PdhOfCounter {
  NamedItems<PdhRawItem> raw;
  NamedItems<PdhNumberItem> numbers;
  std::uint32_t number_status = 0;
};

class PdhComparer {
 public:
  PdhComparer(const OurMoment& first, const OurMoment& second, const PdhRecord& pdh,
              const ReadingProcesses& readers)
      : moments_{Moment{{first.before}, {first.after}}, Moment{{second.before}, {second.after}}},
        schema_(*first.before.schema),
        pdh_(pdh),
        readers_(readers) {}

  PdhComparison run() {
    std::set<std::string_view> names;
    for (const CounterSchema& counter : schema_.counters) {
      if (names.insert(counter.name).second)
        compare_counter(counter);
      else
        note_known(to_string(counter.type),
                   "PDH finds only the first counter of a name in an object");
    }
    find_strangers(names);
    find_repeated();
    if (const std::size_t listed = pdh_.items.instances.size(); !schema_.multi_instance && listed)
      report(nullptr, "", "instances listed", "none", std::to_string(listed));
    for (auto& [key, values] : known_) result_.known.push_back({key.first, key.second, values});
    return std::move(result_);
  }

 private:
  void note_known(const std::string& type, std::string_view reason) {
    ++known_[{type, std::string(reason)}];
  }

  // Once for each instance, counter and kind.
  void report(const CounterSchema* counter, std::string instance, std::string what,
              std::string ours, std::string pdh, std::vector<CellMoment> evidence = {}) {
    const std::string name = counter == nullptr ? std::string() : counter->name;
    if (!reported_.emplace(instance, name, what).second) return;
    if (!instance.empty() && readers_.have(instance, process_of(instance)))
      return note_known(counter == nullptr ? std::string() : to_string(counter->type),
                        kKnownReader);
    result_.differences.push_back(
        {.instance = std::move(instance),
         .counter = name,
         .type = counter == nullptr ? std::string() : to_string(counter->type),
         .what = std::move(what),
         .ours = std::move(ours),
         .pdh = std::move(pdh),
         .evidence = std::move(evidence)});
  }

  // The process that the instance belongs to, if our readings say.
  std::optional<std::uint64_t> process_of(const std::string& instance) const {
    for (const Moment& moment : moments_)
      for (const OurSample* const reading : {&moment.before, &moment.after})
        if (const auto row = reading->row(instance); row && schema_.multi_instance) {
          const InstanceSchema& found = reading->sample.instances->instances[*row];
          if (const auto id = found.process_id ? found.process_id : found.owner) return id;
        }
    return std::nullopt;
  }

  void report_stranger(const PdhDefinition* definition, std::string name, const char* what) {
    if (!reported_.emplace(std::string(), name, what).second) return;
    result_.differences.push_back(
        {.counter = std::move(name),
         .type = definition == nullptr ? std::string() : to_string(definition->type),
         .what = what,
         .ours = "missing",
         .pdh = "listed"});
  }

  // What PDH lists, defines or collects, and we don't have.
  void find_strangers(const std::set<std::string_view>& names) {
    std::set<std::string_view> local = names;
    for (const PdhDefinition& definition : pdh_.definitions) {
      local.insert(definition.local_name);
      if (!names.contains(definition.name))
        report_stranger(&definition, definition.name, "counter only in PDH");
    }
    for (const PdhCollection& moment : pdh_.moments)
      for (const PdhValues& values : moment.counters)
        if (!names.contains(values.name))
          report_stranger(nullptr, values.name, "counter only in PDH");
    for (const std::string& listed : pdh_.items.counters)
      if (!local.contains(listed)) report_stranger(nullptr, listed, "counter only in PDH");
  }

  // What PDH lists more often than the object has it. Different counters may have the same name in
  // the machine's language.
  void find_repeated() {
    std::map<std::string_view, std::size_t> listed;
    for (const std::string& name : pdh_.items.counters) ++listed[name];
    std::map<std::string_view, std::vector<const CounterSchema*>> ours;
    for (const CounterSchema& counter : schema_.counters) {
      const PdhDefinition* const definition = definition_of(counter);
      const bool is_local = definition != nullptr && listed.contains(definition->local_name);
      ours[is_local ? definition->local_name : counter.name].push_back(&counter);
    }
    for (const auto& [name, counters] : ours)
      if (listed[name] > counters.size())
        report(counters.front(), "", "counter twice", "once", "listed twice");
  }

  const PdhDefinition* definition_of(const CounterSchema& counter) {
    const PdhDefinition* found = nullptr;
    for (const PdhDefinition& definition : pdh_.definitions) {
      if (definition.name != counter.name) continue;
      if (found != nullptr) report(&counter, "", "counter twice", "once", "defined twice");
      if (found == nullptr) found = &definition;
    }
    return found;
  }

  void compare_counter(const CounterSchema& counter) {
    const PdhDefinition* const definition = definition_of(counter);
    if (definition == nullptr)
      return report(&counter, "", "counter only here", "defined", "not defined");
    if (is_without_pdh_instances(definition->add_status) && !has_any_row()) return;
    if (definition->add_status != 0)
      return report(&counter, "", "counter only here", "defined",
                    pdh_status_text(definition->add_status));
    compare_definition(counter, *definition);
    std::array<std::optional<PdhOfCounter>, 2> pdh;
    for (std::size_t i = 0; i < pdh.size(); ++i) pdh[i] = collected(counter, pdh_.moments[i]);
    compare_instances(counter, pdh);
    const bool has_time_base =
        definition->time_base_status == 0 && counter.info().time_base != TimeBase::kNone;
    compare_cells(counter, pdh,
                  has_time_base ? std::optional(definition->time_base) : std::nullopt);
  }

  void compare_definition(const CounterSchema& counter, const PdhDefinition& pdh) {
    if (pdh.info_status != 0) {
      report(&counter, "", "definition's status", "defined", pdh_status_text(pdh.info_status));
    } else {
      if (pdh.type != counter.type)
        report(&counter, "", "type", to_string(counter.type), to_string(pdh.type));
      if (pdh.default_scale != counter.default_scale)
        report(&counter, "", "default scale", std::to_string(counter.default_scale),
               std::to_string(pdh.default_scale));
    }
    const auto& listed = pdh_.items.counters;
    if (std::ranges::find(listed, pdh.local_name) == listed.end() &&
        std::ranges::find(listed, counter.name) == listed.end())
      report(&counter, "", "counter not listed by PDH", "defined", "not listed");
    compare_time_base(counter, pdh);
  }

  void compare_time_base(const CounterSchema& counter, const PdhDefinition& pdh) {
    const TimeBase clock = counter.info().time_base;
    if (clock == TimeBase::kNone) return;
    const CountersetSample& sample = moments_[1].after.sample;
    const auto column = column_in(sample, counter.name);
    if (!column || sample.rows() == 0) return;
    const std::int64_t ours = frequency_of(clock, sample.clocks_at(sample.cell(0, *column)));
    if (ours == 0)
      note_known(to_string(counter.type), *known_without_ours(NoValue::kZeroFrequency, 0));
    else if (pdh.time_base_status != 0)
      report(&counter, "", "time base's status", std::to_string(ours),
             pdh_status_text(pdh.time_base_status));
    else if (pdh.time_base != ours)
      report(&counter, "", "time base", std::to_string(ours), std::to_string(pdh.time_base));
  }

  // Nothing if there is nothing to compare with, which is reported.
  std::optional<PdhOfCounter> collected(const CounterSchema& counter,
                                        const PdhCollection& collection) {
    const PdhValues* found = nullptr;
    for (const PdhValues& values : collection.counters) {
      if (values.name != counter.name) continue;
      if (found != nullptr) report(&counter, "", "counter twice", "once", "collected twice");
      if (found == nullptr) found = &values;
    }
    if (found == nullptr) {
      report(&counter, "", "counter only here", "read", "not collected");
      return std::nullopt;
    }
    if (found->raw_status != 0) {
      report_status(counter, found->raw_status);
      return std::nullopt;
    }
    if (!schema_.multi_instance) return collected_once(counter, *found);
    PdhOfCounter pdh{.raw = named_items(found->raw),
                     .numbers = named_items(found->numbers),
                     .number_status = found->number_status};
    for (const auto* const twice : {&pdh.raw.twice, &pdh.numbers.twice})
      for (const std::string& instance : *twice)
        report(&counter, instance, "instance twice", "once", "twice");
    return pdh;
  }

  bool has_any_row() const {
    return std::ranges::any_of(moments_, [](const Moment& moment) {
      return !moment.before.rows.empty() || !moment.after.rows.empty();
    });
  }

  // An error of the whole call is one only if we have an instance.
  void report_status(const CounterSchema& counter, std::uint32_t status) {
    if (has_any_row()) report(&counter, "", "status", "values", pdh_status_text(status));
  }

  // A counterset without instances has one item, whatever it is called.
  std::optional<PdhOfCounter> collected_once(const CounterSchema& counter,
                                             const PdhValues& values) {
    if (values.raw.size() != 1) {
      report(&counter, "", "instances", "one", std::to_string(values.raw.size()));
      return std::nullopt;
    }
    PdhOfCounter pdh{.raw = {}, .numbers = {}, .number_status = values.number_status};
    pdh.raw.items.emplace("", &values.raw.front());
    if (values.numbers.size() > 1)
      report(&counter, "", "instances", "one", std::to_string(values.numbers.size()));
    if (!values.numbers.empty()) pdh.numbers.items.emplace("", &values.numbers.front());
    return pdh;
  }

  void compare_instances(const CounterSchema& counter,
                         const std::array<std::optional<PdhOfCounter>, 2>& pdh) {
    for (std::size_t i = 0; i < pdh.size(); ++i) {
      if (!pdh[i]) continue;
      for (const auto& [instance, row] : moments_[i].before.rows)
        if (moments_[i].has(instance) && !pdh[i]->raw.items.contains(instance))
          report(&counter, instance, "instance only here", "there", "missing");
      for (const auto& [instance, item] : pdh[i]->raw.items)
        if (moments_[i].has_never(instance))
          report(&counter, instance, "instance only in PDH", "missing", "there");
      for (const auto& [instance, item] : pdh[i]->numbers.items)
        if (moments_[i].has_never(instance))
          report(&counter, instance, "instance only in PDH", "missing", "there");
    }
  }

  void compare_cells(const CounterSchema& counter,
                     const std::array<std::optional<PdhOfCounter>, 2>& pdh,
                     std::optional<std::int64_t> time_base) {
    std::set<std::string> instances;
    for (const Moment& moment : moments_)
      for (const auto& [instance, row] : moment.before.rows)
        if (moment.has(instance)) instances.insert(instance);
    for (const std::string& instance : instances) {
      PdhCell cell{
          .counter = counter,
          .widths = {.bytes = counter.size, .base_bytes = counter.has_base ? counter.base_size : 0},
          .time_base = time_base,
          .moments = {}};
      for (std::size_t i = 0; i < pdh.size(); ++i)
        if (moments_[i].has(instance) && pdh[i])
          cell.moments[i] = cell_moment(counter, instance, i, *pdh[i]);
      compare_cell(cell, instance);
    }
  }

  CellMoment cell_moment(const CounterSchema& counter, const std::string& instance,
                         std::size_t moment, const PdhOfCounter& pdh) {
    CellMoment cell{.before = moments_[moment].before.reading(instance, counter.name),
                    .after = moments_[moment].after.reading(instance, counter.name)};
    if (const auto raw = pdh.raw.items.find(instance); raw != pdh.raw.items.end())
      cell.raw = raw->second->raw;
    if (pdh.number_status != 0)
      cell.number = PdhNumber{.status = pdh.number_status};
    else if (const auto number = pdh.numbers.items.find(instance);
             number != pdh.numbers.items.end())
      cell.number = number->second->number;
    else if ((moment != 0 || !counter.info().needs_previous) && cell.raw &&
             is_valid_pdh(cell.raw->status))
      report(&counter, instance, "number missing", "a value", "no number");
    return cell;
  }

  void compare_cell(const PdhCell& cell, const std::string& instance) {
    const CellVerdict verdict = judge_cell(cell);
    result_.compared += verdict.compared;
    result_.moving += verdict.moving;
    for (const std::string_view reason : verdict.known)
      note_known(to_string(cell.counter.type), reason);
    if (verdict.findings.empty()) return;
    if (const auto reason = known_to_follow_reader(schema_.name, cell.counter.name))
      return note_known(to_string(cell.counter.type), *reason);
    for (const CellFinding& finding : verdict.findings)
      report(&cell.counter, instance, finding.what, finding.ours, finding.pdh,
             {cell.moments.begin(), cell.moments.end()});
  }

  const std::array<Moment, 2> moments_;
  const CountersetSchema& schema_;
  const PdhRecord& pdh_;
  const ReadingProcesses& readers_;
  std::set<std::tuple<std::string, std::string, std::string>> reported_;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;
  PdhComparison result_;
};

}  // namespace

PdhPlan pdh_plan(const CountersetSchema& schema) {
  PdhPlan plan{.query = {.object = {.name = schema.name,
                                    .index = value_of(schema.index),
                                    .has_instances = schema.multi_instance},
                         .counters = {}},
               .widths = {}};
  std::set<std::string_view> names;
  for (const CounterSchema& counter : schema.counters) {
    if (!names.insert(counter.name).second) continue;
    plan.query.counters.push_back({.name = counter.name, .index = value_of(counter.index)});
    plan.widths.push_back(
        {.bytes = counter.size, .base_bytes = counter.has_base ? counter.base_size : 0});
  }
  return plan;
}

PdhComparison compare_with_pdh(const OurMoment& first, const OurMoment& second,
                               const PdhRecord& pdh, const ReadingProcesses& readers) {
  return PdhComparer(first, second, pdh, readers).run();
}

}  // namespace winperf

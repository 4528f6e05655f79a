#include "collectors/pdh/pdh_verifier.h"

#include <algorithm>
#include <array>

#include "collectors/pdh/pdh_status.h"
#include "collectors/sampling/rounds.h"

namespace winperf {
namespace {

PlannedCounterset whole_counterset(const std::string& name) {
  return {.label = name, .names = {name}};
}

// Our two readings of one moment.
struct Readings {
  ReadResult before;
  ReadResult after;
};

// What PDH says of a counterset that has no instances.
bool says_no_instances(const Error& error) {
  return error.code == ErrorCode::kOsError && is_without_pdh_instances(error.os_code);
}
bool has_no_rows(const ReadResult& reading) { return reading && reading->sample->rows() == 0; }

void take_problems(std::vector<Error>& problems, ReadResult& reading) {
  const std::vector<Error>& its = problems_of(reading);
  problems.insert(problems.end(), its.begin(), its.end());
}

}  // namespace

VerifiedByPdh PdhVerifier::verify(const std::string& name, const StopToken& stop) {
  VerifiedByPdh result =
      compare_in_rounds(rounds_, clocks_, stop, [&] { return compare_once(name, stop); });
  if (result.record) delivered_.push_back(result.record->items.object);
  return result;
}

VerifiedByPdh PdhVerifier::compare_once(const std::string& name, const StopToken& stop) {
  VerifiedByPdh result{.name = name};
  RegistryReader reader(whole_counterset(name));
  const auto read = [&] {
    ReadResult reading = reader.read(registry_, catalog_, name, stop);
    take_problems(result.problems, reading);
    if (!reading) result.registry_error = reading.error().error;
    return reading;
  };
  const ReadResult first = read();
  if (!first) {
    result.pdh_error = ask_without_ours(name);
    return result;
  }
  const CountersetSchema& schema = *first->sample->schema;
  if (catalog_.objects_named(schema.name).size() > 1) {
    result.not_compared = "PDH finds only one object of that name, and there are several";
    return result;
  }
  PdhPlan plan = pdh_plan(schema);
  PdhRecord record{
      .counterset = name, .query = std::move(plan.query), .widths = std::move(plan.widths)};
  result.pdh_error = open(record);
  std::vector<Readings> moments;
  for (PdhCollection& moment : record.moments) {
    if (result.pdh_error || result.registry_error) break;
    const auto due = clocks_.steady_now() + kCollectionInterval;
    ReadResult before = read();
    auto collected = pdh_.collect();
    moments.push_back({.before = std::move(before), .after = read()});
    if (collected)
      moment = *std::move(collected);
    else
      result.pdh_error = collected.error();
    if (moments.size() < record.moments.size()) clocks_.pause_until(due, stop);
  }
  pdh_.close();
  if (result.pdh_error && says_no_instances(*result.pdh_error)) {
    const bool is_empty = has_no_rows(first) && has_no_rows(read()) &&
                          std::ranges::all_of(moments, [](const Readings& moment) {
                            return has_no_rows(moment.before) && has_no_rows(moment.after);
                          });
    if (is_empty) result.pdh_error.reset();
    return result;
  }
  if (!result.delivered()) return result;
  result.comparison = compare_with_pdh({*moments[0].before->sample, *moments[0].after->sample},
                                       {*moments[1].before->sample, *moments[1].after->sample},
                                       record, readers_ ? readers_() : ReadingProcesses{});
  result.record = std::move(record);
  return result;
}

std::optional<Error> PdhVerifier::open(PdhRecord& record) {
  auto items = pdh_.items(record.query.object);
  if (!items) return items.error();
  record.items = *std::move(items);
  objects_.push_back(record.items.object);
  auto definitions = pdh_.open(record.query);
  if (!definitions) return definitions.error();
  record.definitions = *std::move(definitions);
  const bool has_any = std::ranges::any_of(
      record.definitions, [](const PdhDefinition& one) { return one.add_status == 0; });
  if (has_any || record.definitions.empty()) return std::nullopt;
  return Error{.code = ErrorCode::kOsError,
               .where = "pdh.open",
               .os_code = record.definitions.front().add_status};
}

PdhObject PdhVerifier::object_called(const std::string& name) const {
  PdhObject object{.name = name};
  const auto found = catalog_.objects_named(name);
  if (found.empty()) return object;
  object.index = value_of(found.front());
  if (const auto english = catalog_.catalog().object_name(found.front()); !english.empty())
    object.name = english;
  return object;
}

std::optional<Error> PdhVerifier::ask_without_ours(const std::string& name) {
  PdhRecord record{.counterset = name, .query = {.object = object_called(name)}};
  const auto items = pdh_.items(record.query.object);
  if (!items) return items.error();
  objects_.push_back(items->object);
  record.query.object.has_instances = !items->instances.empty();
  for (const std::string& counter : items->counters)
    record.query.counters.push_back({.name = counter});
  if (auto error = open(record)) return error;
  const auto collected = pdh_.collect();
  pdh_.close();
  if (!collected) return collected.error();
  const bool has_value = std::ranges::any_of(collected->counters, [](const PdhValues& values) {
    return std::ranges::any_of(
        values.raw, [](const PdhRawItem& item) { return is_valid_pdh(item.raw.status); });
  });
  if (has_value) return std::nullopt;
  return Error{.code = ErrorCode::kNotRunning, .where = kPdhCollect};
}

std::vector<std::string> PdhVerifier::unlisted_among(const std::vector<std::string>& listed) const {
  std::vector<std::string> unlisted = delivered_;
  std::erase_if(unlisted, [&listed](const std::string& object) {
    return std::ranges::find(listed, object) != listed.end();
  });
  return unlisted;
}

void PdhVerifier::leave_out(const std::string& name) {
  const auto found = catalog_.objects_named(name);
  left_out_.insert(left_out_.end(), found.begin(), found.end());
}

std::expected<std::vector<std::string>, Error> PdhVerifier::other_objects() {
  auto objects = pdh_.objects();
  if (!objects) return std::unexpected(objects.error());
  std::erase_if(*objects, [this](const std::string& object) {
    const auto indexes = catalog_.objects_named(object);
    return std::ranges::find(objects_, object) != objects_.end() ||
           std::ranges::find_first_of(indexes, left_out_) != indexes.end();
  });
  return objects;
}

}  // namespace winperf

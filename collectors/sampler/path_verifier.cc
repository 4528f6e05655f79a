#include "collectors/sampler/path_verifier.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/registry/registry_reader.h"
#include "collectors/sampling/rounds.h"

namespace winperf {
namespace {

using Names = std::map<std::string, std::size_t>;

// Positions by display name; "" for the one row of a counterset without instances.
Names rows_of(const CountersetSample& sample) {
  if (!sample.schema->multi_instance) return {{"", 0}};
  Names rows;
  const auto& instances = sample.instances->instances;
  for (std::size_t row = 0; row < instances.size(); ++row)
    rows.emplace(display_name(instances[row]), row);
  return rows;
}

// Positions by name, which for repeated ones ends in "#1", "#2", ...
Names columns_of(const CountersetSample& sample) {
  Names columns;
  std::map<std::string, std::size_t> seen;
  for (std::size_t column = 0; column < sample.columns(); ++column) {
    const std::string& name = sample.schema->counters[column].name;
    const std::size_t repeated = seen[name]++;
    columns.emplace(repeated == 0 ? name : name + '#' + std::to_string(repeated), column);
  }
  return columns;
}

std::optional<std::size_t> find(const Names& names, const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t within(std::uint64_t value, std::uint32_t bytes) {
  return bytes == sizeof(std::uint32_t) ? value & 0xFFFF'FFFF : value;
}

enum class Verdict { kSame, kMoving, kDifferent };

// `bytes`: the narrower of the two paths' widths.
Verdict judge(std::uint64_t before, std::uint64_t between, std::uint64_t after, bool grows,
              std::uint32_t bytes) {
  before = within(before, bytes);
  between = within(between, bytes);
  after = within(after, bytes);
  if (before == after) return between == before ? Verdict::kSame : Verdict::kDifferent;
  if (!grows) return Verdict::kMoving;
  const bool lies_between = within(between - before, bytes) <= within(after - before, bytes);
  return lies_between ? Verdict::kSame : Verdict::kDifferent;
}

class Comparison {
 public:
  Comparison(const CountersetSample& before, const CountersetSample& other,
             const CountersetSample& after, std::string through, bool is_partial)
      : before_(before),
        other_(other),
        after_(after),
        through_(std::move(through)),
        is_partial_(is_partial) {}

  PathComparison run() {
    if (!is_partial_) compare_shape();
    const Names after_columns = columns_of(after_);
    const Names other_columns = columns_of(other_);
    const Names before_columns = columns_of(before_);
    for (const auto& [name, column] : before_columns) {
      const auto now = find(other_columns, name);
      const auto later = find(after_columns, name);
      if (!now) {
        if (!is_partial_) report("", name, "counter only through the registry");
      } else if (later) {
        compare_counter(name, column, *now, *later);
      }
    }
    for (const auto& [name, column] : other_columns)
      if (!before_columns.contains(name)) report("", name, "counter only " + through_);
    return std::move(result_);
  }

 private:
  void report(std::string instance, std::string counter, std::string what,
              std::string registry = {}, std::string other = {}) {
    result_.differences.push_back({std::move(instance), std::move(counter), std::move(what),
                                   std::move(registry), std::move(other)});
  }

  void compare_shape() {
    const bool many = before_.schema->multi_instance;
    if (many != other_.schema->multi_instance)
      report("", "", "instances", many ? "many" : "one", many ? "one" : "many");
    const Names before = rows_of(before_);
    const Names other = rows_of(other_);
    const Names after = rows_of(after_);
    for (const auto& [name, row] : before)
      if (after.contains(name) && !other.contains(name))
        report(name, "", "instance only through the registry");
    for (const auto& [name, row] : other)
      if (!before.contains(name) && !after.contains(name))
        report(name, "", "instance only " + through_);
  }

  void compare_counter(const std::string& name, std::size_t before, std::size_t now,
                       std::size_t after) {
    const CounterSchema& registry = before_.schema->counters[before];
    const CounterSchema& other = other_.schema->counters[now];
    if (!is_partial_) compare_definition(name, registry, other);
    const Names other_rows = rows_of(other_);
    const Names after_rows = rows_of(after_);
    for (const auto& [instance, row] : rows_of(before_)) {
      const auto row_now = find(other_rows, instance);
      const auto row_after = find(after_rows, instance);
      if (!row_now || !row_after) continue;
      compare_cell(instance, name, before_.cell(row, before), other_.cell(*row_now, now),
                   after_.cell(*row_after, after), registry, other);
    }
  }

  void compare_definition(const std::string& name, const CounterSchema& registry,
                          const CounterSchema& other) {
    if (registry.type != other.type)
      report("", name, "type", to_string(registry.type), to_string(other.type));
    if (registry.default_scale != other.default_scale)
      report("", name, "default scale", std::to_string(registry.default_scale),
             std::to_string(other.default_scale));
    if (registry.has_base != other.has_base)
      report("", name, "base", registry.has_base ? "yes" : "none", other.has_base ? "yes" : "none");
  }

  void compare_cell(const std::string& instance, const std::string& name, std::size_t before,
                    std::size_t now, std::size_t after, const CounterSchema& registry,
                    const CounterSchema& other) {
    const NoValue registry_reason = before_.reason[before];
    const NoValue other_reason = other_.reason[now];
    if (!has_raw(registry_reason) || !has_raw(other_reason) || !has_raw(after_.reason[after])) {
      if (!is_partial_ && has_raw(registry_reason) != has_raw(other_reason))
        report(instance, name, "reason", std::string(name_of(registry_reason)),
               std::string(name_of(other_reason)));
      return;
    }
    const bool grows = registry.info().exposition == Exposition::kCounter;
    note(instance, name, "raw value",
         judge(before_.raw[before], other_.raw[now], after_.raw[after], grows,
               std::min(registry.size, other.size)),
         raw_text(registry, before_.raw[before]), raw_text(registry, after_.raw[after]),
         raw_text(other, other_.raw[now]));
    if (!registry.has_base || !other.has_base) return;
    note(instance, name, "base",
         judge(before_.base_at(before), other_.base_at(now), after_.base_at(after), grows,
               std::min(registry.base_size, other.base_size)),
         std::to_string(before_.base_at(before)), std::to_string(after_.base_at(after)),
         std::to_string(other_.base_at(now)));
  }

  void note(const std::string& instance, const std::string& name, const char* what, Verdict verdict,
            const std::string& before, const std::string& after, const std::string& other) {
    ++result_.compared;
    if (verdict == Verdict::kMoving) ++result_.moving;
    if (verdict != Verdict::kDifferent) return;
    report(instance, name, what, after == before ? before : before + " to " + after, other);
  }

  const CountersetSample& before_;
  const CountersetSample& other_;
  const CountersetSample& after_;
  const std::string through_;
  const bool is_partial_;
  PathComparison result_;
};

}  // namespace

PathComparison compare_paths(const CountersetSample& registry_before, const CountersetSample& other,
                             const CountersetSample& registry_after, std::string through,
                             bool is_partial) {
  return Comparison(registry_before, other, registry_after, std::move(through), is_partial).run();
}

namespace {

PlannedCounterset planned(const std::string& name) { return {.label = name, .names = {name}}; }

}  // namespace

VerifiedCounterset PathVerifier::verify(const std::string& name, StopToken stop) {
  return compare_in_rounds(rounds_, clocks_, stop, [&] { return compare_once(name, stop); });
}

VerifiedCounterset PathVerifier::compare_once(const std::string& name, StopToken stop) {
  RegistryReader registry(planned(name));
  VerifiedCounterset result;
  result.name = name;

  ReadResult before = registry.read(registry_, catalog_, name, stop);
  ReadResult between = other_.read(name, stop);
  ReadResult after = registry.read(registry_, catalog_, name, stop);

  for (ReadResult* const reading : {&before, &between, &after})
    result.problems.insert(result.problems.end(), problems_of(*reading).begin(),
                           problems_of(*reading).end());
  if (!before) result.registry_error = before.error().error;
  if (before && !after) result.registry_error = after.error().error;
  if (!between) result.other_error = between.error().error;
  if (result.delivered())
    result.comparison = compare_paths(*before->sample, *between->sample, *after->sample,
                                      other_.through, other_.is_partial);
  return result;
}

OtherPath via_perflib(PerflibConnection& perflib, const ClockSource& clocks) {
  return {.through = "via PerfLib",
          .read =
              [&perflib, clocks](const std::string& name, const auto&) {
                PerflibReader reader(planned(name));
                perflib.begin_round(clocks.steady_now());
                ReadResult result = reader.read(perflib, name);
                reader.stop(perflib);
                return result;
              },
          .is_partial = false};
}

OtherPath via_hosts(CounterSource& hosts, CatalogKeeper& catalog) {
  return {.through = "via its host",
          .read =
              [&hosts, &catalog](const std::string& name, const StopToken& stop) {
                return RegistryReader(planned(name)).read(hosts, catalog, name, stop);
              },
          .is_partial = false};
}

}  // namespace winperf

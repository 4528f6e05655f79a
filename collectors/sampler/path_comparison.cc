#include "collectors/sampler/path_comparison.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

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
  Comparison(const CountersetSample& before, const CountersetSample& perflib,
             const CountersetSample& after)
      : before_(before), perflib_(perflib), after_(after) {}

  PathComparison run() {
    compare_shape();
    const Names after_columns = columns_of(after_);
    const Names perflib_columns = columns_of(perflib_);
    for (const auto& [name, column] : columns_of(before_)) {
      const auto now = find(perflib_columns, name);
      const auto later = find(after_columns, name);
      if (!now) {
        report("", name, "counter only through the registry");
      } else if (later) {
        compare_counter(name, column, *now, *later);
      }
    }
    for (const auto& [name, column] : perflib_columns)
      if (!find(columns_of(before_), name)) report("", name, "counter only via PerfLib");
    return std::move(result_);
  }

 private:
  void report(std::string instance, std::string counter, std::string what,
              std::string registry = {}, std::string perflib = {}) {
    result_.differences.push_back({std::move(instance), std::move(counter), std::move(what),
                                   std::move(registry), std::move(perflib)});
  }

  void compare_shape() {
    const bool many = before_.schema->multi_instance;
    if (many != perflib_.schema->multi_instance)
      report("", "", "instances", many ? "many" : "one", many ? "one" : "many");
    const Names before = rows_of(before_);
    const Names perflib = rows_of(perflib_);
    const Names after = rows_of(after_);
    for (const auto& [name, row] : before)
      if (find(after, name) && !find(perflib, name))
        report(name, "", "instance only through the registry");
    for (const auto& [name, row] : perflib)
      if (!find(before, name) && !find(after, name)) report(name, "", "instance only via PerfLib");
  }

  void compare_counter(const std::string& name, std::size_t before, std::size_t now,
                       std::size_t after) {
    const CounterSchema& registry = before_.schema->counters[before];
    const CounterSchema& perflib = perflib_.schema->counters[now];
    if (registry.type != perflib.type)
      report("", name, "type", to_string(registry.type), to_string(perflib.type));
    if (registry.default_scale != perflib.default_scale)
      report("", name, "default scale", std::to_string(registry.default_scale),
             std::to_string(perflib.default_scale));
    if (registry.has_base != perflib.has_base)
      report("", name, "base", registry.has_base ? "yes" : "none",
             perflib.has_base ? "yes" : "none");
    const Names perflib_rows = rows_of(perflib_);
    const Names after_rows = rows_of(after_);
    for (const auto& [instance, row] : rows_of(before_)) {
      const auto row_now = find(perflib_rows, instance);
      const auto row_after = find(after_rows, instance);
      if (!row_now || !row_after) continue;
      compare_cell(instance, name, before_.cell(row, before), perflib_.cell(*row_now, now),
                   after_.cell(*row_after, after), registry, perflib);
    }
  }

  void compare_cell(const std::string& instance, const std::string& name, std::size_t before,
                    std::size_t now, std::size_t after, const CounterSchema& registry,
                    const CounterSchema& perflib) {
    const NoValue registry_reason = before_.reason[before];
    const NoValue perflib_reason = perflib_.reason[now];
    if (!has_raw(registry_reason) || !has_raw(perflib_reason) || !has_raw(after_.reason[after])) {
      const bool same = has_raw(registry_reason) == has_raw(perflib_reason);
      if (!same)
        report(instance, name, "reason", std::string(name_of(registry_reason)),
               std::string(name_of(perflib_reason)));
      return;
    }
    const bool grows = registry.info().exposition == Exposition::kCounter;
    note(instance, name, "raw value",
         judge(before_.raw[before], perflib_.raw[now], after_.raw[after], grows,
               std::min(registry.size, perflib.size)),
         before_.raw[before], after_.raw[after], perflib_.raw[now]);
    if (!registry.has_base || !perflib.has_base) return;
    note(instance, name, "base",
         judge(before_.base[before], perflib_.base[now], after_.base[after], grows,
               std::min(registry.base_size, perflib.base_size)),
         before_.base[before], after_.base[after], perflib_.base[now]);
  }

  void note(const std::string& instance, const std::string& name, const char* what, Verdict verdict,
            std::uint64_t before, std::uint64_t after, std::uint64_t perflib) {
    ++result_.compared;
    if (verdict == Verdict::kMoving) ++result_.moving;
    if (verdict != Verdict::kDifferent) return;
    std::string registry = std::to_string(before);
    if (after != before) registry += " to " + std::to_string(after);
    report(instance, name, what, std::move(registry), std::to_string(perflib));
  }

  const CountersetSample& before_;
  const CountersetSample& perflib_;
  const CountersetSample& after_;
  PathComparison result_;
};

}  // namespace

PathComparison compare_paths(const CountersetSample& registry_before,
                             const CountersetSample& perflib,
                             const CountersetSample& registry_after) {
  return Comparison(registry_before, perflib, registry_after).run();
}

}  // namespace winperf

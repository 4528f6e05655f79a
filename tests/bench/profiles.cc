// What windows_exporter's names cost beside this program's own: as many processes as give 20,000
// series by the latter alone.
#include <cstdio>
#include <string>
#include <string_view>

#include "exporter/profiles/profile.h"
#include "exporter/text/sample_writer.h"
#include "tests/bench/bench.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"

namespace winperf::testing {
namespace {

constexpr std::uint64_t kSeries = 20'000;

std::uint32_t type_of(std::string_view name) {
  if (name == "Elapsed Time") return kElapsedTime;
  if (name.starts_with('%')) return k100nsTimer;
  return name.ends_with("/sec") ? kBulkCount : kLargeRawCount;
}

// With the counters that windows_exporter reads.
CountersetSchema process_schema() {
  std::vector<CounterSchema> counters;
  for (const ProfileBlock& block : profile_blocks(MetricProfile::kWindowsExporter))
    if (block.collector == "process")
      for (const ProfileRow& row : block.rows)
        counters.push_back(counter(std::string(row.counter), type_of(row.counter),
                                   static_cast<std::uint32_t>(2 * counters.size() + 6)));
  return object("Process", std::move(counters), true, 230);
}

std::shared_ptr<Sample> sample_of(std::uint64_t processes) {
  std::vector<InstanceSchema> instances;
  for (std::uint32_t process = 0; process < processes; ++process) {
    instances.push_back(instance("service" + std::to_string(process), process));
    instances.back().process_id = 1000 + process;
  }
  CountersetSample values_of = values(process_schema(), std::move(instances));
  for (std::size_t cell = 0; cell < values_of.raw.size(); ++cell) {
    values_of.raw[cell] = 1'000'000 + cell;
    totals(values_of)[cell] = values_of.raw[cell];
    values_of.cooked[cell] = static_cast<double>(1'000'000 + cell);
  }
  return sample(1, {state("Process", std::move(values_of))});
}

std::uint64_t series_of(const Sample& sample, const MappingOptions& options) {
  std::string page;
  return SampleWriter(options).append(page, sample).front().series;
}

// The smallest number of processes.
std::shared_ptr<Sample> large_sample() {
  const std::uint64_t of_one = series_of(*sample_of(1), {});
  return sample_of((kSeries + of_one - 1) / of_one);
}

}  // namespace

bool measure_profiles(std::chrono::milliseconds least) {
  using enum MetricProfile;
  const std::shared_ptr<const Sample> processes = large_sample();
  MappingOptions own;
  MappingOptions both;
  both.profiles = {kWinperf, kWindowsExporter};
  const std::uint64_t own_series = series_of(*processes, own);
  const std::uint64_t all_series = series_of(*processes, both);
  std::printf("%llu series by our own names, %llu with windows_exporter's\n",
              static_cast<unsigned long long>(own_series),
              static_cast<unsigned long long>(all_series));
  std::string page;
  const auto write_with = [&](SampleWriter& writer) {
    page.clear();
    writer.append(page, *processes);
    return page.size();
  };
  SampleWriter own_writer(own);
  SampleWriter writer(both);
  bool good = own_series >= kSeries && all_series > own_series;
  good &= measure("write a page, our own names", least, [&] { return write_with(own_writer); });
  good &= measure("and windows_exporter's", least, [&] { return write_with(writer); });
  good &= measure("the same, names not known yet", least, [&] {
    SampleWriter fresh(both);
    return write_with(fresh);
  });
  return good;
}

}  // namespace winperf::testing

// The page is, byte for byte, what prometheus-cpp's TextSerializer makes of the same families, as
// far as that one is right: it doesn't escape HELP, and it writes 16 digits of a double, where the
// shortest text that reads back may have more.
#include <gmock/gmock.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "exporter/text/metrics_page.h"
#include "exporter/text/own_families.h"
#include "exporter/text/sample_writer.h"
#include "tests/exporter/support/own_series.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/sample_arrays.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      plain += text[i];
    } else {
      const char next = text[++i];
      plain += next == 'n' ? '\n' : next;
    }
  }
  return plain;
}

prometheus::ClientMetric metric_of(const std::smatch& line, prometheus::MetricType type) {
  prometheus::ClientMetric metric;
  const std::string labels = line[2];
  const std::regex label(R"re((\w+)="((?:[^"\\]|\\.)*)")re");
  for (std::sregex_iterator match(labels.begin(), labels.end(), label), end; match != end; ++match)
    metric.label.push_back({(*match)[1], unescaped((*match)[2].str())});
  const double value = std::stod(line[3]);
  (type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return metric;
}

// Reads a page back. HELP stays as it is written.
std::vector<prometheus::MetricFamily> read_families(const std::string& page) {
  std::vector<prometheus::MetricFamily> families;
  std::istringstream in(page);
  const std::regex series(R"((\w+)(?:\{(.*)\})? (\S+))");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string mark, what, name, rest;
    words >> mark >> what >> name;
    std::getline(words >> std::ws, rest);
    std::smatch match;
    if (line.starts_with("# HELP ")) {
      families.push_back({.name = name, .help = rest, .type = {}, .metric = {}});
    } else if (line.starts_with("# TYPE ")) {
      families.back().type =
          rest == "counter" ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge;
    } else if (std::regex_match(line, match, series)) {
      EXPECT_EQ(match[1], families.back().name);
      families.back().metric.push_back(metric_of(match, families.back().type));
    } else {
      ADD_FAILURE() << "not a line of the format: " << line;
    }
  }
  return families;
}

std::string serialized(const std::vector<prometheus::MetricFamily>& families) {
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return out.str();
}

// Values that 16 digits hold: whole numbers, and quarters. Totals have so few zeros at the end that
// both write them without an exponent.
std::shared_ptr<Sample> random_sample(std::mt19937& random) {
  const std::uint32_t types[]{kRawCount, kBulkCount, kAverageTimer, kSampleFraction, kQueueLength};
  std::vector<CountersetState> states;
  for (const char* name : {"LogicalDisk", "Memory", "Thing \"q\"\\", "TCPv4", "TCPv6"}) {
    std::vector<CounterSchema> counters;
    for (const std::uint32_t type : types)
      counters.push_back(counter("Number " + std::to_string(counters.size()), type));
    counters.push_back(counter("Disk Reads/sec", kBulkCount));
    counters.push_back(counter("Disk Writes/sec", kBulkCount));
    const bool multi = random() % 2 == 0;
    CountersetSample sample = values(object(name, counters, multi),
                                     {instance("C:", 0), instance("a\n\"b\"\\c\xC3\xA9", 1)});
    for (std::size_t i = 0; i < sample.raw.size(); ++i) {
      sample.raw[i] = random() % 1'000'000 + 1;
      testing::totals(sample)[i] = std::uint64_t{random() % 1'000'000 | 1U} * 10'000'000;
      testing::bases(sample)[i] = testing::base_totals(sample)[i] = random() % 1'000;
      sample.cooked[i] = static_cast<double>(random() % 4'000) / 4;
    }
    states.push_back(state(name, sample));
  }
  return sample(1, std::move(states));
}

TEST(TextSerializer_OfTheSameFamilies, WritesTheSamePage) {
  std::mt19937 random(1);  // NOLINT: the same numbers in each run
  for (std::size_t round = 0; round < testing::tried(6, 20); ++round) {
    std::string page;
    std::size_t written = 0, read = 0;
    for (const CountersetCounts& counts :
         SampleWriter(MappingOptions{}).append(page, *random_sample(random)))
      written += counts.series;
    const auto families = read_families(page);
    EXPECT_GT(families.size(), 30U);
    for (const auto& family : families) read += family.metric.size();
    EXPECT_EQ(read, written);
    EXPECT_EQ(serialized(families), page);
  }
}

TEST(TextSerializer_OfTheExportersOwnFamilies, WritesTheSame) {
  ExporterRegistry registry({"1.2.3", "a\"b\\c", "gcc", "linux", "x86_64"},
                            Ticks100ns{kUnixEpoch100ns},
                            [] { return ProcessFacts{.cpu_seconds = 2.5, .open_handles = 7}; });
  registry.count_request("/metrics", 200);
  const auto families = testing::collected(registry.metrics());
  std::string page;
  append_own(page, PageFormat::kText, registry.metrics());
  EXPECT_EQ(serialized(families), page);
}

}  // namespace
}  // namespace winperf

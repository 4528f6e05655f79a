// A log of single and wildcard counters that a real Windows wrote, against what Microsoft's own
// tools make of it (relog's CSV): every value of every sample, and its time.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <regex>

#include "collectors/base/ascii.h"
#include "collectors/blg/log_source.h"
#include "collectors/catalog/catalog.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "exporter/json/json_text.h"
#include "tests/support/captures.h"

namespace winperf::blg {
namespace {

using Row = std::vector<std::string>;

// The cells of a line, in which everything is quoted.
Row csv_cells(const std::string& line) {
  static const std::regex kCell("\"([^\"]*)\"");
  Row cells;
  for (std::sregex_iterator cell(line.begin(), line.end(), kCell), end; cell != end; ++cell)
    cells.push_back((*cell)[1]);
  return cells;
}

class RecordedCounters : public testing::CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    if (IsSkipped()) return;
    const std::filesystem::path log = captures_ / "blg" / "pdh-log-2016.blg";
    std::ifstream csv(captures_ / "blg" / "pdh-log-2016.csv");
    if (!std::filesystem::exists(log) || !csv)
      GTEST_SKIP() << "NO RECORDED LOG OF COUNTERS at " << log << " WITH A CSV BESIDE IT";
    for (std::string line; std::getline(csv, line);) rows_.push_back(csv_cells(line));
    auto machines = BlgSource::open(log);
    ASSERT_TRUE(machines) << machines.error().text;
    ASSERT_EQ(machines->size(), 1U);
    log_ = std::move(machines->front());
  }

  std::unique_ptr<BlgSource> log_;
  std::vector<Row> rows_;  // the first one has the paths
};

std::string lower(std::string text) { return ascii_lower(text); }

// "\\machine\object(instance)\counter", as relog writes it.
std::string path_of(const CountersetSample& sample, std::size_t row, std::size_t column) {
  std::string path = "\\\\examplehost01\\" + sample.schema->name;
  if (sample.schema->multi_instance)
    path += '(' + display_name(sample.instances->instances[row]) + ')';
  return lower(path + '\\' + sample.schema->counters[column].name);
}

// By path; nothing for a counter without a value.
using Values = std::map<std::string, std::optional<double>>;

Values values_of(const std::vector<std::shared_ptr<const CountersetSample>>& samples) {
  Values values;
  for (const auto& sample : samples) {
    for (std::size_t row = 0; row < sample->rows(); ++row) {
      for (std::size_t column = 0; column < sample->columns(); ++column) {
        const std::size_t cell = sample->cell(row, column);
        values[path_of(*sample, row, column)] = sample->reason[cell] == NoValue::kNone
                                                    ? std::optional(sample->cooked[cell])
                                                    : std::nullopt;
      }
    }
  }
  return values;
}

TEST_F(RecordedCounters, AgreeWithMicrosoftsOwnCookedValues) {
  const CatalogKeeper catalog(*log_, Language::kEnglish, {});
  ObjectSampler sampler;
  const Row& paths = rows_.at(0);
  ASSERT_EQ(paths.size(), 11U);
  ASSERT_EQ(rows_.size(), 26U);
  std::size_t compared = 0;
  for (std::size_t sample = 1; sample < rows_.size(); ++sample) {
    const auto reply = log_->query("Global", {});
    ASSERT_TRUE(reply) << sample;
    const SampledObjects taken = sampler.take(*reply, catalog.catalog(), catalog.generation(), {});
    const Values values = values_of(taken.samples);
    EXPECT_TRUE(taken.problems.empty());
    EXPECT_EQ(values.size(), 10U);
    for (std::size_t column = 1; column < paths.size(); ++column) {
      const std::string what = paths[column] + " of sample " + std::to_string(sample);
      const auto ours = values.find(lower(paths[column]));
      ASSERT_NE(ours, values.end()) << what;
      const std::string& theirs = rows_[sample].at(column);
      ASSERT_EQ(ours->second.has_value(), theirs != " ") << what;
      if (theirs == " ") continue;
      const double expected = std::stod(theirs);
      EXPECT_LE(std::abs(*ours->second - expected), 1e-12 * std::abs(expected)) << what;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 242U) << "24 samples of 10 counters, and 2 that need no sample before";
  const auto end = log_->query("Global", {});
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::kEndOfCapture);
}

TEST_F(RecordedCounters, HaveTheTimesOfTheCsvInUtc) {
  const auto reply = log_->query("Global", {});
  ASSERT_TRUE(reply && reply->time);
  ASSERT_EQ(rows_.at(1).at(0), "11/26/2016 13:46:30.874") << "Pacific Standard Time";
  std::string time;
  json::append_time(time, *reply->time);
  EXPECT_EQ(time, "\"2016-11-26T21:46:30.8740000Z\"");
}

TEST_F(RecordedCounters, AreReadToTheLastByteWithoutAProblem) {
  EXPECT_EQ(describe(log_->summary()),
            "25 samples of 6 counters (such as \\\\examplehost01\\network interface(*)\\bytes "
            "total/sec): 250 values");
  EXPECT_EQ(describe_losses(log_->summary()), "");
}

}  // namespace
}  // namespace winperf::blg

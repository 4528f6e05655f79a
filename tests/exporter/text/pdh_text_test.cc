#include "exporter/text/pdh_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using testing::counter;
using testing::instance;
using testing::kLargeRawCount;
using testing::kSampledAt;
using testing::object;
using testing::values;

using Samples = std::vector<std::shared_ptr<const CountersetSample>>;

PdhText writer(PdhSeparator separator = PdhSeparator::kComma, std::string host = "HOST") {
  return {separator, std::move(host), [](Ticks100ns) { return std::chrono::hours(2); }};
}

CountersetSample disks(std::vector<std::string> names, double first) {
  std::vector<InstanceSchema> instances;
  for (const std::string& name : names)
    instances.push_back(instance(name, static_cast<std::uint32_t>(instances.size())));
  auto sample = values(object("LogicalDisk", {counter("Free Megabytes", kLargeRawCount)}, true),
                       std::move(instances));
  for (double& value : sample.cooked) value = first++;
  return sample;
}

Samples of(CountersetSample sample) {
  return {std::make_shared<const CountersetSample>(std::move(sample))};
}

std::string rows_of(PdhText& text, const Samples& samples) {
  std::string out;
  text.append(out, samples, kSampledAt);
  return out;
}

TEST(PdhText, HasTypeperfsHeadingAndRows) {
  auto text = writer();
  Samples samples = of(disks({"C:", "D:"}, 1.5));
  samples.push_back(of(values(object("Memory", {counter("Available Bytes", kLargeRawCount)})))[0]);
  EXPECT_EQ(rows_of(text, samples),
            "\"(PDH-CSV 4.0)\",\"\\\\HOST\\LogicalDisk(C:)\\Free Megabytes\","
            "\"\\\\HOST\\LogicalDisk(D:)\\Free Megabytes\",\"\\\\HOST\\Memory\\Available Bytes\"\n"
            "\"08/14/2007 17:41:38.614\",\"1.500000\",\"2.500000\",\"0.000000\"\n");
  EXPECT_EQ(rows_of(text, samples),
            "\"08/14/2007 17:41:38.614\",\"1.500000\",\"2.500000\",\"0.000000\"\n");
}

TEST(PdhText, SeparatesByTabs) {
  auto text = writer(PdhSeparator::kTab, "");
  EXPECT_EQ(rows_of(text, of(disks({"C:"}, 1))),
            "\"(PDH-TSV 4.0)\"\t\"\\LogicalDisk(C:)\\Free Megabytes\"\n"
            "\"08/14/2007 17:41:38.614\"\t\"1.000000\"\n");
}

TEST(PdhText, ColumnsAreThoseOfTheFirstSample) {
  auto text = writer();
  rows_of(text, of(disks({"C:", "D:"}, 1)));
  EXPECT_EQ(rows_of(text, of(disks({"D:", "E:"}, 7))),
            "\"08/14/2007 17:41:38.614\",\" \",\"7.000000\"\n");
  EXPECT_EQ(text.values_without_column(), 1U);
}

TEST(PdhText, AValueThatIsNoneIsABlank) {
  auto text = writer();
  CountersetSample sample = disks({"C:"}, 1);
  sample.reason[0] = NoValue::kFirstSample;
  EXPECT_TRUE(rows_of(text, of(sample)).ends_with(",\" \"\n"));
}

TEST(PdhText, ANameBreaksNoRow) {
  auto text = writer(PdhSeparator::kComma, "");
  EXPECT_TRUE(
      rows_of(text, of(disks({"a\"b\r\nc,d"}, 1)))
          .starts_with("\"(PDH-CSV 4.0)\",\"\\LogicalDisk(a\"\"b??c,d)\\Free Megabytes\"\n"));
}

TEST(PdhText, TheLargestNumberFits) {
  auto text = writer();
  CountersetSample sample = disks({"C:"}, std::numeric_limits<double>::max());
  EXPECT_GT(rows_of(text, of(sample)).size(), 309U);
}

}  // namespace
}  // namespace winperf

// The whole name table of a real Windows, mapped as counters and as objects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "exporter/mapping/counter_name.h"
#include "exporter/mapping/object_mapping.h"
#include "tests/exporter/support/name_lint.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

// The distinct names of a counter-009.bin: UTF-16 pairs of number and name. Real tables of language
// 009 are ASCII; anything else becomes a question mark here.
std::vector<std::string> recorded_names() {
  const char* captures = std::getenv("WINPERF_CAPTURES");
  if (captures == nullptr) return {};
  std::ifstream file(std::string(captures) + "/vista-6000/counter-009.bin", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> texts(1);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (bytes[i] == 0 && bytes[i + 1] == 0) {
      texts.emplace_back();
    } else {
      texts.back() += bytes[i + 1] == 0 ? bytes[i] : '?';
    }
  }
  std::set<std::string> names;
  for (std::size_t i = 1; i < texts.size(); i += 2) {
    if (!texts[i].empty()) names.insert(texts[i]);
  }
  return {names.begin(), names.end()};
}

class RealNames : public ::testing::Test {
 protected:
  void SetUp() override {
    names_ = recorded_names();
    if (names_.empty()) GTEST_SKIP() << "no recorded name table: WINPERF_CAPTURES has none";
    ASSERT_GT(names_.size(), 1400U);
  }

  CountersetSchema as_counters(std::uint32_t type) const {
    CountersetSchema schema = object("Object", {});
    std::uint32_t index = 2;
    for (const std::string& name : names_)
      schema.counters.push_back(counter(name, type, index += 2));
    return schema;
  }

  static std::vector<std::string> resolved(const ObjectMapping& mapping) {
    std::vector<const FamilyMapping*> families;
    for (const FamilyMapping& family : mapping.families) families.push_back(&family);
    return resolve_name_clashes(families);
  }

  static void expect_clean(const ObjectMapping& mapping, const std::vector<std::string>& names) {
    std::set<std::string> keys;  // TCPv4 and TCPv6 share their families
    for (const FamilyMapping& family : mapping.families) keys.insert(family.key + family.suffix);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), keys.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(lint_name(names[i], mapping.families[i].type), "")
          << names[i] << " of " << mapping.families[i].key;
    }
  }

  std::vector<std::string> names_;
};

TEST_F(RealNames, AsCountersOfEveryTypeAreDistinctLegalAndLintCleanAndSeldomNeedAHash) {
  const std::vector<std::uint32_t> types = metric_types();
  for (std::size_t at = 0; at < types.size(); at += testing::tried_every(7)) {
    SCOPED_TRACE(to_string(CounterType{types[at]}));
    const ObjectMapping mapping = map_object(as_counters(types[at]), {});
    EXPECT_GE(mapping.families.size(), names_.size());
    const auto names = resolved(mapping);
    expect_clean(mapping, names);
    std::size_t hashed = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != mapping.families[i].stem + mapping.families[i].suffix) ++hashed;
    }
    // Hundreds of objects share this one table; "Frames Received" alone is there four times.
    EXPECT_LT(hashed, names.size() / 10);
  }
}

TEST_F(RealNames, AsObjectsAreDistinctLegalAndLintClean) {
  ObjectMapping all;
  for (const std::string& name : names_) {
    const ObjectMapping one = map_object(object(name, {counter("Pages/sec", kBulkCount)}), {});
    all.families.push_back(one.families.at(0));
  }
  expect_clean(all, resolved(all));
}

TEST_F(RealNames, AreTheSameInAnyOrderAndWithOtherIndices) {
  CountersetSchema schema = as_counters(kBulkCount);
  const auto names = resolved(map_object(schema, {.values = MetricValues::kRaw}));
  std::reverse(schema.counters.begin(), schema.counters.end());
  for (CounterSchema& each : schema.counters) {
    each.index = CounterIndex{value_of(each.index) + 5000};
  }
  auto reversed = resolved(map_object(schema, {.values = MetricValues::kRaw}));
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(names, reversed);
}

}  // namespace
}  // namespace winperf

#include "collectors/facts/fact_table.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/thorough.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;

FactTable table_of(std::string_view text) {
  const auto table = parse_fact_text(text);
  EXPECT_TRUE(table) << describe(table.error());
  return table.value_or(FactTable{});
}

ErrorCode refusal_of(std::string_view text) {
  const auto table = parse_fact_text(text);
  EXPECT_FALSE(table) << text;
  return table ? ErrorCode::kOsError : table.error().code;
}

TEST(FactTable, AsTextIsReadAsTheSameTable) {
  FactTable table;
  table.add().text("name", "Sp\"ooler\n").number("process_id", 4294967295.0).number("x", -0.5);
  table.add();
  table.problems = {"one", "two"};
  FactTable read = table_of(fact_text(table));
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].text_of("name"), "Sp\"ooler\n");
  EXPECT_EQ(read.rows[0].text_of("process_id"), "4294967295");
  EXPECT_EQ(std::get<double>(*read.rows[0].find("x")), -0.5);
  EXPECT_TRUE(read.rows[1].fields().empty());
  EXPECT_THAT(read.problems, ElementsAre("one", "two"));
}

TEST(FactTable, AFieldThatIsMissing_IsNeitherTextNorZero) {
  const FactRow row;
  EXPECT_EQ(row.find("name"), nullptr);
  EXPECT_EQ(row.text_of("name"), "");
}

TEST(FactTable, TextThatIsNotUtf8_KeepsWhatIs) {
  FactRow row;
  row.text("name",
           "a\xff"
           "b");
  EXPECT_EQ(row.text_of("name"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(FactTable, WhatIsNoTable_IsRefused) {
  for (const char* const text :
       {"", "[]", "1", "{", "{\"rows\": 1}", "{\"rows\": [1]}", "{\"rows\": [{\"a\": null}]}",
        "{\"rows\": [{\"a\": [1]}]}", "{\"rows\": [{\"a\": {\"b\": {\"c\": {}}}}]}",
        "{\"rows\": [{\"a\": true}]}", "{\"problems\": [1]}", "{\"rows\": [{\"a\": \"\xff\"}]}"})
    EXPECT_EQ(refusal_of(text), ErrorCode::kBadText) << text;
}

TEST(FactTable, HoweverDeepItNests_ItIsRefused) {
  const std::size_t levels = testing::tried(100'000, 1'000'000);
  const std::string deep = std::string(levels, '[') + std::string(levels, ']');
  EXPECT_EQ(refusal_of("{\"rows\":[" + deep + "]}"), ErrorCode::kBadText);
  EXPECT_EQ(refusal_of("{\"rows\":[{\"a\":" + deep + "}]}"), ErrorCode::kBadText);
  EXPECT_EQ(refusal_of("{\"rows\":[" + std::string(levels, '[')), ErrorCode::kBadText);
}

TEST(FactTable, TooMuchOfAnything_IsRefused) {
  std::string row = "{";
  for (std::size_t i = 0; i <= kMaxFactFields; ++i)
    row += (i == 0 ? "\"f" : ",\"f") + std::to_string(i) + "\":1";
  EXPECT_EQ(refusal_of("{\"rows\":[" + row + "}]}"), ErrorCode::kLimitExceeded);
  std::string rows = "{}";
  for (std::size_t i = 0; i < kMaxFactRows; ++i) rows += ",{}";
  EXPECT_EQ(refusal_of("{\"rows\":[" + rows + "]}"), ErrorCode::kLimitExceeded);
}

TEST(FactTable, MoreProblemsThanAreKept_AreCountedInTheLast) {
  FactTable table;
  table.problems.assign(kMaxFactProblems + 5, "p");
  const FactTable read = table_of(fact_text(table));
  EXPECT_EQ(read.problems.size(), kMaxFactProblems);
  EXPECT_EQ(read.problems.back(), "6 more");
}

}  // namespace
}  // namespace winperf

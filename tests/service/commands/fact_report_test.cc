#include "service/commands/fact_report.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace winperf {
namespace {

FactState read_state(FactTopic topic, FactTable table) {
  return {.topic = topic,
          .table = std::make_shared<const FactTable>(std::move(table)),
          .success = true};
}

FactState failed_state(FactTopic topic, ErrorCode code) {
  return {.topic = topic, .error = Error{.code = code, .where = "facts"}};
}

FactTable two_volumes() {
  FactTable table;
  table.add().number("free", 1024).text("volume", "C:");
  table.add().text("label", "Da\nta").text("volume", "D:");
  return table;
}

TEST(ShownFact, SizesHaveUnitsAndTimesAreDates) {
  EXPECT_EQ(shown_fact(FactTopic::kVolumes, "free", 1536.0), "1.5 KiB");
  EXPECT_EQ(shown_fact(FactTopic::kDhcpScopes, "free", 1536.0), "1536") << "addresses";
  EXPECT_EQ(shown_fact(FactTopic::kAdapters, "speed", 1048576.0), "1 MiB/s");
  EXPECT_EQ(shown_fact(FactTopic::kOs, "install_time", 1700000000.9), "2023-11-14 22:13:20 UTC");
  EXPECT_EQ(shown_fact(FactTopic::kOs, "install_time", 1e300), "1e+300") << "no year has it";
  EXPECT_EQ(shown_fact(FactTopic::kOs, "install_time", std::string("soon")), "soon");
}

TEST(FactTables, TheNameOfARowComesFirstAndWhatIsUnknownIsADash) {
  EXPECT_EQ(facts_to_tables({.topics = {read_state(FactTopic::kVolumes, two_volumes())}}, {}),
            "volumes: 2 rows\n"
            "  volume  free   label\n"
            "  C:      1 KiB  -\n"
            "  D:      -      Da\\u000ata\n");
}

TEST(FactTables, OneRowIsAListOfItsFields) {
  FactTable table;
  table.add().text("timezone", "UTC").number("utc_offset", 0);
  table.problems = {"the clock's source cannot be read"};
  EXPECT_EQ(facts_to_tables({.topics = {read_state(FactTopic::kTime, table)}}, {}),
            "time: time zone, clock synchronization\n"
            "  timezone    UTC\n"
            "  utc_offset  0\n"
            "  problem: the clock's source cannot be read\n");
}

TEST(FactTables, AnEmptyTopicSaysWhy) {
  const FactSnapshot facts{.topics = {read_state(FactTopic::kPrinters, {})}};
  EXPECT_EQ(facts_to_tables(facts, {}), "printers: empty; this machine has none\n");
  FactConfig filtered{.topic = FactTopic::kPrinters};
  filtered.rows.include.push_back(*Pattern::compile("x"));
  EXPECT_EQ(facts_to_tables(facts, std::vector{filtered}),
            "printers: no row passes the filters of the configuration\n");
}

TEST(FactTables, WhatCannotBeReadHasItsRepair) {
  const std::string text =
      facts_to_tables({.topics = {failed_state(FactTopic::kLicense, ErrorCode::kNotRunning)}}, {});
  EXPECT_TRUE(text.starts_with("license: cannot be read: ")) << text;
  EXPECT_NE(text.find("\n  1. sc start sppsvc\n     starts the service"), std::string::npos)
      << text;
  EXPECT_EQ(
      facts_to_tables({.topics = {failed_state(FactTopic::kIis, ErrorCode::kUnsupported)}}, {}),
      "iis: this system does not have the topic\n");
}

TEST(TopicTable, HasEachTopicWithItsState) {
  FactTable incomplete = two_volumes();
  incomplete.problems = {"a", "b"};
  const std::string text =
      topics_to_table({.topics = {read_state(FactTopic::kVolumes, std::move(incomplete)),
                                  read_state(FactTopic::kPrinters, {}),
                                  failed_state(FactTopic::kLogons, ErrorCode::kAccessDenied),
                                  failed_state(FactTopic::kIis, ErrorCode::kUnsupported)}},
                      {});
  const auto has_line = [&text](const std::string& line) {
    return text.find('\n' + line) != std::string::npos;
  };
  EXPECT_TRUE(has_line("volumes         2     ok, 2 problems      size, free space")) << text;
  EXPECT_TRUE(has_line("printers        0     empty               printers and print jobs\n"))
      << text;
  EXPECT_TRUE(has_line("logons          -     failed              logon sessions\n")) << text;
  EXPECT_TRUE(has_line("iis             -     not on this system  IIS version\n")) << text;
  EXPECT_TRUE(has_line("os              -     off                 Windows version")) << text;
  EXPECT_TRUE(has_line("logons: cannot be read: ")) << text;
}

// docs/facts.md has the same words, perhaps with a link, and may add more.
TEST(TopicTable, ContentIsThatOfTheDocument) {
  std::ifstream stream(WINPERF_SOURCE_DIR "/docs/facts.md");
  std::string page{std::istreambuf_iterator<char>(stream), {}};
  for (const char* const markup : {"[", "](textfile.md)"})
    for (std::size_t at; (at = page.find(markup)) != std::string::npos;)
      page.erase(at, std::string_view(markup).size());
  for (const FactTopicInfo& info : kFactTopics)
    EXPECT_NE(page.find("| `" + std::string(info.name) + "` | " + std::string(info.content)),
              std::string::npos)
        << info.name;
}

}  // namespace
}  // namespace winperf

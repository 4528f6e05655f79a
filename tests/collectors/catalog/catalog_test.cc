#include "collectors/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/base/stop.h"
#include "collectors/sources/replay.h"
#include "tests/support/captures.h"
#include "tests/support/name_table_bytes.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::name_table_bytes;

// Candidate tables as a source offers them; help texts come from one table.
class Tables final : public CounterSource {
 public:
  std::vector<std::expected<Bytes, Error>> names;
  Bytes helps;

  std::expected<Reply, Error> query(std::string_view, StopToken) override { return Reply{}; }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table, Language) override {
    if (table == TextTable::kCounter) return names;
    return {helps};
  }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}
};

TEST(Catalog, NamesObjectsCountersAndHelps) {
  Tables source;
  source.names = {
      name_table_bytes({u"1", u"1847", u"238", u"Processor", u"6", u"% Processor Time"})};
  source.helps = name_table_bytes({u"239", u"What processors do"});
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_EQ(catalog.object_name(ObjectIndex{238}), "Processor");
  EXPECT_EQ(catalog.counter_name(CounterIndex{6}), "% Processor Time");
  EXPECT_EQ(catalog.help(HelpIndex{239}), "What processors do");
  EXPECT_EQ(catalog.counter_name(CounterIndex{8}), "") << "no name is an answer";
  EXPECT_THAT(catalog.problems(), IsEmpty());
}

TEST(Catalog, FillsTheGapsOfTheFirstTableFromTheNext) {
  Tables source;
  source.names = {name_table_bytes({u"2", u"System"}),
                  std::unexpected(Error{.code = ErrorCode::kNoSuchFile, .where = "table"}),
                  name_table_bytes({u"2", u"Stale", u"4", u"Memory"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_EQ(catalog.object_name(ObjectIndex{2}), "System");
  EXPECT_EQ(catalog.object_name(ObjectIndex{4}), "Memory");
  EXPECT_THAT(catalog.objects_named("Stale"), IsEmpty());
  ASSERT_EQ(catalog.problems().size(), 1u);
  EXPECT_EQ(catalog.problems()[0].code, ErrorCode::kNoSuchFile);
}

TEST(Catalog, FindsEveryIndexOfANameWithoutRegardToCase) {
  Tables source;
  source.names = {name_table_bytes({u"2000", u"PROCESSOR", u"238", u"Processor"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_THAT(catalog.objects_named("processor"), ElementsAre(ObjectIndex{238}, ObjectIndex{2000}));
}

TEST(Catalog, FindsAnIndexOnceThoughSeveralTablesHaveIt) {
  Tables source;
  source.names = {name_table_bytes({u"4", u"Memory", u"9", u"MEMORY"}),
                  name_table_bytes({u"4", u"Memory"}), name_table_bytes({u"2", u"memory"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_THAT(catalog.objects_named("Memory"),
              ElementsAre(ObjectIndex{2}, ObjectIndex{4}, ObjectIndex{9}));
}

TEST(Catalog, ANumberIsTheIndexItself) {
  Tables source;
  source.names = {name_table_bytes({u"4", u"Memory", u"10", u"238"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_THAT(catalog.objects_named("238"), ElementsAre(ObjectIndex{238}));
  EXPECT_THAT(catalog.objects_named("4294967295"), ElementsAre(ObjectIndex{4'294'967'295}));
  for (const char* const name : {"4294967296", "-4", "4x", " 4", "4 ", ""})
    EXPECT_THAT(catalog.objects_named(name), IsEmpty()) << name;
}

TEST(Catalog, HasNamesIfAnyTableHasOne) {
  const auto has_names = [](std::vector<std::expected<Bytes, Error>> tables) {
    Tables source;
    source.names = std::move(tables);
    return Catalog::load(source, Language::kEnglish).has_names();
  };
  EXPECT_FALSE(has_names({}));
  EXPECT_FALSE(has_names({Bytes{}}));
  EXPECT_TRUE(has_names({Bytes{}, name_table_bytes({u"4", u"Memory"})}));
}

// Two edits, or one in three letters of the name that was typed.
TEST(Catalog, SuggestsNoNameThatIsTooDifferent) {
  Tables source;
  source.names = {
      name_table_bytes({u"8", u"abcd", u"10", u"Network Interface", u"12", u"abcdefghijkl"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  struct Row {
    const char* typed;
    const char* nearest;
  };
  for (const Row& row : {Row{"abxy", "abcd"},                  // two of four letters
                         Row{"axyz", ""},                      // three of four
                         Row{"ab", "abcd"},                    // two are missing
                         Row{"a", ""},                         // three are missing
                         Row{"abcdxy", "abcd"},                // two too many
                         Row{"abcdxyz", ""},                   // three too many, of seven letters
                         Row{"abcdefghixyz", "abcdefghijkl"},  // three of twelve
                         Row{"abcdefghvxyz", "abcdefghijkl"},  // four of twelve
                         Row{"abcdefguvxyz", ""},              // five of twelve
                         Row{"Netwrk Intrface", "Network Interface"}, Row{"", ""}})
    EXPECT_EQ(catalog.nearest_name(row.typed), row.nearest) << row.typed;
}

TEST(Catalog, SuggestsTheNearestOfSeveralAndTheFirstOfEquallyNearOnes) {
  Tables source;
  source.names = {name_table_bytes({u"2", u"Memoxx", u"4", u"Memory", u"6", u"Memora"}),
                  name_table_bytes({u"8", u"Memo"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_EQ(catalog.nearest_name("Memor"), "Memory");
  EXPECT_EQ(catalog.nearest_name("Memo"), "Memo");
}

TEST(Catalog, KnowsItsMachine) {
  class Named final : public CounterSource {
   public:
    std::string machine() const override { return "HOST"; }
    std::expected<Reply, Error> query(std::string_view, StopToken) override { return Reply{}; }
    std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
      return {};
    }
    bool supports_metadata() override { return false; }
    std::uint64_t provider_generation() override { return 0; }
    void release() override {}
  };
  Named source;
  EXPECT_EQ(Catalog::load(source, Language::kEnglish).machine(), "HOST");
}

TEST(Catalog, SuggestsTheNearestName) {
  Tables source;
  source.names = {name_table_bytes({u"238", u"Processor", u"4", u"Memory"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_EQ(catalog.nearest_name("Procesor"), "Processor");
  EXPECT_EQ(catalog.nearest_name("xyz"), "");
}

TEST(Catalog, CountsWhatIsWrongWithATable) {
  Tables source;
  source.names = {name_table_bytes({u"238", u"Processor", u"oops", u"4", u"Memory"})};
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_EQ(catalog.object_name(ObjectIndex{4}), "Memory");
  ASSERT_EQ(catalog.problems().size(), 1u);
  EXPECT_EQ(catalog.problems()[0].code, ErrorCode::kBadNumber);
}

class RecordedCatalog : public testing::CaptureTest {};

TEST_F(RecordedCatalog, NamesTheWholeBaseSystemSet) {
  const auto source = ReplaySource::open(open_directory(captures_ / "vista-6000"));
  ASSERT_TRUE(source) << source.error().text;
  const Catalog catalog = Catalog::load(**source, Language::kEnglish);
  EXPECT_EQ(catalog.object_name(ObjectIndex{230}), "Process");
  EXPECT_THAT(catalog.objects_named("Network Interface"), ElementsAre(ObjectIndex{510}));
}

}  // namespace
}  // namespace winperf

// Windows' own names by their indices, and tables that should be English and aren't.
#include "collectors/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/support/captures.h"
#include "tests/support/name_table_bytes.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Names = std::map<std::uint32_t, std::string>;

std::vector<std::uint32_t> foreign_in(const Names& names) {
  std::vector<std::uint32_t> indices;
  for (const ForeignName& name : foreign_names([&](std::uint32_t index) {
         const auto found = names.find(index);
         return found == names.end() ? std::string_view() : std::string_view(found->second);
       }))
    indices.push_back(name.index);
  return indices;
}

// One table for English, another one for the machine's language.
class TableSource final : public CounterSource {
 public:
  explicit TableSource(std::vector<std::vector<std::byte>> english)
      : english_(std::move(english)) {}

  std::expected<Reply, Error> query(std::string_view, StopToken) override { return Reply(); }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table, Language) override {
    std::vector<std::expected<Bytes, Error>> all;
    if (table == TextTable::kCounter)
      for (const auto& bytes : english_) all.emplace_back(bytes);
    return all;
  }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}

 private:
  std::vector<std::vector<std::byte>> english_;
};

std::vector<std::byte> german() {
  return testing::name_table_bytes({u"1", u"1847", u"2", u"System", u"4", u"Speicher", u"6",
                                    u"Prozessorzeit (%)", u"230", u"Prozess", u"238", u"Prozessor",
                                    u"510", u"Netzwerkschnittstelle", u"2176",
                                    u"Druckwarteschlange"});
}

TEST(BaseNames, AreThoseOfWindows) {
  EXPECT_EQ(base_name(2), "System");
  EXPECT_EQ(base_name(238), "Processor");
  EXPECT_EQ(base_name(6), "% Processor Time");
  EXPECT_EQ(base_name(1484), "Split IO/Sec");
  EXPECT_EQ(base_name(0), "");
  EXPECT_EQ(base_name(3), "") << "the index of a description";
  EXPECT_EQ(base_name(1848), "") << "of whoever was installed first";
}

TEST(BaseNames, ATableIsForeignIfSeveralOfTheBestKnownObjectsHaveOtherNames) {
  EXPECT_THAT(foreign_in({}), IsEmpty());
  EXPECT_THAT(foreign_in({{2, "System"}, {4, "memory"}, {238, "Processor"}}), IsEmpty());
  EXPECT_THAT(foreign_in({{2, "System"}, {4, "Speicher"}, {238, "Processor"}}), IsEmpty())
      << "one alone may be damaged";
  EXPECT_THAT(foreign_in({{2, "System"}, {4, "Speicher"}, {238, "Prozessor"}}), ElementsAre(4, 238))
      << "German";
  EXPECT_THAT(foreign_in({{2, "Syst\u00e8me"}, {230, "Processus"}, {236, "Disque logique"}}),
              ElementsAre(2, 230, 236))
      << "French";
  EXPECT_THAT(foreign_in({{234, "\u7269\u7406\u30c7\u30a3\u30b9\u30af"},
                          {510, "\u30cd\u30c3\u30c8\u30ef\u30fc\u30af"}}),
              ElementsAre(234, 510))
      << "Japanese";
  EXPECT_THAT(foreign_in({{10, "x"}, {12, "y"}, {2000, "z"}}), IsEmpty())
      << "others are no evidence";
}

TEST(BaseNames, AForeignTableGetsEnglishNamesForWindowsOwnIndices) {
  TableSource source({german()});
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_EQ(catalog.object_name(ObjectIndex{238}), "Processor");
  EXPECT_EQ(catalog.object_name(ObjectIndex{510}), "Network Interface");
  EXPECT_EQ(catalog.counter_name(CounterIndex{6}), "% Processor Time");
  EXPECT_EQ(catalog.object_name(ObjectIndex{2176}), "Druckwarteschlange") << "nobody knows better";
  EXPECT_EQ(catalog.object_name(ObjectIndex{234}), "") << "the table doesn't have it";
  const auto processor = ElementsAre(ObjectIndex{238});
  EXPECT_THAT(catalog.objects_named("Processor"), processor);
  EXPECT_THAT(catalog.objects_named("prozessor"), processor) << "as it was called until now";
  EXPECT_TRUE(catalog.problems().empty());
}

TEST(BaseNames, AnEnglishTableStaysAsItIs) {
  TableSource source({testing::name_table_bytes(
      {u"2", u"System", u"4", u"Memory", u"6", u"% CPU", u"238", u"Processor"})});
  const Catalog catalog = Catalog::load(source, Language::kEnglish);
  EXPECT_EQ(catalog.counter_name(CounterIndex{6}), "% CPU");
  EXPECT_THAT(catalog.objects_named("% Processor Time"), IsEmpty());
}

TEST(BaseNames, TheMachinesOwnLanguageIsNotForeign) {
  TableSource source({german()});
  const Catalog catalog = Catalog::load(source, Language::kMachine);
  EXPECT_EQ(catalog.object_name(ObjectIndex{238}), "Prozessor");
  EXPECT_THAT(catalog.objects_named("Processor"), IsEmpty());
}

class RecordedNames : public testing::CaptureTest {};

// Windows Vista and Server 2019, with 17 years between their names.
TEST_F(RecordedNames, AreEnglishAndTheSameByIndex) {
  std::size_t names = 0;
  for (const char* const capture : {"vista-6000", "server-2019-v2"}) {
    const NameTable table =
        NameTable::parse(testing::read_file(captures_ / capture / "counter-009.bin"));
    const auto lookup = [&](std::uint32_t index) {
      const std::string* const text = table.find(index);
      return text == nullptr ? std::string_view() : std::string_view(*text);
    };
    EXPECT_THAT(foreign_names(lookup), IsEmpty());
    for (const NameTable::Entry& entry : table.entries()) {
      if (entry.index > kLastBaseIndex) continue;
      ++names;
      EXPECT_EQ(entry.text, base_name(entry.index)) << capture << ' ' << entry.index;
    }
  }
  EXPECT_EQ(names, 632U + 670U);
}

}  // namespace
}  // namespace winperf

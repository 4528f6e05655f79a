#include "collectors/catalog/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/base/stop.h"
#include "tests/collectors/sampling/fake_source.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr ObjectIndex kProcess{230};
const CatalogKeeper::Time kStart{};

class CatalogKeeperTest : public ::testing::Test {
 protected:
  CatalogKeeperTest() { source_.names = {{230, u"Process"}}; }

  testing::FakeSource source_;
};

TEST_F(CatalogKeeperTest, KeepsWhatItHasWhileNothingChanges) {
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  EXPECT_EQ(keeper.generation(), 1U);
  keeper.refresh(kStart + std::chrono::hours(24));
  EXPECT_EQ(keeper.generation(), 1U);
  EXPECT_EQ(source_.table_loads, 1);
  EXPECT_EQ(source_.releases, 0);
}

TEST_F(CatalogKeeperTest, NewProvidersReloadItAtOnceAndUnloadTheOldOnes) {
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  EXPECT_THAT(keeper.objects_named("Widgets"), IsEmpty());
  source_.names.emplace_back(9'000, u"Widgets");
  source_.providers = 1;
  keeper.refresh(kStart);
  EXPECT_THAT(keeper.objects_named("widgets"), ElementsAre(ObjectIndex{9'000}));
  EXPECT_EQ(keeper.generation(), 2U);
  EXPECT_EQ(source_.releases, 1);
  keeper.refresh(kStart);
  EXPECT_EQ(keeper.generation(), 2U);
}

TEST_F(CatalogKeeperTest, AnUnknownNameReloadsItOnceAMinuteWithoutUnloading) {
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  keeper.report_unknown();
  keeper.refresh(kStart + std::chrono::seconds(59));
  EXPECT_EQ(keeper.generation(), 1U);
  keeper.refresh(kStart + std::chrono::seconds(60));
  EXPECT_EQ(keeper.generation(), 2U);
  keeper.refresh(kStart + std::chrono::seconds(600));
  EXPECT_EQ(keeper.generation(), 2U) << "the reload has settled it until it is reported again";
  EXPECT_EQ(source_.releases, 0);
}

TEST_F(CatalogKeeperTest, AReloadForNewProvidersSettlesWhatWasUnknown) {
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  keeper.report_unknown();
  source_.providers = 1;
  keeper.refresh(kStart + std::chrono::seconds(30));
  EXPECT_EQ(keeper.generation(), 2U);
  keeper.refresh(kStart + std::chrono::hours(1));
  EXPECT_EQ(keeper.generation(), 2U);
  keeper.report_unknown();
  keeper.refresh(kStart + std::chrono::hours(1));
  EXPECT_EQ(keeper.generation(), 3U);
}

TEST_F(CatalogKeeperTest, TheMinuteIsCountedFromTheLastReload) {
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  source_.providers = 1;
  keeper.refresh(kStart + std::chrono::seconds(50));
  keeper.report_unknown();
  keeper.refresh(kStart + std::chrono::seconds(109));
  EXPECT_EQ(keeper.generation(), 2U);
  keeper.refresh(kStart + std::chrono::seconds(110));
  EXPECT_EQ(keeper.generation(), 3U);
}

TEST_F(CatalogKeeperTest, ProvidersThatWereThereBeforeItAreNotNew) {
  source_.providers = 7;
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  keeper.refresh(kStart);
  EXPECT_EQ(keeper.generation(), 1U);
  source_.providers = 6;
  keeper.refresh(kStart);
  EXPECT_EQ(keeper.generation(), 2U) << "fewer of them are a change, too";
}

TEST_F(CatalogKeeperTest, NamesThatCannotBeReadAnyMoreAreKept) {
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  source_.names.clear();
  source_.providers = 1;
  keeper.refresh(kStart);
  EXPECT_EQ(source_.table_loads, 2);
  EXPECT_THAT(keeper.objects_named("Process"), ElementsAre(kProcess));
  EXPECT_EQ(keeper.generation(), 1U) << "nothing is stale";
  source_.names = {{230, u"Process"}, {9'000, u"Widgets"}};
  keeper.refresh(kStart + std::chrono::seconds(59));
  EXPECT_EQ(keeper.generation(), 1U);
  keeper.refresh(kStart + std::chrono::seconds(60));
  EXPECT_EQ(keeper.generation(), 2U) << "nobody had to report anything";
  EXPECT_THAT(keeper.objects_named("Widgets"), ElementsAre(ObjectIndex{9'000}));
  keeper.refresh(kStart + std::chrono::hours(1));
  EXPECT_EQ(keeper.generation(), 2U);
}

TEST_F(CatalogKeeperTest, NamesThatCannotBeReadFromTheStartAreReadAgainSoon) {
  const Error late{.code = ErrorCode::kTimedOut, .where = "registry.names"};
  source_.table_error = late;
  CatalogKeeper keeper(source_, Language::kEnglish, kStart);
  EXPECT_THAT(keeper.catalog().unreadable(), Optional(Eq(late)));
  keeper.report_unknown();
  source_.table_error.reset();
  keeper.refresh(kStart + std::chrono::milliseconds(4'999));
  EXPECT_EQ(source_.table_loads, 1);
  keeper.refresh(kStart + std::chrono::seconds(5));
  EXPECT_EQ(source_.table_loads, 2);
  EXPECT_EQ(keeper.catalog().unreadable(), std::nullopt);
  EXPECT_THAT(keeper.objects_named("Process"), ElementsAre(kProcess));
}

TEST_F(CatalogKeeperTest, TheMachinesLanguageIsLookedUpAfterEnglish) {
  class Bilingual final : public CounterSource {
   public:
    explicit Bilingual(CounterSource& english) : english_(english) {
      german_.names = {{230, u"Prozess"}, {4, u"Process"}};
    }
    std::expected<Reply, Error> query(std::string_view name, StopToken stop) override {
      return english_.query(name, stop);
    }
    std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                         Language language) override {
      return (language == Language::kEnglish ? english_ : german_).text_tables(table, language);
    }
    bool supports_metadata() override { return false; }
    std::uint64_t provider_generation() override { return 0; }
    void release() override {}

   private:
    CounterSource& english_;
    testing::FakeSource german_;
  };
  Bilingual source(source_);
  const CatalogKeeper keeper(source, Language::kMachine, kStart);
  EXPECT_THAT(keeper.objects_named("Process"), ElementsAre(kProcess)) << "English comes first";
  EXPECT_THAT(keeper.objects_named("Prozess"), ElementsAre(kProcess));
  EXPECT_EQ(keeper.catalog().object_name(kProcess), "Process");
  EXPECT_EQ(keeper.catalog().counter_name(CounterIndex{230}), "Process");
  EXPECT_EQ(keeper.catalog().local_counter_name(CounterIndex{230}), "Prozess");
  EXPECT_EQ(keeper.catalog().local_counter_name(CounterIndex{5}), "");
  const CatalogKeeper english(source, Language::kEnglish, kStart);
  EXPECT_EQ(english.catalog().local_counter_name(CounterIndex{230}), "");
  EXPECT_THAT(english.objects_named("Prozess"), IsEmpty());
}

}  // namespace
}  // namespace winperf

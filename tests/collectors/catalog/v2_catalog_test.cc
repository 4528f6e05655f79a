// The names of V2 countersets, where the system fails to give them.
#include "collectors/catalog/v2_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "collectors/sources/perflib_client.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/user_provider.h"

namespace winperf {
namespace {

using simulator::Point;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Guid kProvider{{1}};
constexpr Guid kShop{{2}};
constexpr Guid kBakery{{3}};

class V2CatalogTest : public ::testing::Test {
 protected:
  V2CatalogTest() {
    using simulator::CountersetDefinition;
    machine_.add(std::make_shared<simulator::UserProvider>(
        kProvider, u"Trade",
        std::vector<CountersetDefinition>{
            {.guid = kShop,
             .name = u"Shop",
             .local_name = u"Laden",
             .counters = {{.id = 1, .name = u"Open", .local_name = u"Offen"}}},
            {.guid = kBakery,
             .name = u"Bakery",
             .local_name = u"B\u00E4ckerei",
             .counters = {{.id = 1}}}}));
  }

  // The next `times` questions about registrations fail.
  void fail(std::uint32_t code, std::size_t times) {
    machine_.faults.fail(Point::kRegistration, code, times);
  }
  int questions() const { return face_.calls().registration; }

  simulator::Machine machine_;
  simulator::PerflibFace face_{machine_};
  PerflibClient client_{face_, ""};
  V2Catalog catalog_{client_, Language::kEnglish};
};

TEST_F(V2CatalogTest, ANameThatTheSystemFailsToGiveIsAskedForAgain) {
  fail(simulator::kNoSystemResources, 1);
  ASSERT_TRUE(catalog_.refresh());
  EXPECT_THAT(catalog_.named("Shop"), IsEmpty());
  EXPECT_THAT(catalog_.named("Bakery"), ElementsAre(kBakery));
  ASSERT_TRUE(catalog_.failed_name().has_value());
  EXPECT_EQ(catalog_.failed_name()->os_code, simulator::kNoSystemResources);
  EXPECT_EQ(catalog_.generation(), 1u);

  const int before = questions();
  catalog_.retry_names();
  EXPECT_EQ(questions(), before + 1) << "the other name is known";
  EXPECT_THAT(catalog_.named("Shop"), ElementsAre(kShop));
  EXPECT_EQ(catalog_.generation(), 2u) << "what was looked up before is worth another look";
  EXPECT_FALSE(catalog_.failed_name().has_value());
}

TEST_F(V2CatalogTest, TheNameInAnotherLanguageDoesNotStandInForIt) {
  fail(simulator::kNoSystemResources, 1);
  ASSERT_TRUE(catalog_.refresh());
  EXPECT_EQ(catalog_.entries()[0].name, "") << "the default language would have answered";
}

TEST_F(V2CatalogTest, WithoutAnEnglishNameTheNextQuestionIsAsked) {
  fail(simulator::kResourceLanguageNotFound, 1);
  ASSERT_TRUE(catalog_.refresh());
  EXPECT_EQ(catalog_.entries()[0].name, "Shop");
  EXPECT_FALSE(catalog_.failed_name().has_value());
}

TEST_F(V2CatalogTest, ANameThatIsNotThereIsNoFailureButIsAskedForWithEveryRefresh) {
  fail(simulator::kResourceLanguageNotFound, 3);
  ASSERT_TRUE(catalog_.refresh());
  EXPECT_EQ(catalog_.entries()[0].name, "");
  EXPECT_FALSE(catalog_.failed_name().has_value());
  const int before = questions();
  catalog_.retry_names();
  EXPECT_EQ(questions(), before);
  ASSERT_TRUE(catalog_.refresh());
  EXPECT_THAT(catalog_.named("Shop"), ElementsAre(kShop));
}

TEST_F(V2CatalogTest, ANameInTheOtherLanguageThatIsReadLaterIsNews) {
  V2Catalog both(client_, Language::kMachine);
  fail(simulator::kSuccess, 1);  // the English name of the first one
  fail(simulator::kNoSystemResources, 1);
  ASSERT_TRUE(both.refresh());
  EXPECT_THAT(both.named("Shop"), ElementsAre(kShop));
  EXPECT_THAT(both.named("Laden"), IsEmpty());
  EXPECT_EQ(both.generation(), 1u);
  both.retry_names();
  EXPECT_THAT(both.named("Laden"), ElementsAre(kShop));
  EXPECT_EQ(both.generation(), 2u);
  EXPECT_THAT(both.named(""), IsEmpty());
  EXPECT_THAT(catalog_.named(""), IsEmpty());
}

TEST_F(V2CatalogTest, CountersHaveNamesInTheMachinesLanguageIfThatIsLookedUp) {
  V2Catalog both(client_, Language::kMachine);
  const auto shop = both.counterset(kShop);
  ASSERT_TRUE(shop);
  EXPECT_EQ((*shop)->counter_names.at(1), "Open");
  EXPECT_EQ((*shop)->local_counter_names.at(1), "Offen");
  const auto english = catalog_.counterset(kShop);
  ASSERT_TRUE(english);
  EXPECT_THAT((*english)->local_counter_names, IsEmpty());
  EXPECT_FALSE(same_registration(**shop, **english));
}

TEST_F(V2CatalogTest, LocalNamesThatTheSystemFailsToGiveAreAskedForAgain) {
  V2Catalog both(client_, Language::kMachine);
  fail(simulator::kSuccess, 3);  // the registration, and both English texts
  fail(simulator::kNoSystemResources, 1);
  const auto failed = both.counterset(kShop);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().os_code, simulator::kNoSystemResources);
  const auto shop = both.counterset(kShop);
  ASSERT_TRUE(shop);
  EXPECT_EQ((*shop)->local_counter_names.at(1), "Offen");
}

TEST_F(V2CatalogTest, EachNameThatIsReadLaterIsNewsWhicheverItIs) {
  fail(simulator::kNoSystemResources, 2);
  ASSERT_TRUE(catalog_.refresh());
  fail(simulator::kSuccess, 1);
  fail(simulator::kNoSystemResources, 1);
  catalog_.retry_names();
  EXPECT_THAT(catalog_.named("Shop"), ElementsAre(kShop));
  EXPECT_THAT(catalog_.named("Bakery"), IsEmpty());
  EXPECT_EQ(catalog_.generation(), 2u);
  fail(simulator::kNoSystemResources, 1);
  catalog_.retry_names();
  EXPECT_EQ(catalog_.generation(), 2u) << "nothing was read";
}

TEST_F(V2CatalogTest, EverySuccessIsWorthAllRetriesAgain) {
  fail(simulator::kNoSystemResources, 2);
  ASSERT_TRUE(catalog_.refresh());
  for (unsigned i = 1; i < V2Catalog::kMaxRetries; ++i) {
    fail(simulator::kNoSystemResources, 2);
    catalog_.retry_names();
  }
  fail(simulator::kNoSystemResources, 1);
  catalog_.retry_names();
  EXPECT_THAT(catalog_.named("Bakery"), ElementsAre(kBakery));
  for (unsigned i = 0; i < V2Catalog::kMaxRetries; ++i) {
    ASSERT_TRUE(catalog_.failed_name().has_value()) << i;
    fail(simulator::kNoSystemResources, 1);
    catalog_.retry_names();
  }
  EXPECT_FALSE(catalog_.failed_name().has_value());
}

TEST_F(V2CatalogTest, EveryFailureIsToldOnce) {
  fail(simulator::kNoSystemResources, 2);
  ASSERT_TRUE(catalog_.refresh());
  const std::vector<Error> problems = catalog_.take_problems();
  ASSERT_THAT(problems, SizeIs(2));
  EXPECT_EQ(problems[1].os_code, simulator::kNoSystemResources);
  EXPECT_THAT(catalog_.take_problems(), IsEmpty());
}

TEST_F(V2CatalogTest, RetriesEndAndRefreshingGoesOn) {
  fail(simulator::kNoSystemResources, 2);
  ASSERT_TRUE(catalog_.refresh());
  for (unsigned i = 0; i < V2Catalog::kMaxRetries; ++i) {
    ASSERT_TRUE(catalog_.failed_name().has_value()) << i;
    fail(simulator::kNoSystemResources, 2);
    catalog_.retry_names();
  }
  EXPECT_FALSE(catalog_.failed_name().has_value()) << "a name that fails for ever is none";
  const int before = questions();
  catalog_.retry_names();
  EXPECT_EQ(questions(), before);

  ASSERT_TRUE(catalog_.refresh());
  EXPECT_THAT(catalog_.named("Shop"), ElementsAre(kShop));
  EXPECT_THAT(catalog_.named("Bakery"), ElementsAre(kBakery));
}

TEST_F(V2CatalogTest, ANameThatIsKnownIsNotLostOverTheOtherLanguages) {
  V2Catalog both(client_, Language::kMachine);
  ASSERT_TRUE(both.refresh());
  EXPECT_THAT(both.named("Laden"), ElementsAre(kShop));

  V2Catalog later(client_, Language::kMachine);
  fail(simulator::kNoSystemResources, 1);  // the English name of the first one
  ASSERT_TRUE(later.refresh());
  EXPECT_THAT(later.named("Laden"), ElementsAre(kShop));
  fail(simulator::kResourceLanguageNotFound, 4);  // neither of its names
  later.retry_names();
  EXPECT_THAT(later.named("Laden"), ElementsAre(kShop)) << "it was read before";
}

// A counterset whose counters had no names for a moment would have other metrics for that moment.
TEST_F(V2CatalogTest, ACountersetIsNotTakenWithoutTheNamesOfItsCounters) {
  ASSERT_TRUE(catalog_.refresh());
  // The registration itself, its name, and the names of its counters.
  for (std::size_t answered = 0; answered < 3; ++answered) {
    fail(simulator::kSuccess, answered);
    fail(simulator::kNoSystemResources, 1);
    const auto counterset = catalog_.counterset(kShop);
    ASSERT_FALSE(counterset.has_value()) << answered;
    EXPECT_EQ(counterset.error().os_code, simulator::kNoSystemResources);
  }
  EXPECT_TRUE(catalog_.counterset(kShop).has_value()) << "an error is not kept";
}

TEST_F(V2CatalogTest, NamesThatFailForEverCostThemselvesAlone) {
  ASSERT_TRUE(catalog_.refresh());
  for (unsigned i = 0; i < V2Catalog::kMaxRetries; ++i) {
    fail(simulator::kSuccess, 2);  // the registration and the name
    fail(simulator::kNoSystemResources, 1);
    EXPECT_FALSE(catalog_.counterset(kShop).has_value()) << i;
  }
  fail(simulator::kSuccess, 2);
  fail(simulator::kNoSystemResources, 1);
  const auto counterset = catalog_.counterset(kShop);
  ASSERT_TRUE(counterset.has_value());
  EXPECT_EQ((*counterset)->name, "Shop");
  EXPECT_THAT((*counterset)->counter_names, IsEmpty());
  EXPECT_THAT((*counterset)->problems, SizeIs(1));
}

// Other than one that the system fails to give.
TEST_F(V2CatalogTest, ANameThatDoesNotExistHoldsNoCountersetUp) {
  ASSERT_TRUE(catalog_.refresh());
  fail(simulator::kSuccess, 1);                   // the registration
  fail(simulator::kResourceLanguageNotFound, 3);  // its name, however it is asked for
  const auto counterset = catalog_.counterset(kShop);
  ASSERT_TRUE(counterset.has_value());
  EXPECT_EQ((*counterset)->name, "");
  EXPECT_THAT((*counterset)->problems, SizeIs(1));
}

}  // namespace
}  // namespace winperf

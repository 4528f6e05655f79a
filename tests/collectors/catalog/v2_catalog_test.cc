// The names of V2 countersets, where the system fails to give them.
#include "collectors/catalog/v2_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/collectors/sampling/perflib/fake_perflib.h"
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
            {.guid = kShop, .name = u"Shop", .local_name = u"Laden", .counters = {{.id = 1}}},
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
  PerflibClient client_{face_, {}};
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

TEST(SameRegistration, IsOneInWhichEverythingThatASampleShowsIsTheSame) {
  V2Counterset before;
  before.registration.guid = kShop;
  before.registration.instance_type = v2::InstanceType::kMultiple;
  before.registration.counters.emplace_back().id = 1;
  before.name = "Shop";
  before.help = "What is sold.";
  before.counter_names = {{1, "Open"}};
  before.counter_helps = {{1, "Whether it is open."}};
  EXPECT_TRUE(same_registration(before, before));
  const std::vector<void (*)(V2Counterset&)> changes{
      [](V2Counterset& set) { set.registration.guid = kBakery; },
      [](V2Counterset& set) { set.registration.instance_type = v2::InstanceType::kSingle; },
      [](V2Counterset& set) { set.registration.counters[0].default_scale = 1; },
      [](V2Counterset& set) { set.registration.counters.clear(); },
      [](V2Counterset& set) { set.name = "Market"; },
      [](V2Counterset& set) { set.help = "Something else."; },
      [](V2Counterset& set) { set.counter_names[1] = "Closed"; },
      [](V2Counterset& set) { set.counter_helps[1] = "Whether it is closed."; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    V2Counterset after = before;
    changes[i](after);
    EXPECT_FALSE(same_registration(before, after)) << i;
    EXPECT_FALSE(same_registration(after, before)) << i;
  }
  V2Counterset elsewhere = before;
  elsewhere.provider_name = "Another file";
  elsewhere.problems.push_back({});
  EXPECT_TRUE(same_registration(before, elsewhere));
}

// A system that keeps what it was asked.
class QuestionsTest : public ::testing::Test {
 protected:
  using Questions = std::vector<std::pair<RegistrationInfo, std::uint32_t>>;

  QuestionsTest() {
    api_.countersets = {{.guid = kShop, .name = u"Shop", .counters = {{.id = 1, .name = u"Open"}}}};
  }
  Questions asked() { return std::exchange(api_.questions, {}); }

  static constexpr std::uint32_t kUnitedStates = 0x409;
  testing::FakePerflib api_;
  PerflibClient client_{api_, {}};
};

TEST_F(QuestionsTest, EnglishIsAskedForByItsOwnCodeThenAsALanguageThenByDefault) {
  V2Catalog catalog(client_, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0}}));
  api_.refused_infos = {{RegistrationInfo::kCountersetEnglishName, OsCode::kInvalidParameter},
                        {RegistrationInfo::kCounterEnglishNames, OsCode::kInvalidParameter}};
  V2Catalog old(client_, Language::kEnglish);
  ASSERT_TRUE(old.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0},
                                {RegistrationInfo::kCountersetName, kUnitedStates}}));
  EXPECT_THAT(old.named("Shop"), ElementsAre(kShop));
  const auto counterset = old.counterset(kShop);
  ASSERT_TRUE(counterset);
  EXPECT_EQ((*counterset)->counter_names.at(1), "Open");
  EXPECT_THAT(asked(),
              ::testing::IsSupersetOf(Questions{{RegistrationInfo::kCountersetName, kUnitedStates},
                                                {RegistrationInfo::kCountersetHelp, kUnitedStates},
                                                {RegistrationInfo::kCounterNames, kUnitedStates},
                                                {RegistrationInfo::kCounterHelps, kUnitedStates}}));
  api_.refused_languages = {{kUnitedStates, OsCode::kResourceLanguageNotFound}};
  V2Catalog german(client_, Language::kEnglish);
  ASSERT_TRUE(german.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0},
                                {RegistrationInfo::kCountersetName, kUnitedStates},
                                {RegistrationInfo::kCountersetName, 0}}));
}

TEST_F(QuestionsTest, TextsInTheMachinesLanguageAreThoseOfTheDefaultOne) {
  V2Catalog catalog(client_, Language::kMachine, Language::kMachine);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0},
                                {RegistrationInfo::kCountersetName, 0}}))
      << "it is looked up in both";
  ASSERT_TRUE(catalog.counterset(kShop));
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCounterset, 0},
                                {RegistrationInfo::kCountersetName, 0},
                                {RegistrationInfo::kCounterNames, 0},
                                {RegistrationInfo::kCountersetHelp, 0},
                                {RegistrationInfo::kProviderName, 0},
                                {RegistrationInfo::kCounterHelps, 0},
                                {RegistrationInfo::kProviderGuid, 0}}));
}

TEST_F(QuestionsTest, NamesThatAreKnownAreNotAskedForWhileTheListIsTheSame) {
  V2Catalog catalog(client_, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  asked();
  ASSERT_TRUE(catalog.refresh());
  EXPECT_THAT(asked(), IsEmpty());
  EXPECT_EQ(catalog.generation(), 1u);
  api_.countersets.push_back({.guid = kBakery, .name = u"Bakery"});
  ASSERT_TRUE(catalog.refresh());
  EXPECT_THAT(asked(), SizeIs(2));
  EXPECT_EQ(catalog.generation(), 2u);
  std::ranges::swap(api_.countersets[0], api_.countersets[1]);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.generation(), 3u) << "the first one of a name is taken";
}

TEST_F(QuestionsTest, NoCountersetIsAListToo) {
  api_.countersets.clear();
  V2Catalog catalog(client_, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.generation(), 1u);
}

TEST_F(QuestionsTest, ANewListIsWorthAllRetriesAgain) {
  api_.registration_status = OsCode::kRpcServerUnavailable;
  V2Catalog catalog(client_, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  for (unsigned i = 0; i < V2Catalog::kMaxRetries; ++i) catalog.retry_names();
  EXPECT_FALSE(catalog.failed_name().has_value());
  ASSERT_TRUE(catalog.refresh());
  EXPECT_FALSE(catalog.failed_name().has_value()) << "it is the same list";
  api_.countersets.push_back({.guid = kBakery, .name = u"Bakery"});
  ASSERT_TRUE(catalog.refresh());
  EXPECT_TRUE(catalog.failed_name().has_value());
}

TEST_F(QuestionsTest, ANameThatGrowsWithEveryCallMayBeReadLater) {
  // It always needs more, without saying how much.
  api_.refused_infos = {{RegistrationInfo::kCountersetEnglishName, OsCode::kNotEnoughMemory}};
  V2Catalog catalog(client_, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  ASSERT_TRUE(catalog.failed_name().has_value());
  EXPECT_EQ(catalog.failed_name()->code, ErrorCode::kBusy);
}

TEST_F(QuestionsTest, LookedUpInTheMachinesLanguageTextsAreEnglishNevertheless) {
  V2Catalog catalog(client_, Language::kMachine);
  ASSERT_TRUE(catalog.counterset(kShop));
  const Questions questions = asked();
  ASSERT_GE(questions.size(), 3U);
  EXPECT_EQ(questions[1].first, RegistrationInfo::kCountersetEnglishName);
  EXPECT_EQ(questions[2].first, RegistrationInfo::kCounterEnglishNames);
}

TEST_F(QuestionsTest, RegistrationsAreReadAgainAfterARefresh) {
  V2Catalog catalog(client_, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  const auto first = catalog.counterset(kShop);
  ASSERT_TRUE(first);
  EXPECT_EQ(catalog.counterset(kShop), first) << "it is kept";
  api_.countersets[0].counters[0].name = u"Closed";
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ((*catalog.counterset(kShop))->counter_names.at(1), "Closed");
}

TEST_F(QuestionsTest, AListThatCannotBeReadLeavesTheOldOne) {
  V2Catalog catalog(client_, Language::kEnglish);
  api_.list_status = OsCode::kAccessDenied;
  EXPECT_EQ(catalog.refresh().error().code, ErrorCode::kAccessDenied);
  EXPECT_EQ(catalog.generation(), 0u);
  api_.list_status = OsCode::kSuccess;
  ASSERT_TRUE(catalog.refresh());
  api_.list_status = OsCode::kAccessDenied;
  EXPECT_FALSE(catalog.refresh());
  EXPECT_THAT(catalog.named("Shop"), ElementsAre(kShop));
  EXPECT_EQ(catalog.generation(), 1u);
}

TEST_F(QuestionsTest, EveryTextIsReadIntoItsPlace) {
  api_.countersets[0].help = u"What is sold.";
  api_.countersets[0].counters[0].help = u"Whether it is open.";
  V2Catalog catalog(client_, Language::kEnglish);
  const auto counterset = catalog.counterset(kShop);
  ASSERT_TRUE(counterset);
  EXPECT_EQ((*counterset)->name, "Shop");
  EXPECT_EQ((*counterset)->help, "What is sold.");
  EXPECT_EQ((*counterset)->counter_names.at(1), "Open");
  EXPECT_EQ((*counterset)->counter_helps.at(1), "Whether it is open.");
  EXPECT_EQ((*counterset)->provider, kShop);
  EXPECT_THAT((*counterset)->problems, IsEmpty());
}

TEST_F(QuestionsTest, DamageOfARegistrationIsReportedWithIt) {
  api_.countersets[0].counters.push_back({.id = 1, .name = u"Again"});
  api_.refused_infos = {{RegistrationInfo::kProviderGuid, OsCode::kAccessDenied}};
  V2Catalog catalog(client_, Language::kEnglish);
  const auto counterset = catalog.counterset(kShop);
  ASSERT_TRUE(counterset);
  std::vector<ErrorCode> codes;
  for (const Error& problem : (*counterset)->problems) codes.push_back(problem.code);
  // The registration, the table of names, and the provider; a counter without a help has no entry.
  EXPECT_THAT(codes, ElementsAre(ErrorCode::kDuplicateCounter, ErrorCode::kDuplicateCounter,
                                 ErrorCode::kAccessDenied));
}

// What the system can fail with, and whether that means that there is no such text.
TEST_F(QuestionsTest, OnlySomeErrorsMeanThatThereIsNoText) {
  struct Row {
    OsCode os_code;
    bool is_tried_again;
  };
  const auto after = [](OsCode code, std::uint32_t n) { return OsCode{value_of(code) + n}; };
  for (const Row& row : {Row{OsCode::kFileNotFound, false},
                         Row{OsCode::kInvalidData, false},
                         Row{OsCode::kInvalidParameter, false},
                         Row{OsCode::kModuleNotFound, false},
                         Row{OsCode::kBadExeFormat, false},
                         Row{OsCode::kMessageNotFound, false},
                         Row{OsCode::kNotFound, false},
                         Row{after(OsCode::kResourceDataNotFound, -1U), true},
                         Row{OsCode::kResourceDataNotFound, false},
                         Row{OsCode::kResourceLanguageNotFound, false},
                         Row{after(OsCode::kResourceLanguageNotFound, 1), true},
                         Row{after(OsCode::kEventMessageNotFound, -1U), true},
                         Row{OsCode::kEventMessageNotFound, false},
                         Row{OsCode::kEventMessageLocaleNotFound, false},
                         Row{after(OsCode::kEventMessageLocaleNotFound, 1), true},
                         Row{after(OsCode::kMuiFileNotFound, -1U), true},
                         Row{OsCode::kMuiFileNotFound, false},
                         Row{OsCode::kMuiInvalidLocaleName, false},
                         Row{after(OsCode::kMuiInvalidLocaleName, 1), true},
                         Row{OsCode::kRpcServerUnavailable, true},
                         Row{OsCode::kAccessDenied, false},
                         Row{OsCode::kGuidNotFound, false}}) {
    api_.registration_status = row.os_code;
    V2Catalog catalog(client_, Language::kEnglish);
    ASSERT_TRUE(catalog.refresh());
    EXPECT_EQ(catalog.failed_name().has_value(), row.is_tried_again) << value_of(row.os_code);
    EXPECT_EQ(asked().size(), row.is_tried_again ? 1U : 3U) << value_of(row.os_code);
  }
}

}  // namespace
}  // namespace winperf

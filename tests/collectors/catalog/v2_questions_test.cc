// What the catalog of V2 countersets asks the system for, and what it makes of the answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "collectors/catalog/v2_catalog.h"
#include "tests/collectors/sampling/perflib/fake_perflib.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(SameRegistration, IsOneInWhichEverythingThatASampleShowsIsTheSame) {
  V2Counterset before;
  before.registration.guid = testing::kShop;
  before.registration.instance_type = v2::InstanceType::kMultiple;
  before.registration.counters.emplace_back().id = 1;
  before.name = "Shop";
  before.help = "What is sold.";
  before.counter_names = {{1, "Open"}};
  before.counter_helps = {{1, "Whether it is open."}};
  EXPECT_TRUE(same_registration(before, before));
  const std::vector<void (*)(V2Counterset&)> changes{
      [](V2Counterset& set) { set.registration.guid = testing::kBakery; },
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
    api_.countersets = {
        {.guid = testing::kShop, .name = u"Shop", .counters = {{.id = 1, .name = u"Open"}}}};
  }
  Questions asked() { return std::exchange(api_.questions, {}); }

  static constexpr std::uint32_t kUnitedStates = 0x409;
  testing::FakePerflib api_;
};

TEST_F(QuestionsTest, EnglishIsAskedForByItsOwnCodeThenAsALanguageThenByDefault) {
  V2Catalog catalog(api_.source, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0}}));
  api_.refused_infos = {{RegistrationInfo::kCountersetEnglishName, OsCode::kInvalidParameter},
                        {RegistrationInfo::kCounterEnglishNames, OsCode::kInvalidParameter}};
  V2Catalog old(api_.source, Language::kEnglish);
  ASSERT_TRUE(old.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0},
                                {RegistrationInfo::kCountersetName, kUnitedStates}}));
  EXPECT_THAT(old.named("Shop"), ElementsAre(testing::kShop));
  const auto counterset = old.counterset(testing::kShop);
  ASSERT_TRUE(counterset);
  EXPECT_EQ((*counterset)->counter_names.at(1), "Open");
  EXPECT_THAT(asked(),
              ::testing::IsSupersetOf(Questions{{RegistrationInfo::kCountersetName, kUnitedStates},
                                                {RegistrationInfo::kCountersetHelp, kUnitedStates},
                                                {RegistrationInfo::kCounterNames, kUnitedStates},
                                                {RegistrationInfo::kCounterHelps, kUnitedStates}}));
  api_.refused_languages = {{kUnitedStates, OsCode::kResourceLanguageNotFound}};
  V2Catalog german(api_.source, Language::kEnglish);
  ASSERT_TRUE(german.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0},
                                {RegistrationInfo::kCountersetName, kUnitedStates},
                                {RegistrationInfo::kCountersetName, 0}}));
}

TEST_F(QuestionsTest, TextsInTheMachinesLanguageAreThoseOfTheDefaultOne) {
  V2Catalog catalog(api_.source, Language::kMachine, Language::kMachine);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCountersetEnglishName, 0},
                                {RegistrationInfo::kCountersetName, 0}}))
      << "it is looked up in both";
  ASSERT_TRUE(catalog.counterset(testing::kShop));
  EXPECT_EQ(asked(), (Questions{{RegistrationInfo::kCounterset, 0},
                                {RegistrationInfo::kCountersetName, 0},
                                {RegistrationInfo::kCounterNames, 0},
                                {RegistrationInfo::kCountersetHelp, 0},
                                {RegistrationInfo::kProviderName, 0},
                                {RegistrationInfo::kCounterHelps, 0},
                                {RegistrationInfo::kProviderGuid, 0}}));
}

TEST_F(QuestionsTest, NamesThatAreKnownAreNotAskedForWhileTheListIsTheSame) {
  V2Catalog catalog(api_.source, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  asked();
  ASSERT_TRUE(catalog.refresh());
  EXPECT_THAT(asked(), IsEmpty());
  EXPECT_EQ(catalog.generation(), 1u);
  api_.countersets.push_back({.guid = testing::kBakery, .name = u"Bakery"});
  ASSERT_TRUE(catalog.refresh());
  EXPECT_THAT(asked(), SizeIs(2));
  EXPECT_EQ(catalog.generation(), 2u);
  std::ranges::swap(api_.countersets[0], api_.countersets[1]);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.generation(), 3u) << "the first one of a name is taken";
}

TEST_F(QuestionsTest, NoCountersetIsAListToo) {
  api_.countersets.clear();
  V2Catalog catalog(api_.source, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ(catalog.generation(), 1u);
}

TEST_F(QuestionsTest, ANewListIsWorthAllRetriesAgain) {
  api_.registration_status = OsCode::kRpcServerUnavailable;
  V2Catalog catalog(api_.source, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  for (unsigned i = 0; i < V2Catalog::kMaxRetries; ++i) catalog.retry_names();
  EXPECT_FALSE(catalog.failed_name().has_value());
  ASSERT_TRUE(catalog.refresh());
  EXPECT_FALSE(catalog.failed_name().has_value()) << "it is the same list";
  api_.countersets.push_back({.guid = testing::kBakery, .name = u"Bakery"});
  ASSERT_TRUE(catalog.refresh());
  EXPECT_TRUE(catalog.failed_name().has_value());
}

TEST_F(QuestionsTest, ANameThatGrowsWithEveryCallMayBeReadLater) {
  // It always needs more, without saying how much.
  api_.refused_infos = {{RegistrationInfo::kCountersetEnglishName, OsCode::kNotEnoughMemory}};
  V2Catalog catalog(api_.source, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  ASSERT_TRUE(catalog.failed_name().has_value());
  EXPECT_EQ(catalog.failed_name()->code, ErrorCode::kBusy);
}

TEST_F(QuestionsTest, LookedUpInTheMachinesLanguageTextsAreEnglishNevertheless) {
  V2Catalog catalog(api_.source, Language::kMachine);
  ASSERT_TRUE(catalog.counterset(testing::kShop));
  const Questions questions = asked();
  ASSERT_GE(questions.size(), 3U);
  EXPECT_EQ(questions[1].first, RegistrationInfo::kCountersetEnglishName);
  EXPECT_EQ(questions[2].first, RegistrationInfo::kCounterEnglishNames);
}

TEST_F(QuestionsTest, RegistrationsAreReadAgainAfterARefresh) {
  V2Catalog catalog(api_.source, Language::kEnglish);
  ASSERT_TRUE(catalog.refresh());
  const auto first = catalog.counterset(testing::kShop);
  ASSERT_TRUE(first);
  EXPECT_EQ(catalog.counterset(testing::kShop), first) << "it is kept";
  api_.countersets[0].counters[0].name = u"Closed";
  ASSERT_TRUE(catalog.refresh());
  EXPECT_EQ((*catalog.counterset(testing::kShop))->counter_names.at(1), "Closed");
}

TEST_F(QuestionsTest, AListThatCannotBeReadLeavesTheOldOne) {
  V2Catalog catalog(api_.source, Language::kEnglish);
  api_.list_status = OsCode::kAccessDenied;
  EXPECT_EQ(catalog.refresh().error().code, ErrorCode::kAccessDenied);
  EXPECT_EQ(catalog.generation(), 0u);
  api_.list_status = OsCode::kSuccess;
  ASSERT_TRUE(catalog.refresh());
  api_.list_status = OsCode::kAccessDenied;
  EXPECT_FALSE(catalog.refresh());
  EXPECT_THAT(catalog.named("Shop"), ElementsAre(testing::kShop));
  EXPECT_EQ(catalog.generation(), 1u);
}

TEST_F(QuestionsTest, EveryTextIsReadIntoItsPlace) {
  api_.countersets[0].help = u"What is sold.";
  api_.countersets[0].counters[0].help = u"Whether it is open.";
  V2Catalog catalog(api_.source, Language::kEnglish);
  const auto counterset = catalog.counterset(testing::kShop);
  ASSERT_TRUE(counterset);
  EXPECT_EQ((*counterset)->name, "Shop");
  EXPECT_EQ((*counterset)->help, "What is sold.");
  EXPECT_EQ((*counterset)->counter_names.at(1), "Open");
  EXPECT_EQ((*counterset)->counter_helps.at(1), "Whether it is open.");
  EXPECT_EQ((*counterset)->provider, testing::kShop);
  EXPECT_THAT((*counterset)->problems, IsEmpty());
}

TEST_F(QuestionsTest, DamageOfARegistrationIsReportedWithIt) {
  api_.countersets[0].counters.push_back({.id = 1, .name = u"Again"});
  api_.refused_infos = {{RegistrationInfo::kProviderGuid, OsCode::kAccessDenied}};
  V2Catalog catalog(api_.source, Language::kEnglish);
  const auto counterset = catalog.counterset(testing::kShop);
  ASSERT_TRUE(counterset);
  std::vector<ErrorCode> codes;
  for (const Error& problem : (*counterset)->problems) codes.push_back(problem.code);
  // The registration, the table of names, and the provider; a counter without a help has no entry.
  EXPECT_THAT(codes, ElementsAre(ErrorCode::kDuplicateCounter, ErrorCode::kDuplicateCounter,
                                 ErrorCode::kAccessDenied));
}

TEST_F(QuestionsTest, ARegistrationThatCannotBeReadIsAnErrorAndIsAskedForAgain) {
  V2Catalog catalog(api_.source, Language::kEnglish);
  api_.spoils_registrations = true;
  const auto counterset = catalog.counterset(testing::kShop);
  ASSERT_FALSE(counterset);
  EXPECT_EQ(counterset.error().code, ErrorCode::kTruncated);
  api_.spoils_registrations = false;
  EXPECT_TRUE(catalog.counterset(testing::kShop));
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
                         Row{after(OsCode::kResourceDataNotFound, ~0U), true},
                         Row{OsCode::kResourceDataNotFound, false},
                         Row{OsCode::kResourceLanguageNotFound, false},
                         Row{after(OsCode::kResourceLanguageNotFound, 1), true},
                         Row{after(OsCode::kEventMessageNotFound, ~0U), true},
                         Row{OsCode::kEventMessageNotFound, false},
                         Row{OsCode::kEventMessageLocaleNotFound, false},
                         Row{after(OsCode::kEventMessageLocaleNotFound, 1), true},
                         Row{after(OsCode::kMuiFileNotFound, ~0U), true},
                         Row{OsCode::kMuiFileNotFound, false},
                         Row{OsCode::kMuiInvalidLocaleName, false},
                         Row{after(OsCode::kMuiInvalidLocaleName, 1), true},
                         Row{OsCode::kRpcServerUnavailable, true},
                         Row{OsCode::kAccessDenied, false},
                         Row{OsCode::kGuidNotFound, false}}) {
    api_.registration_status = row.os_code;
    V2Catalog catalog(api_.source, Language::kEnglish);
    ASSERT_TRUE(catalog.refresh());
    EXPECT_EQ(catalog.failed_name().has_value(), row.is_tried_again) << value_of(row.os_code);
    EXPECT_EQ(asked().size(), row.is_tried_again ? 1U : 3U) << value_of(row.os_code);
  }
}

}  // namespace
}  // namespace winperf

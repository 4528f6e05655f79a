// Functions that a registration names and a DLL does not export: which are found under another
// name, and what the doctor advises.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ProcedureNames, AreRecognisedInTheDecorationsOfCompilers) {
  for (const char* exported :
       {"_OpenIt@4", "OpenIt@4", "@OpenIt@4", "_OpenIt@12", "_OpenIt", "?OpenIt@@YAKPEAG@Z",
        "?OpenIt@@YGKPAG@Z", "?OpenIt@Provider@@SAKPEAG@Z", "_Z6OpenItPw", "__Z6OpenItPw@4",
        "_ZN8Provider6OpenItEPw"})
    EXPECT_TRUE(is_decorated(exported, "OpenIt")) << exported;
  for (const char* exported :
       {"OpenIt", "openit", "_OpenIt2", "_OpenIt@", "_OpenIt@x", "OpenItNow@4", "@OpenIt", "",
        "?OpenItNow@@YAKPEAG@Z", "?ReOpenIt@@YAKPEAG@Z", "_Z8OpenItXYPw", "_Z16OpenItOpenItOpenPw",
        "_OpenIt@4\" & calc", "_Z6OpenIt\n"})
    EXPECT_FALSE(is_decorated(exported, "OpenIt")) << exported;
  EXPECT_FALSE(is_decorated("_", "")) << "no name is nothing's";
}

std::vector<std::string> commands_of(const Finding& finding) {
  std::vector<std::string> commands;
  for (const RepairStep& step : finding.repair) commands.push_back(step.command);
  return commands;
}

TEST(Procedures, LibraryAndCollectMustBeGivenAndNotEmpty) {
  for (const auto member : {&ProviderFacts::library, &ProviderFacts::collect}) {
    for (const std::optional<std::string>& value :
         {std::optional<std::string>(), std::optional<std::string>("")}) {
      World world = healthy_world();
      world.absent().provider().*member = value;
      const Diagnosis diagnosis = world.diagnosis();
      EXPECT_EQ(diagnosis.cause.reason, Reason::kProceduresMissing);
      const bool is_library = member == &ProviderFacts::library;
      EXPECT_THAT(diagnosis.cause.sentence, HasSubstr(is_library ? "\"Library\"" : "\"Collect\""));
      world.provider().access = Access::kDenied;
      EXPECT_NE(world.diagnosis().cause.reason, Reason::kProceduresMissing) << "it is unknown";
    }
  }
  World without_open = healthy_world();
  without_open.provider().open.reset();
  without_open.provider().close = "";
  EXPECT_EQ(without_open.diagnosis().status, Severity::kOk) << "these may be left out";
}

TEST(Procedures, FiveExportsAreListedAndMoreAreHinted) {
  for (const std::size_t exports : {0U, 1U, 4U, 5U, 6U, 9U}) {
    World world = healthy_world();
    world.absent().provider().file.exports->names.assign(exports, "Other");
    std::string expected =
        "the DLL exports " + std::to_string(exports) + (exports == 1 ? " function" : " functions");
    for (std::size_t i = 0; i < std::min<std::size_t>(exports, 5); ++i)
      expected += i == 0 ? ": Other" : ", Other";
    if (exports > 5) expected += ", ...";
    EXPECT_EQ(world.diagnosis().cause.evidence.back(), expected);
  }
}

TEST(Procedures, DecoratedExportsAreNamedWithTheRepair) {
  World world = healthy_world();
  world.absent().provider().file.exports = {
      {.names = {"?CollectThings@@YAKPEAGPEAPEAXPEAK2@Z", "CloseThings", "_OpenThings@4"}}};
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_EQ(diagnosis.cause.reason, Reason::kProceduresNotExported);
  EXPECT_EQ(diagnosis.cause.sentence,
            "the DLL of the provider of \"Things\" (index 1850), service \"thingsvc\", does not "
            "export \"OpenThings\" or \"CollectThings\", only decorated forms of these names, "
            "which Windows does not recognise");
  const std::string key = "HKLM\\SYSTEM\\CurrentControlSet\\Services\\thingsvc\\Performance";
  EXPECT_THAT(
      diagnosis.cause.evidence,
      ElementsAre(HasSubstr("things.dll"),
                  key + ": Open = \"OpenThings\", which the DLL exports as \"_OpenThings@4\", a "
                        "name that its compiler has decorated",
                  key + ": Collect = \"CollectThings\", which the DLL exports as "
                        "\"?CollectThings@@YAKPEAGPEAPEAXPEAK2@Z\", a name that its compiler has "
                        "decorated",
                  "the DLL exports 3 functions: ?CollectThings@@YAKPEAGPEAPEAXPEAK2@Z, "
                  "CloseThings, _OpenThings@4"));
  EXPECT_THAT(diagnosis.cause.repair.front().text, HasSubstr("extern \"C\""));
  EXPECT_THAT(diagnosis.cause.repair.front().text, HasSubstr(".def"));
  EXPECT_THAT(commands_of(diagnosis.cause), Contains("lodctr /E:\"thingsvc\""));
  EXPECT_THAT(diagnosis.cause.repair.back().text, HasSubstr("restart"));
}

TEST(Procedures, WhatDiffersInCaseAloneCanBeRegisteredSo) {
  World world = healthy_world();
  world.absent().provider().file.exports = {
      {.names = {"openthings", "CollectThings", "CloseThings"}}};
  const Finding cause = world.diagnosis().cause;
  EXPECT_EQ(cause.reason, Reason::kProceduresNotExported);
  EXPECT_THAT(
      commands_of(cause),
      Contains("reg add \"HKLM\\SYSTEM\\CurrentControlSet\\Services\\thingsvc\\Performance\""
               " /v Open /t REG_SZ /d \"openthings\" /f"));
}

TEST(Procedures, WhatTheDllHasInNoFormIsSaidSo) {
  World world = healthy_world();
  world.absent().provider().file.exports = {{.names = {"DllMain"}}};
  const Finding cause = world.diagnosis().cause;
  EXPECT_THAT(cause.sentence,
              HasSubstr("does not export \"OpenThings\", \"CollectThings\" or \"CloseThings\", "
                        "which its registration names"));
  EXPECT_THAT(cause.evidence, Contains(HasSubstr("which the DLL does not export")).Times(3));
  EXPECT_THAT(cause.evidence, Contains("the DLL exports 1 function: DllMain"));
  for (const RepairStep& step : cause.repair) EXPECT_THAT(step.text, Not(HasSubstr("extern")));
}

TEST(Procedures, AmongNamesThatCanNotBeReadAnythingMayBe) {
  World world = healthy_world();
  PeExports& exports = world.absent().provider().file.exports.emplace();
  exports = {.names = {"DllMain"}, .unreadable = 2, .error = Error{.code = ErrorCode::kBadText}};
  EXPECT_THAT(reasons_of(world.diagnosis()), ElementsAre(Reason::kProviderFailed));
  exports.names.emplace_back("_OpenThings@4");
  const Finding cause = world.diagnosis().cause;
  EXPECT_EQ(cause.reason, Reason::kProceduresNotExported);
  EXPECT_THAT(cause.sentence, HasSubstr("does not export \"OpenThings\", only decorated forms"));
  EXPECT_THAT(cause.evidence, Contains(HasSubstr("2 more of its names cannot be read")));
}

TEST(Procedures, OpenAndCloseNeedNotBeRegistered) {
  World world = healthy_world();
  world.provider().open.reset();
  world.provider().close = "";
  world.provider().file.exports = {{.names = {"CollectThings"}}};
  EXPECT_EQ(world.diagnosis().status, Severity::kOk);
  EXPECT_THAT(reasons_of(world.diagnosis()), IsEmpty());
  EXPECT_THAT(reasons_of(world.absent().diagnosis()), ElementsAre(Reason::kProviderFailed))
      << "neither explains that nothing is delivered";
  EXPECT_THAT(world.diagnosis().cause.evidence, Each(Not(HasSubstr("Open"))));
}

TEST(Procedures, WhatIsNotKnownOfADllIsNoReason) {
  World world = healthy_world();
  LibraryFile& file = world.absent().provider().file;
  file.exports.reset();
  file.exports_error = Error{.code = ErrorCode::kLimitExceeded, .where = "library"};
  EXPECT_THAT(reasons_of(world.diagnosis()), ElementsAre(Reason::kProviderFailed));
  EXPECT_THAT(world.diagnosis().cause.evidence,
              Contains(HasSubstr("not all functions that the DLL exports are known: library")));
}

TEST(Procedures, ADamagedExportTableIsADamagedLibrary) {
  World world = healthy_world();
  LibraryFile& file = world.provider().file;
  file.exports.reset();
  file.exports_error =
      Error{.code = ErrorCode::kTruncated, .where = "library.exports", .actual = 9, .limit = 4};
  EXPECT_EQ(world.diagnosis().status, Severity::kOk) << "it is delivered, so Windows could read it";
  const Diagnosis diagnosis = world.absent().diagnosis();
  EXPECT_THAT(reasons_of(diagnosis), ElementsAre(Reason::kLibraryUnusable));
  EXPECT_THAT(diagnosis.cause.sentence, HasSubstr("is damaged: its functions cannot be found"));
  EXPECT_THAT(diagnosis.cause.evidence, Contains(HasSubstr("library.exports")));
}

TEST(Procedures, AProviderThatTheSystemDisabledForThemIsToldSo) {
  World world = healthy_world();
  world.absent().provider().disable_performance_counters = 1;
  world.provider().file.exports = {{.names = {"_OpenThings@4", "CollectThings", "CloseThings"}}};
  const Diagnosis diagnosis = world.diagnosis();
  EXPECT_THAT(reasons_of(diagnosis),
              ElementsAre(Reason::kProviderDisabled, Reason::kProceduresNotExported));
  EXPECT_THAT(diagnosis.cause.evidence,
              Contains(HasSubstr("which the DLL exports as \"_OpenThings@4\", a name that its "
                                 "compiler has decorated, a fault for which Windows sets it")));
  EXPECT_THAT(diagnosis.cause.repair.front().text,
              HasSubstr("does not export a function that its registration names"));
}

}  // namespace
}  // namespace winperf::testing

// What is asked of Windows to register the exporter's own counters: calls, order, arguments, exit
// codes, and what is undone.
#include "service/scm/counter_registration.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "exporter/counters/v2_provider.h"
#include "service/console/exit_code.h"
#include "tests/service/scm/fake_counter_registrar.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using testing::FakeCounterRegistrar;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kProgramFile[] = R"(C:\Program Files\winperf_exporter\winperf_exporter.exe)";
constexpr char kLibrary[] = R"(C:\Program Files\winperf_exporter\winperf_exporter_perf.dll)";
constexpr char kOldLibrary[] = R"(D:\old\winperf_exporter_perf.dll)";
constexpr char kLoad[] =
    R"(load_titles lodctr "C:\Program Files\winperf_exporter\winperf_exporter_perf.ini")";
constexpr char kLoadOld[] = R"(load_titles lodctr "D:\old\winperf_exporter_perf.ini")";
constexpr char kUnload[] = "unload_titles unlodctr winperf_exporter";
constexpr char kPutKey[] = R"(put_key C:\Program Files\winperf_exporter\winperf_exporter_perf.dll)";
constexpr char kPutOldKey[] = R"(put_key D:\old\winperf_exporter_perf.dll)";
constexpr char kPutSource[] =
    R"(put_event_source C:\Program Files\winperf_exporter\winperf_exporter_perf.dll)";
constexpr char kPutOldSource[] = R"(put_event_source D:\old\winperf_exporter_perf.dll)";
constexpr char kLoadManifest[] = R"(lodctr.exe/M "C:\Windows\system32\lodctr.exe" )"
                                 R"(/M:"C:\Program Files\winperf_exporter\winperf_exporter.man" )"
                                 R"("C:\Program Files\winperf_exporter")";
constexpr char kUnloadManifest[] = R"(unlodctr.exe/M "C:\Windows\system32\unlodctr.exe" )"
                                   R"(/G:{2ccc91d9-7078-43ea-a5a0-a0d3dd714ee9})";

class CounterRegistrationTest : public ::testing::Test {
 protected:
  int by(CounterRoad road, bool anew = false) {
    return run({.service = "winperf_exporter",
                .road = road,
                .executable = kProgramFile,
                .is_explicit = true,
                .anew = anew});
  }
  int run(const CounterRequest& request) {
    windows_.calls.clear();
    out_.str("");
    err_.str("");
    return register_counters(windows_, request, console_);
  }
  int unregister() {
    windows_.calls.clear();
    out_.str("");
    err_.str("");
    return unregister_counters(windows_, kProgramFile, console_);
  }

  FakeCounterRegistrar windows_;
  std::ostringstream out_;
  std::ostringstream err_;
  ServiceConsole console_{out_, err_};
};

TEST_F(CounterRegistrationTest, V1_WritesItsValuesBeforeWindowsAssignsIndices) {
  EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kPutKey, kPutSource, kLoad));
  ASSERT_TRUE(windows_.now.key);
  const CounterKey& key = *windows_.now.key;
  EXPECT_EQ(key.library, kLibrary);
  EXPECT_EQ(key.open, "OpenWinperfExporter");
  EXPECT_EQ(key.collect, "CollectWinperfExporter");
  EXPECT_EQ(key.close, "CloseWinperfExporter");
  EXPECT_EQ(key.supports_metadata, 1U);
  EXPECT_EQ(windows_.now.message_file, kLibrary);
  const std::uint32_t last = 5000 + 2 * static_cast<std::uint32_t>(counter_names() - 1);
  EXPECT_EQ(out_.str(), "  own counters: v1: " + std::string(kLibrary) + ", indices 5000 to " +
                            std::to_string(last) + "\n");
  EXPECT_THAT(err_.str(), IsEmpty());
}

TEST_F(CounterRegistrationTest, V2_LoadsTheManifestForTheFolderOfTheProgram) {
  EXPECT_EQ(by(CounterRoad::kV2), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kLoadManifest));
  EXPECT_EQ(out_.str(), "  own counters: v2\n");
}

TEST_F(CounterRegistrationTest, WhatIsAlreadyRight_IsLeftAlone) {
  windows_.set_v1(kLibrary);
  EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
  EXPECT_THAT(windows_.calls, IsEmpty());
  EXPECT_THAT(out_.str(), HasSubstr("own counters: v1"));
  windows_.now = {.key = {}, .message_file = {}, .v2_countersets = 0};
  EXPECT_EQ(by(CounterRoad::kNone), kExitOk);
  EXPECT_THAT(windows_.calls, IsEmpty());
  EXPECT_EQ(out_.str(), "  own counters: none\n");
}

TEST_F(CounterRegistrationTest, PathsThatDifferInCaseAlone_AreTheSame) {
  windows_.set_v1(R"(c:\PROGRAM FILES\winperf_exporter/WINPERF_EXPORTER_PERF.DLL)");
  EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
  EXPECT_THAT(windows_.calls, IsEmpty());
}

TEST_F(CounterRegistrationTest, AnotherPath_RemovesTheOldNamesFirst) {
  windows_.set_v1(kOldLibrary);
  EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnload, kPutKey, kPutSource, kLoad));
}

TEST_F(CounterRegistrationTest, RangeOfAnotherVersion_IsAssignedAgain) {
  for (const int difference : {-2, 2}) {
    windows_.set_v1(kLibrary);
    windows_.now.key->last_counter =
        static_cast<std::uint32_t>(static_cast<int>(*windows_.now.key->last_counter) + difference);
    EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
    EXPECT_THAT(windows_.calls, ElementsAre(kUnload, kPutKey, kPutSource, kLoad)) << difference;
    EXPECT_TRUE(is_v1_complete(windows_.now, kLibrary));
  }
}

TEST_F(CounterRegistrationTest, EachValueThatIsWrong_IsWrittenAgain) {
  const auto spoilt = [this](auto spoil) {
    windows_.set_v1(kLibrary);
    spoil(windows_.now);
    EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
    return !windows_.calls.empty() && is_v1_complete(windows_.now, kLibrary);
  };
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.key->library.reset(); }));
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.key->open = "Open"; }));
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.key->collect.reset(); }));
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.key->close = ""; }));
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.key->supports_metadata = 0; }));
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.key->first_help.reset(); }));
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.message_file.reset(); }));
  EXPECT_TRUE(spoilt([](CounterFacts& facts) { facts.key.reset(); }));
}

TEST_F(CounterRegistrationTest, OneRoad_RemovesTheOther) {
  windows_.set_v1(kLibrary);
  EXPECT_EQ(by(CounterRoad::kV2), kExitOk);
  EXPECT_THAT(windows_.calls,
              ElementsAre(kUnload, "remove_event_source", "remove_key", kLoadManifest));
  EXPECT_EQ(roads_text(windows_.now), "v2");
  EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnloadManifest, kPutKey, kPutSource, kLoad));
  EXPECT_EQ(roads_text(windows_.now), "v1");
  windows_.now.v2_countersets = 2;
  EXPECT_EQ(by(CounterRoad::kNone), kExitOk);
  EXPECT_THAT(windows_.calls,
              ElementsAre(kUnload, "remove_event_source", "remove_key", kUnloadManifest));
  EXPECT_EQ(roads_text(windows_.now), "none");
}

TEST_F(CounterRegistrationTest, Again_BeginsWithAnEmptyKey) {
  windows_.set_v1(kLibrary);
  EXPECT_EQ(by(CounterRoad::kV1, true), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnload, "remove_event_source", "remove_key", kPutKey,
                                          kPutSource, kLoad));
}

TEST_F(CounterRegistrationTest, NamesOfOtherProgramsWithItsIndices_AreNotRemoved) {
  for (const CounterRoad road : {CounterRoad::kV1, CounterRoad::kNone})
    for (const bool anew : {false, true}) {
      windows_.set_v1(kLibrary);
      windows_.now.first_title = "Their Object";
      EXPECT_EQ(by(road, anew), kExitOk);
      if (road == CounterRoad::kV1) {
        EXPECT_THAT(windows_.calls,
                    ElementsAre("remove_event_source", "remove_key", kPutKey, kPutSource, kLoad));
      } else {
        EXPECT_THAT(windows_.calls, ElementsAre("remove_event_source", "remove_key"));
      }
    }
  windows_.set_v1(kLibrary);
  windows_.now.first_title = "Their Object";
  EXPECT_EQ(unregister(), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre("remove_key", "remove_event_source"));
}

TEST_F(CounterRegistrationTest, V2_IsLoadedAgainBecauseItsFileIsUnknown) {
  windows_.now.v2_countersets = 1;
  EXPECT_EQ(by(CounterRoad::kV2), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnloadManifest, kLoadManifest));
}

TEST_F(CounterRegistrationTest, WithoutTheFunctions_TheProgramsDoIt) {
  for (const std::uint32_t code : {126U, 127U}) {
    windows_ = FakeCounterRegistrar();
    windows_.failing = {{"load_titles", code}, {"unload_titles", code}};
    EXPECT_EQ(by(CounterRoad::kV1), kExitOk);
    EXPECT_EQ(windows_.calls.back(),
              R"(lodctr.exe "C:\Windows\system32\lodctr.exe" )"
              R"("C:\Program Files\winperf_exporter\winperf_exporter_perf.ini")");
    EXPECT_EQ(unregister(), kExitOk);
    EXPECT_THAT(
        windows_.calls,
        ElementsAre(kUnload, R"(unlodctr.exe "C:\Windows\system32\unlodctr.exe" winperf_exporter)",
                    "remove_key", "remove_event_source"));
  }
}

TEST_F(CounterRegistrationTest, SuccessWithoutIndices_IsNone) {
  windows_.doing_nothing = {"load_titles"};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(err_.str(),
              HasSubstr("winperf_exporter: its own counters are not registered: Windows reported "
                        "success but has assigned no title indices: First Counter, Last Counter, "
                        "First Help or Last Help is missing"));
  EXPECT_THAT(windows_.calls, ElementsAre(kPutKey, kPutSource, kLoad, kUnload,
                                          "remove_event_source", "remove_key"));
  EXPECT_FALSE(has_v1(windows_.now));
}

TEST_F(CounterRegistrationTest, SuccessWithoutCountersets_IsNone) {
  windows_.doing_nothing = {"lodctr.exe/M"};
  EXPECT_EQ(by(CounterRoad::kV2), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("success but knows none of the countersets"));
  EXPECT_THAT(windows_.calls, ElementsAre(kLoadManifest, kUnloadManifest));
}

TEST_F(CounterRegistrationTest, FilesOfDifferentVersions_AreNoticed) {
  windows_.names -= 1;
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("the files beside the program are of different versions"));
  EXPECT_FALSE(has_v1(windows_.now));
}

TEST_F(CounterRegistrationTest, EachFailure_UndoesWhatWasDoneInReverse) {
  windows_.failing = {{"put_key", 5}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitAccessDenied);
  EXPECT_THAT(windows_.calls, ElementsAre(kPutKey));
  EXPECT_THAT(err_.str(), HasSubstr("access denied; run this as administrator"));
  windows_.failing = {{"put_event_source", 1450}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(windows_.calls, ElementsAre(kPutKey, kPutSource, "remove_key"));
  windows_.failing = {{"load_titles", 2}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(windows_.calls,
              ElementsAre(kPutKey, kPutSource, kLoad, "remove_event_source", "remove_key"));
  EXPECT_FALSE(has_v1(windows_.now));
}

TEST_F(CounterRegistrationTest, FailureAfterTheOldOneWasRemoved_BringsItBack) {
  windows_.set_v1(kOldLibrary);
  windows_.failing = {{"lodctr.exe/M", 87}};
  EXPECT_EQ(by(CounterRoad::kV2), kExitFailure);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnload, "remove_event_source", "remove_key",
                                          kLoadManifest, kPutOldKey, kPutOldSource, kLoadOld));
  EXPECT_TRUE(is_v1_complete(windows_.now, kOldLibrary));
  windows_.failing = {{"put_event_source", 1450}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnload, kPutKey, kPutSource, kPutOldKey, kLoadOld));
}

TEST_F(CounterRegistrationTest, V2ThatWasRemoved_IsBroughtBack) {
  windows_.now.v2_countersets = 2;
  windows_.failing = {{"load_titles", 1450}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnloadManifest, kPutKey, kPutSource, kLoad,
                                          "remove_event_source", "remove_key", kLoadManifest));
  EXPECT_EQ(roads_text(windows_.now), "v2");
}

TEST_F(CounterRegistrationTest, FailureThatHadItsEffect_IsUndone) {
  windows_.failing_after = {{"load_titles", 1450}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(windows_.calls, ElementsAre(kPutKey, kPutSource, kLoad, kUnload,
                                          "remove_event_source", "remove_key"));
  EXPECT_FALSE(has_v1(windows_.now));
  windows_.failing_after = {{"lodctr.exe/M", 1450}};
  EXPECT_EQ(by(CounterRoad::kV2), kExitFailure);
  EXPECT_THAT(windows_.calls, ElementsAre(kLoadManifest, kUnloadManifest));
  EXPECT_FALSE(has_v2(windows_.now));
}

TEST_F(CounterRegistrationTest, NamesThatStay_KeepTheKeyThatSaysWhichTheyAre) {
  windows_.names -= 1;
  windows_.failing = {{"unload_titles", 170}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(windows_.calls,
              ElementsAre(kPutKey, kPutSource, kLoad, kUnload, "remove_event_source"));
  ASSERT_TRUE(windows_.now.key);
  EXPECT_TRUE(has_all_indices(*windows_.now.key));
  EXPECT_THAT(err_.str(), HasSubstr("a step could not be undone: another program is changing"));
}

TEST_F(CounterRegistrationTest, WhatCannotBeUndone_IsSaid) {
  windows_.failing = {{"load_titles", 1450}, {"remove_key", 1018}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("a step could not be undone: Windows error 1018\n"));
}

TEST_F(CounterRegistrationTest, CodesAreSentences) {
  const std::pair<std::uint32_t, const char*> rows[] = {
      {2, "Windows does not find a file or a registry value that it needs (Windows error 2)"},
      {3, "(Windows error 3)"},
      {5, "access denied; run this as administrator (Windows error 5)"},
      {13, "lodctr /S:FILE\" before you let \"lodctr /R\" rebuild them"},
      {87, "does not accept the file that describes the counters"},
      {170, "another program is changing counters; try again (Windows error 170)"},
      {258, "another program is changing counters"},
      {1009, "Windows' tables of counter names are damaged (Windows error 1009)"},
      {1010, "Windows' tables of counter names are damaged"},
      {4711, "Windows error 4711"}};
  for (const auto& [code, words] : rows) {
    windows_.failing = {{"load_titles", code}, {"lodctr.exe/M", code}};
    EXPECT_NE(by(CounterRoad::kV1), kExitOk);
    EXPECT_THAT(err_.str(), HasSubstr(words));
    EXPECT_NE(by(CounterRoad::kV2), kExitOk);
    EXPECT_THAT(err_.str(), HasSubstr(words));
  }
}

TEST_F(CounterRegistrationTest, AlreadyThere_IsASuccessIfItIs) {
  windows_.failing = {{"load_titles", 183}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure) << "there are no indices";
  windows_.set_v1(kLibrary);
  windows_.now.message_file.reset();
  windows_.doing_nothing = {};
  windows_.failing = {{"unload_titles", 2}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure) << "2, and they are still there";
  EXPECT_THAT(err_.str(), HasSubstr("Windows did not remove the counters' names: "));
}

TEST_F(CounterRegistrationTest, MissingFile_ChangesNothing) {
  for (const std::string file :
       {"winperf_exporter_perf.dll", "winperf_exporter_perf.ini", "winperf_exporter_perf.h"}) {
    const std::string path = R"(C:\Program Files\winperf_exporter\)" + file;
    windows_.missing_files = {path};
    EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
    EXPECT_THAT(err_.str(), HasSubstr(path + " does not exist\n"));
    EXPECT_THAT(windows_.calls, IsEmpty());
  }
  EXPECT_EQ(by(CounterRoad::kV2), kExitOk) << "which needs other files";
  windows_ = FakeCounterRegistrar();
  windows_.missing_files = {R"(C:\Program Files\winperf_exporter\winperf_exporter.man)"};
  EXPECT_EQ(by(CounterRoad::kV2), kExitFailure);
  EXPECT_THAT(windows_.calls, IsEmpty());
}

TEST_F(CounterRegistrationTest, ProgramWithoutItsFiles_IsNoErrorIfNoRoadWasAskedFor) {
  const CounterRequest request{
      .service = "winperf_exporter", .road = CounterRoad::kV1, .executable = kProgramFile};
  windows_.missing_files = {kLibrary};
  EXPECT_EQ(run(request), kExitOk);
  EXPECT_THAT(err_.str(), HasSubstr("its own counters are not registered: "));
  EXPECT_THAT(windows_.calls, IsEmpty());
  windows_.missing_files = {R"(C:\Program Files\winperf_exporter\winperf_exporter_perf.ini)"};
  EXPECT_EQ(run(request), kExitFailure) << "only a part is missing";
}

TEST_F(CounterRegistrationTest, KeyOfAnotherProgram_IsLeftAlone) {
  windows_.set_v1(R"(C:\other\their.dll)");
  windows_.now.message_file.reset();
  EXPECT_EQ(by(CounterRoad::kV1), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr(R"(belongs to another program's DLL: C:\other\their.dll)"));
  EXPECT_THAT(windows_.calls, IsEmpty());
  EXPECT_EQ(unregister(), kExitOk);
  EXPECT_THAT(windows_.calls, IsEmpty());
  EXPECT_EQ(out_.str(), "") << "nothing was removed";
}

TEST_F(CounterRegistrationTest, AnotherService_HasNone) {
  CounterRequest other{.service = "other",
                       .road = CounterRoad::kV1,
                       .executable = kProgramFile,
                       .is_explicit = true,
                       .anew = false};
  EXPECT_EQ(run(other), kExitFailure);
  EXPECT_EQ(err_.str(),
            "other: its own counters are not registered: only the service winperf_exporter has "
            "own counters\n");
  other.is_explicit = false;
  EXPECT_EQ(run(other), kExitOk);
  EXPECT_THAT(out_.str(), HasSubstr("own counters: none; only the service winperf_exporter"));
  EXPECT_THAT(windows_.calls, IsEmpty());
}

TEST_F(CounterRegistrationTest, Removal_LeavesNothing) {
  windows_.set_v1(kLibrary);
  EXPECT_EQ(unregister(), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnload, "remove_key", "remove_event_source"));
  EXPECT_FALSE(has_v1(windows_.now));
  EXPECT_EQ(out_.str(), "winperf_exporter: its own counters are unregistered\n");
  EXPECT_EQ(unregister(), kExitOk);
  EXPECT_THAT(windows_.calls, IsEmpty());
  EXPECT_EQ(out_.str(), "");
  windows_.now.v2_countersets = 2;
  EXPECT_EQ(unregister(), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnloadManifest));
}

TEST_F(CounterRegistrationTest, ManifestThatIsGone_IsNotNeededToRemoveIt) {
  windows_.now.v2_countersets = 2;
  windows_.missing_files = {R"(C:\Program Files\winperf_exporter\winperf_exporter.man)"};
  EXPECT_EQ(unregister(), kExitOk);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnloadManifest));
  EXPECT_FALSE(has_v2(windows_.now));
}

TEST(CounterStateTest, ProviderIsThatOfTheManifest) {
  std::string text(40, '\0');
  const own::ProviderGuid& guid = own::kProviderGuid;
  text.resize(static_cast<std::size_t>(
      std::snprintf(text.data(), text.size(), "{%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x}",
                    guid.data1, guid.data2, guid.data3, guid.data4[0], guid.data4[1], guid.data4[2],
                    guid.data4[3], guid.data4[4], guid.data4[5], guid.data4[6], guid.data4[7])));
  EXPECT_EQ(text, kCounterProvider);
}

TEST_F(CounterRegistrationTest, RemovalThatFails_KeepsTheKeyThatSaysWhichNamesTheyAre) {
  windows_.set_v1(kLibrary);
  windows_.failing = {{"unload_titles", 5}};
  EXPECT_EQ(unregister(), kExitAccessDenied);
  EXPECT_THAT(windows_.calls, ElementsAre(kUnload, "remove_event_source"));
  EXPECT_TRUE(windows_.now.key);
  EXPECT_THAT(err_.str(), HasSubstr("its own counters are not removed completely"));
  windows_.failing.clear();
  windows_.doing_nothing = {"unload_titles"};
  EXPECT_EQ(unregister(), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("reported success but has not removed the counters' names"));
  EXPECT_TRUE(windows_.now.key);
}

TEST_F(CounterRegistrationTest, UnlodctrThatFindsNothing_HasRemovedThem) {
  for (const std::uint32_t code : {2U, 1010U}) {
    windows_.set_v1(kLibrary);
    windows_.now.v2_countersets = 2;
    windows_.failing_after = {{"unload_titles", code}, {"unlodctr.exe/M", code}};
    EXPECT_EQ(unregister(), kExitOk);
    EXPECT_FALSE(has_v1(windows_.now) || has_v2(windows_.now));
  }
  windows_.failing = {{"unlodctr.exe/M", 4200}};
  windows_.now.v2_countersets = 2;
  EXPECT_EQ(unregister(), kExitFailure);
  EXPECT_THAT(err_.str(), HasSubstr("Windows did not remove the countersets of"));
}

TEST_F(CounterRegistrationTest, WhatCannotBeRead_IsAFailure) {
  windows_.failing = {{"facts", 5}};
  EXPECT_EQ(by(CounterRoad::kV1), kExitAccessDenied);
  EXPECT_EQ(unregister(), kExitAccessDenied);
  EXPECT_THAT(windows_.calls, IsEmpty());
}

TEST(CounterStateTest, FilesAreBesideTheProgram) {
  EXPECT_EQ(counter_files(kProgramFile).library, kLibrary);
  EXPECT_EQ(counter_files("C:\\w.exe").folder, "C:\\");
  EXPECT_EQ(counter_files("C:\\w.exe").manifest, "C:\\winperf_exporter.man");
  EXPECT_EQ(counter_files("w.exe").folder, "");
}

TEST(CounterStateTest, RangeIsThatOfAllNamesAndTexts) {
  FakeCounterRegistrar windows;
  windows.set_v1(kLibrary);
  EXPECT_TRUE(has_range_of_table(*windows.now.key));
  CounterKey key = *windows.now.key;
  key.last_help = *key.last_help - 2;
  EXPECT_FALSE(has_range_of_table(key));
  key.last_counter = 0;
  EXPECT_FALSE(has_range_of_table(key)) << "it ends before it begins";
  EXPECT_FALSE(has_range_of_table(CounterKey()));
  EXPECT_TRUE(has_all_indices(*windows.now.key));
  key.last_help.reset();
  EXPECT_FALSE(has_all_indices(key));
  EXPECT_TRUE(has_any_index(key));
  EXPECT_EQ(range_text(CounterKey()), "(no First Counter) to (no Last Counter)");
}

TEST(CounterStateTest, TitlesAreComparedWithTheTable) {
  CounterKey key = counter_key_for(kLibrary);
  EXPECT_THAT(foreign_titles(
                  key, [](std::uint32_t) { return nullptr; }, 3),
              IsEmpty())
      << "without indices there is nothing to compare";
  key.first_counter = 5000;
  const std::string theirs = "Theirs";
  const auto lines = foreign_titles(
      key, [&](std::uint32_t index) { return index == 5000 ? &theirs : nullptr; }, 2);
  EXPECT_THAT(lines, ElementsAre("index 5000 is \"Theirs\" instead of \"winperf_exporter\"",
                                 "index 5002 is without a name instead of \"State Number\""));
  key.first_counter = 0xFFFF'FFFF;
  EXPECT_EQ(
      foreign_titles(key, [](std::uint32_t) { return nullptr; }, 1000).size(), counter_names());
}

}  // namespace
}  // namespace winperf

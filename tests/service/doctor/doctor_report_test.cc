// What people and programs read of a diagnosis.
#include "service/doctor/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace winperf {
namespace {

using Json = nlohmann::json;

Finding finding(Reason reason, Severity severity, std::string sentence) {
  Finding made;
  made.reason = reason;
  made.severity = severity;
  made.sentence = std::move(sentence);
  return made;
}

Diagnosis diagnosis(std::string counterset, Finding cause) {
  Diagnosis made;
  made.counterset = std::move(counterset);
  made.status = cause.severity;
  made.cause = std::move(cause);
  return made;
}

Diagnosis healthy(std::string counterset) {
  return diagnosis(std::move(counterset), finding(Reason::kHealthy, Severity::kOk, "all is well"));
}

Diagnosis failed() {
  Finding cause = finding(Reason::kTimedOut, Severity::kFailed, "it timed out");
  cause.repair = {{"do this", "because of that"}, {"", "or wait"}};
  cause.evidence = {"one", "two"};
  Diagnosis made = diagnosis("Things", std::move(cause));
  made.object = "Things";
  made.index = ObjectIndex{1850};
  made.service = "thingsvc";
  return made;
}

TEST(DoctorText, HasTheColoursOfTheStatusOnATerminal) {
  const std::string text =
      diagnoses_to_text(std::vector{healthy("Memory"), failed()}, {.has_colours = true});
  EXPECT_THAT(text, ::testing::StartsWith("\x1b[32mok       \x1b[0mMemory: "));
  EXPECT_THAT(text, ::testing::HasSubstr("\n\x1b[31mfailed   \x1b[0mThings: "));
}

TEST(DoctorText, ShowsCauseRepairAndEvidence) {
  EXPECT_EQ(diagnoses_to_text(std::vector{healthy("Memory"), failed()}),
            "ok       Memory: all is well\n"
            "failed   Things: timed_out\n"
            "    it timed out\n"
            "    1. do this\n"
            "       because of that\n"
            "    2. or wait\n"
            "    found: one\n"
            "    found: two\n"
            "2 countersets: 1 ok, 0 with a warning, 1 failed\n");
}

// Names of providers are in all parts, and none of them begins a line or moves the cursor.
TEST(DoctorText, HasNothingThatATerminalObeys) {
  const std::string foreign = "x\x1b[2J\ny";
  Diagnosis made = failed();
  made.counterset = foreign;
  made.cause.sentence = foreign;
  made.cause.repair = {{foreign, foreign}};
  made.cause.evidence = {foreign};
  made.also = {finding(Reason::kNoInstances, Severity::kWarning, foreign),
               finding(Reason::kObjectCostly, Severity::kNote, foreign)};
  Diagnosis well = healthy(foreign);
  well.cause.sentence = foreign;
  const std::string shown = "x\\u001b[2J\\u000ay";
  EXPECT_EQ(diagnoses_to_text(std::vector{made, well}),
            "failed   " + shown + ": timed_out\n    " + shown + "\n    1. " + shown + "\n       " +
                shown + "\n    found: " + shown + "\n  also no_instances\n    " + shown +
                "\nok       " + shown + ": " + shown + "\nnote     object_costly (" + shown +
                ")\n    " + shown + "\n2 countersets: 1 ok, 0 with a warning, 1 failed\n");
}

TEST(DoctorText, CountsNoneOneAndMany) {
  EXPECT_EQ(diagnoses_to_text({}), "0 countersets: 0 ok, 0 with a warning, 0 failed\n");
  EXPECT_EQ(diagnoses_to_text(std::vector{healthy("A")}),
            "ok       A: all is well\n1 counterset: 1 ok, 0 with a warning, 0 failed\n");
  Diagnosis warning = diagnosis("B", finding(Reason::kNoInstances, Severity::kWarning, "none"));
  const std::string text = diagnoses_to_text(std::vector{warning, warning, failed()});
  EXPECT_TRUE(text.ends_with("3 countersets: 0 ok, 2 with a warning, 1 failed\n")) << text;
}

TEST(DoctorText, FurtherFindingsFollowAndAMachineIsNamed) {
  Diagnosis made = failed();
  made.machine = "HOST";
  made.also = {finding(Reason::kNotPrivileged, Severity::kFailed, "no rights"),
               finding(Reason::kTestLevelSet, Severity::kNote, "a note")};
  made.cause.repair.clear();
  made.cause.evidence.clear();
  EXPECT_EQ(diagnoses_to_text(std::vector{made}),
            "failed   Things on HOST: timed_out\n"
            "    it timed out\n"
            "  also not_privileged\n"
            "    no rights\n"
            "note     test_level_set (Things on HOST)\n"
            "    a note\n"
            "1 counterset: 0 ok, 0 with a warning, 1 failed\n");
}

TEST(DoctorText, ANoteOfSeveralCountersetsIsPrintedOnce) {
  const Finding same = finding(Reason::kTestLevelSet, Severity::kNote, "level 1");
  const Finding other = finding(Reason::kTestLevelSet, Severity::kNote, "level 2");
  Diagnosis a = healthy("A"), b = healthy("B"), c = healthy("C");
  a.also = {same};
  b.also = {other, same};
  c.also = {same};
  EXPECT_EQ(diagnoses_to_text(std::vector{a, b, c}),
            "ok       A: all is well\n"
            "ok       B: all is well\n"
            "ok       C: all is well\n"
            "note     test_level_set (A, B, C)\n"
            "    level 1\n"
            "note     test_level_set (B)\n"
            "    level 2\n"
            "3 countersets: 3 ok, 0 with a warning, 0 failed\n");
}

TEST(DoctorJson, HasEverythingThatIsKnownAndNullForTheRest) {
  Diagnosis made = failed();
  made.also = {finding(Reason::kTestLevelSet, Severity::kNote, "a note")};
  const Json document =
      Json::parse(diagnoses_to_json(std::vector{healthy("Memory"), made}, "registry"));
  EXPECT_EQ(document["source"], "registry");
  EXPECT_EQ(document["summary"],
            Json::parse(R"({"ok": 1, "absent": 0, "warning": 0, "failed": 1})"));
  EXPECT_EQ(document["countersets"].at(0), Json::parse(R"({
    "name": "Memory", "status": "ok", "object": "", "object_index": null, "provider": null,
    "reason": "healthy", "sentence": "all is well", "repair": [], "evidence": [], "also": []})"));
  EXPECT_EQ(document["countersets"].at(1), Json::parse(R"({
    "name": "Things", "status": "failed", "object": "Things", "object_index": 1850,
    "provider": "thingsvc", "reason": "timed_out", "sentence": "it timed out",
    "repair": [{"command": "do this", "text": "because of that"},
               {"command": null, "text": "or wait"}],
    "evidence": ["one", "two"],
    "also": [{"severity": "note", "reason": "test_level_set", "sentence": "a note", "repair": [],
              "evidence": []}]})"));
}

TEST(DoctorJson, NamesTheMachineAndTheRecording) {
  Diagnosis made = healthy("Memory");
  made.machine = "HOST";
  const Json document = Json::parse(diagnoses_to_json(std::vector{made}, "replay"));
  EXPECT_EQ(document["source"], "replay");
  EXPECT_EQ(document["countersets"].at(0)["machine"], "HOST");
  EXPECT_EQ(Json::parse(diagnoses_to_json({}, "target"))["countersets"], Json::array());
}

TEST(DoctorJson, IsValidWhateverTheNamesAre) {
  const Json document =
      Json::parse(diagnoses_to_json(std::vector{healthy("a\xFF\"\n")}, "registry"));
  EXPECT_EQ(document["countersets"].at(0)["name"], "a\uFFFD\"\n");
  EXPECT_THAT(diagnoses_to_json(std::vector{healthy("gr\u00f6\u00dfer")}, "registry"),
              ::testing::HasSubstr("\"gr\u00f6\u00dfer\""))
      << "in UTF-8";
}

}  // namespace
}  // namespace winperf

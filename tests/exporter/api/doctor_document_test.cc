// A diagnosis is what the description of the API says, or isn't taken.
#include "exporter/api/doctor_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winperf::api {
namespace {

using ::testing::HasSubstr;
using Tree = nlohmann::ordered_json;

constexpr char kDiagnosis[] = R"({
  "schema": 1, "source": "registry",
  "summary": {"ok": 1, "absent": 0, "warning": 0, "failed": 1},
  "countersets": [
    {"name": "Memory", "status": "failed", "object": "Memory", "object_index": 4, "provider": null,
     "reason": "timed_out", "sentence": "it timed out",
     "repair": [{"command": "a", "text": "b"}, {"command": null, "text": "c"}],
     "evidence": ["d"],
     "also": [{"severity": "note", "reason": "r", "sentence": "s",
               "repair": [{"command": null, "text": "t"}], "evidence": []}]}],
  "checks": [
    {"name": "facts", "subject": "os", "status": "ok", "reason": "healthy", "sentence": "1 row",
     "repair": [], "evidence": [], "also": []}]})";

Tree tree() { return Tree::parse(kDiagnosis); }

// Of a place such as "/countersets/0/also". The library's own pointers make MSVC warn of what is
// deprecated in the library.
Tree& value_at(Tree& document, std::string_view place) {
  Tree* value = &document;
  while (!place.empty()) {
    place.remove_prefix(1);
    const std::string key(place.substr(0, place.find('/')));
    value = value->is_array() ? &(*value)[std::stoul(key)] : &(*value)[key];
    place.remove_prefix(key.size());
  }
  return *value;
}

bool is_taken(const Tree& document) { return read_diagnosis(document.dump()).has_value(); }

TEST(DoctorDocument, HasTheDiagnosisWithItsTimes) {
  const auto members = read_diagnosis(kDiagnosis);
  ASSERT_TRUE(members);
  const MadeDiagnosis made{.members = *members,
                           .made_at = Ticks100ns{kUnixEpoch100ns},
                           .finished = SteadyTime(std::chrono::seconds(100)),
                           .duration = std::chrono::milliseconds(2'500)};
  const auto document =
      Tree::parse(doctor_document(made, SteadyTime(std::chrono::milliseconds(107'250))));
  EXPECT_EQ(document["made_at"], "1970-01-01T00:00:00.0000000Z");
  EXPECT_EQ(document["duration_seconds"], 2.5);
  EXPECT_EQ(document["age_seconds"], 7.25);
  Tree rest = document;
  for (const char* const key : {"made_at", "duration_seconds", "age_seconds"}) rest.erase(key);
  Tree expected = tree();
  expected.erase("schema");
  EXPECT_EQ(rest, expected);
  EXPECT_THAT(doctor_document(made, SteadyTime()), HasSubstr("\"age_seconds\":0,"))
      << "another thread may have read an earlier time";
}

TEST(DoctorDocument, HasChecksEvenIfThereAreNone) {
  Tree document = tree();
  document.erase("checks");
  const auto members = read_diagnosis(document.dump());
  ASSERT_TRUE(members);
  EXPECT_THAT(*members, HasSubstr("\"checks\":[]"));
}

TEST(DoctorDocument, IsOnlyMadeOfADiagnosis) {
  ASSERT_TRUE(is_taken(tree()));
  for (const char* const text : {"", "{", "null", "[]", "{}", "\xff", "{\"schema\": 1}"})
    EXPECT_FALSE(read_diagnosis(text)) << text;
  // Each member, at each place.
  const char* const lists[] = {"countersets", "checks"};
  for (const char* const list : lists) {
    const Tree entry = tree()[list][0];
    for (const auto& [key, value] : entry.items()) {
      Tree without = tree();
      without[list][0].erase(key);
      EXPECT_FALSE(is_taken(without)) << list << ' ' << key;
      Tree other = tree();
      other[list][0][key] = true;
      EXPECT_FALSE(is_taken(other)) << list << ' ' << key;
    }
    Tree more = tree();
    more[list][0]["more"] = 1;
    EXPECT_FALSE(is_taken(more)) << list;
  }
  for (const char* const place :
       {"/source", "/summary", "/summary/ok", "/countersets/0/repair/0",
        "/countersets/0/repair/1/text", "/countersets/0/also/0", "/countersets/0/also/0/severity",
        "/countersets/0/evidence/0", "/countersets/0/also/0/repair/0/command"}) {
    Tree other = tree();
    value_at(other, place) = -1;
    EXPECT_FALSE(is_taken(other)) << place;
  }
}

TEST(DoctorDocument, MayBeDeepOnlyAsFarAsNeeded) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(read_diagnosis(deep + std::string(100'000, ']')).error(),
            "the worker's answer is no JSON document");
  Tree document = tree();
  document["countersets"][0]["also"][0]["repair"][0]["text"] = Tree::array();
  EXPECT_EQ(read_diagnosis(document.dump()).error(), "the worker's answer is no diagnosis");
  document["countersets"][0]["also"][0]["repair"][0]["text"] = Tree::parse("[1]");
  EXPECT_EQ(read_diagnosis(document.dump()).error(), "the worker's answer is no JSON document");
}

}  // namespace
}  // namespace winperf::api

// What a worker says is a diagnosis: whatever it is, the document of the API that comes of it is
// JSON with the members that are described, or there is none and a reason.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "exporter/api/doctor_document.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/text_input.h"

namespace winperf::fuzz {
namespace {

void check(std::string_view text) {
  const auto members = api::read_diagnosis(text);
  if (!members) return require(!members.error().empty(), "a refusal says why");
  const std::string document = api::doctor_document({.members = *members}, {});
  const auto parsed = nlohmann::json::parse(document, nullptr, false);
  require(parsed.is_object(), "it is a document");
  for (const char* const name :
       {"made_at", "duration_seconds", "age_seconds", "source", "summary", "countersets", "checks"})
    require(parsed.contains(name), "it has all members");
  require(parsed.size() == 7, "and no others");
  require(api::read_diagnosis('{' + *members + '}') == *members, "what was read is read again");
}

}  // namespace

std::vector<Input> seeds() {
  return inputs_of(
      {R"({"schema":1,"source":"registry","summary":{"ok":1,"absent":0,"warning":0,"failed":0},)"
       R"("countersets":[{"name":"Memory","status":"ok","object":"Memory","object_index":4,)"
       R"("provider":"PerfOS","reason":"healthy","sentence":"35 counters","repair":[],)"
       R"("evidence":["one query took 2 ms"],"also":[{"severity":"note","reason":"a","sentence":"b",)"
       R"("repair":[{"command":null,"text":"c"}],"evidence":[]}]}],"checks":[]})",
       R"({"source":"registry","summary":{"ok":0,"absent":0,"warning":0,"failed":1},)"
       R"("countersets":[],"checks":[{"name":"facts","subject":"os","status":"failed",)"
       R"("reason":"facts_denied","sentence":"\u00e4\"\\","repair":[{"command":"x","text":"y"}],)"
       R"("evidence":[],"also":[]}]})",
       R"({"source":"","summary":{"ok":0,"absent":0,"warning":0,"failed":0},"countersets":[]})"});
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

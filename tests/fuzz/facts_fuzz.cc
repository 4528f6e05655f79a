// What a worker answers about facts: whatever it says, the page that comes of it is one that the
// parser of text files accepts, without a series twice, and a table that was read is read again.
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "collectors/facts/fact_table.h"
#include "exporter/text/facts_part.h"
#include "tests/exporter/textfile/parse_textfile.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

constexpr MetricProfile kProfiles[]{MetricProfile::kWinperf, MetricProfile::kWindowsExporter,
                                    MetricProfile::kWindowsExporterLegacy};

void check_page(const FactTable& table, FactTopic topic) {
  FactSnapshot facts;
  facts.topics.push_back({.topic = topic,
                          .stale_after = std::chrono::seconds(1),
                          .table = std::make_shared<const FactTable>(table)});
  std::string page;
  append_facts(page, PageFormat::kText, facts, kProfiles, {}, {}, 1000);
  if (!page.empty()) require(parse_textfile(page).has_value(), "the page can be parsed");
}

void check(std::string_view text) {
  const auto table = parse_fact_text(text);
  if (!table) return;
  const auto again = parse_fact_text(fact_text(*table));
  require(again.has_value(), "what was written can be read");
  require(fact_text(*again) == fact_text(*table), "it is the same table");
  for (const FactTopicInfo& info : kFactTopics) check_page(*table, info.topic);
}

Input bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> tables;
  for (const char* text :
       {R"({"rows":[{"name":"Spooler","state":"running","start_mode":"auto","process_id":7,)"
        R"("process_started":1.5e9}],"problems":["a service"]})",
        R"({"rows":[{"nic":"N","status":"up","addresses":"ipv4 10.0.0.5;ipv6 2001:db8::5"}]})",
        R"({"rows":[{"printer":"P","jobs":"Printing 2;Error 1","status":"Idle"}]})",
        R"({"rows":[{"name":"D","status":"OK","availability":3},{"name":"D","size":1e300}]})",
        R"({"rows":[{"volume":"C:","size":-1,"free":0,"read_only":1,"label":"\u0000\"\\"}]})"})
    tables.push_back(bytes_of(text));
  return tables;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

// What anybody asks of the API: the input is the query of a URL. Whatever it is, each route refuses
// it with a document that says why, or answers with one.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "exporter/api/events.h"
#include "exporter/api/history_answers.h"
#include "exporter/api/sample_query.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

constexpr std::int64_t kBegin = 12'000'000'000;
constexpr std::int64_t kSamples = 5;

api::Query query_of(std::string_view text) {
  api::Query query;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    query.emplace(pair.substr(0, equals), pair.substr(std::min(equals + 1, pair.size())));
  }
  return query;
}

// A sample of some countersets, and what is remembered of the seconds before it.
struct Machine {
  Machine() {
    for (std::int64_t i = 0; i < kSamples; ++i) {
      auto next = std::make_shared<Sample>(*testing::typical_sample(7));
      for (CountersetState& state : next->countersets) {
        state.sample = std::make_shared<CountersetSample>(*state.sample);
        state.sampled_at = {.steady = testing::instant_at(1'000 + i).steady,
                            .wall = testing::wall_at(kBegin + i)};
      }
      recorder.add(*next);
      sample = std::move(next);
    }
    history = recorder.history();
  }

  recorder::Recorder recorder{testing::kLargeBudget};
  std::shared_ptr<const Sample> sample;
  CountersetIndex index{testing::typical_sample(7)};
  std::shared_ptr<const recorder::History> history;
  Instant now{.steady = testing::instant_at(1'000 + kSamples).steady,
              .wall = testing::wall_at(kBegin + kSamples)};
};

void check_problem(const api::Problem& problem) {
  require(!problem.detail.empty(), "a refusal says why");
  require(nlohmann::json::accept(api::problem_document(problem)), "a refusal is a document");
}

void check_document(const std::expected<std::string, api::Problem>& document) {
  if (document)
    require(nlohmann::json::accept(*document), "an answer is a document");
  else
    check_problem(document.error());
}

void check_history(const Machine& machine, const api::Query& query) {
  const Ticks100ns now = machine.now.wall;
  if (auto range = api::range_query(query, now)) {
    for (const bool as_columns : {false, true}) {
      range->as_columns = as_columns;
      check_document(api::range_answer(*machine.history, *range));
    }
  } else {
    check_problem(range.error());
  }
  if (const auto top = api::top_query(query, now))
    check_document(api::top_answer(*machine.history, *top));
  else
    check_problem(top.error());
}

void check_events(const Machine& machine, const api::Query& query) {
  auto selection = api::EventSelection::open(machine.sample, query);
  if (!selection) return check_problem(selection.error());
  const api::Event event = selection->event(machine.sample);
  require(event.document.empty() || nlohmann::json::accept(event.document),
          "an event is a document");
  const auto missed = api::missed_events(*machine.history, *selection,
                                         testing::instant_at(1'000).steady, machine.now);
  for (const api::Event& one : missed.events)
    require(nlohmann::json::accept(one.document), "what was missed is a document");
}

void check(std::string_view text) {
  static const Machine machine;
  const api::Query query = query_of(text);
  for (const api::Parameter& parameter : api::parameters())
    if (const auto problem = api::why_refused(parameter.route, query)) check_problem(*problem);
  const auto part = api::select_sample(machine.index, query);
  if (!part) check_problem(part.error());
  check_events(machine, query);
  check_history(machine, query);
}

Input bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (const char* const query :
       {R"(path=\Memory\Available Bytes)",
        R"(path=\Processor(*)\% Processor Time&step=1s&since=1h)",
        R"(path=\Processor(*)\*&step=1s&since=5s&format=columns)",
        R"(path=\Memory\*&at=2s&format=columns)",
        R"(path=\Processor(_Total)\*&path=\Memory\Nothing)", "counterset=Mem*&limit=1&after=Memory",
        "counter=% Processor Time&n=3&at=20m", R"(counter=\Processor(*)\% Processor Time&since=5s)",
        "instance=_T*&counterset=Processor", "since=2026-11-28T02:00:00Z&until=1796000000",
        R"(path=\\machine\Processor(a/b#1)\x&format=columns)", "limit=0", "=&&==&path="})
    inputs.push_back(bytes_of(query));
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check(
      std::string(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 8192)));
  return 0;
}

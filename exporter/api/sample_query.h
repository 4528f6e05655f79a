// Which part of a sample a request wants:
//
//   counterset=Memory&counterset=Process*    by name, or by a pattern in which * matches any text
//   counter=..., instance=...                the same, of all of these countersets
//   path=\Process(svc*)\Working Set          instead of those: as perfmon writes a counter
//   limit=20&after=Memory                    a page of so many countersets, after that one
//
// Each but the last two may be there several times. Thread rule: pure functions.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "collectors/model/sample.h"
#include "exporter/api/api_query.h"
#include "exporter/text/page_selection.h"

namespace winperf::api {

inline constexpr std::size_t kMostCountersetsOfAPage = 1000;

// A sample of what is wanted: what isn't is missing in the schemas and arrays, too.
struct SamplePart {
  std::shared_ptr<const Sample> sample;
  std::optional<std::string> next{};  // as SampleDocument::set_next() has it; nothing: no page
};

// Whether it names whole countersets only, so that a document of the whole sample has the answer.
bool is_of_whole_countersets(const Query& query);

[[nodiscard]] std::expected<SamplePart, Problem> select_sample(const CountersetIndex& index,
                                                               const Query& query);

// The same sample with these rows and columns alone.
std::shared_ptr<const CountersetSample> part_of(const CountersetSample& sample,
                                                const std::vector<std::size_t>& rows,
                                                const std::vector<std::size_t>& columns);

}  // namespace winperf::api

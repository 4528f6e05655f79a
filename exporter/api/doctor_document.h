// GET /api/v1/doctor: a diagnosis of this machine. Thread rule: pure functions.
//
// It is made by a worker process, which isn't trusted. Validated: that its text is JSON of bounded
// depth, and that all members which the description of the API has are there with their types.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>

#include "collectors/base/clock.h"
#include "collectors/model/clock.h"

namespace winperf::api {

struct MadeDiagnosis {
  std::string members{};  // as read_diagnosis() returns them
  Ticks100ns made_at{};   // when it was finished, as is `finished`
  SteadyTime finished{};
  std::chrono::duration<double> duration{};
};

// The members of the document that `doctor --format json` prints, without its braces and "schema".
// The error is a sentence: why it isn't one.
[[nodiscard]] std::expected<std::string, std::string> read_diagnosis(std::string_view text);

//   {"made_at", "duration_seconds", "age_seconds", "source", "summary", "countersets": [...],
//    "checks": [...]}
std::string doctor_document(const MadeDiagnosis& made, SteadyTime now);

}  // namespace winperf::api

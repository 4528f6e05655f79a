// How a request for a diagnosis of this machine, and its reply, are encoded between a worker and
// its parent.
//
// Request: `text` is the question, which only the program that makes the diagnosis reads. Reply:
// `number` is the DiagnosisOutcome; one part, the diagnosis or a sentence. Validated, in the
// parent: the outcome, the number of parts, and that a sentence is short and UTF-8. Not validated:
// that a diagnosis is one, or even text. Errors: those of the part; kWorkerReply with `where`
// "doctor.diagnose". Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

#include "collectors/model/error.h"
#include "collectors/worker/frame.h"

namespace winperf::worker {

enum class DiagnosisOutcome : std::uint8_t { kMade, kRefused };

inline constexpr std::size_t kMaxRefusal = 4'096;

struct DiagnosisAnswer {
  DiagnosisOutcome outcome = DiagnosisOutcome::kMade;
  std::string text{};  // the diagnosis as bytes, or why there is none
};

// A sentence that is too long is shortened.
void write_diagnosis(ReplyWriter& reply, const DiagnosisAnswer& answer);
[[nodiscard]] std::expected<DiagnosisAnswer, Error> read_diagnosis(const Reply& reply);

}  // namespace winperf::worker

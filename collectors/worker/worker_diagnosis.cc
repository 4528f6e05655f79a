#include "collectors/worker/worker_diagnosis.h"

#include <span>
#include <string_view>
#include <utility>

#include "collectors/base/utf8.h"

namespace winperf::worker {
namespace {

std::unexpected<Error> wrong_diagnosis(std::uint64_t actual, std::uint64_t limit) {
  return std::unexpected(Error{.code = ErrorCode::kWorkerReply,
                               .where = where_of(Operation::kDiagnose),
                               .actual = actual,
                               .limit = limit});
}

std::string_view shortened(std::string_view sentence) {
  sentence = sentence.substr(0, kMaxRefusal);
  return sentence.substr(0, valid_bytes(sentence));
}

}  // namespace

void write_diagnosis(ReplyWriter& reply, const DiagnosisAnswer& answer) {
  const bool is_made = answer.outcome == DiagnosisOutcome::kMade;
  const std::string_view text = is_made ? std::string_view(answer.text) : shortened(answer.text);
  reply.add(std::as_bytes(std::span(text)));
  reply.finish(static_cast<std::uint64_t>(answer.outcome));
}

std::expected<DiagnosisAnswer, Error> read_diagnosis(const Reply& reply) {
  constexpr auto kLast = static_cast<std::uint64_t>(DiagnosisOutcome::kRefused);
  if (reply.parts.size() != 1) return wrong_diagnosis(reply.parts.size(), 1);
  const auto& part = reply.parts.front();
  if (!part) return std::unexpected(part.error());
  if (reply.number > kLast) return wrong_diagnosis(reply.number, kLast);
  DiagnosisAnswer answer{.outcome = static_cast<DiagnosisOutcome>(reply.number)};
  if (answer.outcome == DiagnosisOutcome::kRefused && part->size() > kMaxRefusal)
    return wrong_diagnosis(part->size(), kMaxRefusal);
  // Copied, because the worker could still change it.
  answer.text = text_of(*part);
  const std::size_t valid = valid_bytes(answer.text);
  if (answer.outcome == DiagnosisOutcome::kRefused && valid < answer.text.size())
    return wrong_diagnosis(valid, answer.text.size());
  return answer;
}

}  // namespace winperf::worker

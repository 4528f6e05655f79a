#include "collectors/pdh/worker_pdh.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "collectors/pdh/pdh_record.h"

namespace winperf {
namespace {

constexpr const char* kReplyPlace = "pdh.reply";
constexpr const char* kQuestionPlace = "pdh.question";

enum class PdhCall : std::uint8_t { kObjects, kItems, kOpen, kCollect, kClose };
constexpr std::array<std::string_view, 5> kPdhCalls{"objects", "items", "open", "collect", "close"};

std::string question_of(PdhCall call, const std::string& about = {}) {
  return std::string(kPdhCalls.at(static_cast<std::size_t>(call))) + '\n' + about;
}

std::optional<PdhCall> call_in(std::string_view question) {
  const std::string_view word = question.substr(0, question.find('\n'));
  for (std::size_t i = 0; i < kPdhCalls.size(); ++i)
    if (kPdhCalls[i] == word && word.size() < question.size()) return static_cast<PdhCall>(i);
  return std::nullopt;
}

// What `write` makes of the answer.
template <class Answer, class Write>
std::expected<std::string, Error> written(const std::expected<Answer, Error>& answer,
                                          const Write& write) {
  if (!answer) return std::unexpected(answer.error());
  return write(*answer);
}

template <class Read>
auto read_answer(const std::expected<std::string, Error>& text, const Read& read)
    -> decltype(read(std::string_view(), kReplyPlace)) {
  if (!text) return std::unexpected(text.error());
  return read(std::string_view(*text), kReplyPlace);
}

}  // namespace

std::expected<std::string, Error> answer_pdh(PdhApi& pdh, std::string_view question) {
  const auto call = call_in(question);
  if (!call) return std::unexpected(Error{.code = ErrorCode::kBadText, .where = kQuestionPlace});
  const std::string_view about =
      question.substr(kPdhCalls.at(static_cast<std::size_t>(*call)).size() + 1);
  switch (*call) {
    case PdhCall::kObjects:
      return written(pdh.objects(), write_names);
    case PdhCall::kItems: {
      const auto object = read_object(about, kQuestionPlace);
      if (!object) return std::unexpected(object.error());
      return written(pdh.items(*object), write_items);
    }
    case PdhCall::kOpen: {
      const auto query = read_query(about, kQuestionPlace);
      if (!query) return std::unexpected(query.error());
      return written(pdh.open(*query), write_definitions);
    }
    case PdhCall::kCollect:
      return written(pdh.collect(), write_collection);
    case PdhCall::kClose:
      break;
  }
  pdh.close();
  return std::string();
}

std::expected<std::string, Error> WorkerPdh::ask(const std::string& question,
                                                 const std::string& name) {
  const auto reply =
      worker_->call({.operation = worker::Operation::kPdh, .text = question}, name, stop_);
  if (!reply) return std::unexpected(reply.error());
  if (reply->parts.size() != 1)
    return std::unexpected(Error{.code = ErrorCode::kWorkerReply,
                                 .where = kReplyPlace,
                                 .actual = reply->parts.size(),
                                 .limit = 1});
  const auto& part = reply->parts.front();
  if (!part) return std::unexpected(part.error());
  // Copied, because the worker could still change it.
  return worker::text_of(*part);
}

std::expected<std::vector<std::string>, Error> WorkerPdh::objects() {
  return read_answer(ask(question_of(PdhCall::kObjects), "objects"), read_names);
}

std::expected<PdhItems, Error> WorkerPdh::items(const PdhObject& object) {
  return read_answer(
      ask(question_of(PdhCall::kItems, write_object(object)), "items of " + object.name),
      read_items);
}

std::expected<std::vector<PdhDefinition>, Error> WorkerPdh::open(const PdhQuery& query) {
  opened_ = query.object.name;
  return read_answer(ask(question_of(PdhCall::kOpen, write_query(query)), "open " + opened_),
                     read_definitions);
}

std::expected<PdhCollection, Error> WorkerPdh::collect() {
  return read_answer(ask(question_of(PdhCall::kCollect), "collect " + opened_), read_collection);
}

void WorkerPdh::close() {
  // Without a process there is nothing to close.
  if (!worker_->is_running()) return;
  if (const auto closed = ask(question_of(PdhCall::kClose), {}); !closed) worker_->finish();
}

}  // namespace winperf

#include "collectors/worker/worker_facts.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "collectors/base/utf8.h"
#include "collectors/facts/fact_source.h"

namespace winperf::worker {
namespace {

constexpr const char* kWhere = "facts.read_file";
static_assert(std::is_trivially_copyable_v<FileStamp>);

std::unexpected<Error> wrong_file_reply(std::uint64_t actual, std::uint64_t limit) {
  return std::unexpected(
      Error{.code = ErrorCode::kWorkerReply, .where = kWhere, .actual = actual, .limit = limit});
}

std::expected<FileAnswer, Error> read_here(const Reply& reply, const FileQuestion& question) {
  constexpr std::size_t kParts = 2;
  if (reply.parts.size() != kParts) return wrong_file_reply(reply.parts.size(), kParts);
  const auto& stamp = reply.parts[0];
  const auto& bytes = reply.parts[1];
  if (!stamp) return std::unexpected(stamp.error());
  if (stamp->size() != sizeof(FileStamp)) return wrong_file_reply(stamp->size(), sizeof(FileStamp));
  if (bytes && bytes->size() > question.max_bytes)
    return wrong_file_reply(bytes->size(), question.max_bytes);
  auto copy = copied(bytes, kWhere);
  if (!copy) return std::unexpected(copy.error());
  FileStamp own;
  std::memcpy(&own, stamp->data(), sizeof own);
  return FileAnswer{.stamp = own, .bytes = *std::move(copy)};
}

std::expected<FileAnswer, Error> read_refused(const Reply& reply) {
  if (reply.parts.size() != 1) return wrong_file_reply(reply.parts.size(), 1);
  const auto& sentence = reply.parts[0];
  if (sentence->empty() || sentence->size() > kMaxFileProblem)
    return wrong_file_reply(sentence->size(), kMaxFileProblem);
  std::string problem = text_of(*sentence);
  if (const std::size_t valid = valid_bytes(problem); valid < problem.size())
    return wrong_file_reply(valid, problem.size());
  return FileAnswer{.problem = std::move(problem)};
}

// A sentence, shortened for transfer.
std::string_view cut(std::string_view sentence) {
  sentence = sentence.substr(0, kMaxFileProblem);
  return sentence.substr(0, valid_bytes(sentence));
}

}  // namespace

std::string request_text(const FactRequest& request) {
  std::string text(name_of(request.topic));
  for (const std::string& folder : request.folders) text += '\n' + folder;
  return text;
}

std::optional<FactRequest> parse_request_text(std::string_view text) {
  std::optional<FactRequest> request;
  for (const auto line : std::views::split(text, '\n')) {
    const std::string_view word(line.begin(), line.end());
    if (request) {
      request->folders.emplace_back(word);
    } else if (const auto topic = find_fact_topic(word)) {
      request = FactRequest{.topic = *topic};
    } else {
      break;
    }
  }
  return request;
}

Request file_request(const FileQuestion& question) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return {.operation = Operation::kReadFile,
          .numbers = {static_cast<std::uint32_t>(std::min(question.offset, kMost)),
                      static_cast<std::uint32_t>(std::min(question.max_bytes, kMaxFilePart))},
          .text = question.file};
}

std::expected<FileQuestion, Error> read_file_question(const Request& request) {
  const auto [offset, max_bytes] = request.numbers;
  if (max_bytes > kMaxFilePart) return wrong_file_reply(max_bytes, kMaxFilePart);
  return FileQuestion{.file = request.text, .offset = offset, .max_bytes = max_bytes};
}

void write_file_answer(ReplyWriter& reply, const std::expected<FileAnswer, Error>& answer) {
  const auto finish = [&](FileOutcome outcome) {
    reply.finish(static_cast<std::uint64_t>(outcome));
  };
  if (!answer) {
    reply.add(answer.error());
    return finish(FileOutcome::kRefused);
  }
  if (answer->stamp) {
    reply.add(std::as_bytes(std::span(&*answer->stamp, 1)));
    reply.add(answer->bytes);
    return finish(FileOutcome::kHere);
  }
  const std::string_view problem = cut(answer->problem);
  if (problem.empty()) return finish(FileOutcome::kAbsent);
  reply.add(std::as_bytes(std::span(problem)));
  finish(FileOutcome::kRefused);
}

std::expected<FileAnswer, Error> read_file_answer(const Reply& reply,
                                                  const FileQuestion& question) {
  // Any request may be answered with an error.
  if (reply.parts.size() == 1 && !reply.parts[0]) return std::unexpected(reply.parts[0].error());
  constexpr auto kLast = static_cast<std::uint64_t>(FileOutcome::kRefused);
  if (reply.number > kLast) return wrong_file_reply(reply.number, kLast);
  switch (static_cast<FileOutcome>(reply.number)) {
    case FileOutcome::kHere:
      return read_here(reply, question);
    case FileOutcome::kAbsent:
      if (!reply.parts.empty()) return wrong_file_reply(reply.parts.size(), 0);
      return FileAnswer{};
    case FileOutcome::kRefused:
      break;
  }
  return read_refused(reply);
}

std::expected<FactTable, Error> WorkerFacts::read(const FactRequest& request,
                                                  const StopToken& stop) {
  const std::string text = request_text(request);
  // Each topic has a separate deadline.
  const auto reply = worker_.call({.operation = Operation::kFacts, .text = text}, text, stop);
  if (!reply) return std::unexpected(reply.error());
  if (reply->parts.size() != 1)
    return std::unexpected(Error{.code = ErrorCode::kWorkerReply,
                                 .where = where_of(Operation::kFacts),
                                 .actual = reply->parts.size(),
                                 .limit = 1});
  const auto& part = reply->parts.front();
  if (!part) return std::unexpected(part.error());
  // Copied, because the worker could still change it.
  return parse_fact_text(text_of(*part));
}

std::expected<FileAnswer, Error> WorkerFacts::read_file(const FileQuestion& question,
                                                        std::chrono::milliseconds,
                                                        const StopToken& stop) {
  // The call has no name, so that a slow file doesn't affect the deadlines and retries of others.
  const auto reply = worker_.call(file_request(question), {}, stop);
  if (!reply) return std::unexpected(reply.error());
  return read_file_answer(*reply, question);
}

bool WorkerFacts::rest_until(SteadyTime next) {
  // One that is starting on a busy machine would never be up.
  if (!worker_.is_running() || worker_.is_starting() || next - now_() < kWorthEnding) return false;
  worker_.finish();
  return true;
}

}  // namespace winperf::worker

#include "collectors/worker/worker_facts.h"

#include <string>

#include "collectors/facts/fact_source.h"
#include "collectors/worker/file_frame.h"

namespace winperf::worker {

std::expected<FactTable, Error> WorkerFacts::read(const FactRequest& request,
                                                  const StopToken& stop) {
  const std::string text = request_text(request);
  // Each topic has a deadline of its own.
  const auto reply = worker_.call({.operation = Operation::kFacts, .text = text}, text, stop);
  if (!reply) return std::unexpected(reply.error());
  if (reply->parts.size() != 1)
    return std::unexpected(Error{.code = ErrorCode::kWorkerReply,
                                 .where = where_of(Operation::kFacts),
                                 .actual = reply->parts.size(),
                                 .limit = 1});
  const auto& part = reply->parts.front();
  if (!part) return std::unexpected(part.error());
  // The worker could still change what it has written.
  std::string copy(part->size(), '\0');
  std::ranges::copy(*part, std::as_writable_bytes(std::span(copy)).begin());
  return parse_fact_text(copy);
}

std::expected<FileAnswer, Error> WorkerFacts::read_file(const FileQuestion& question,
                                                        std::chrono::milliseconds,
                                                        const StopToken& stop) {
  // The call has no name: a file that is slow costs no other file a deadline or a rest.
  const auto reply = worker_.call(file_request(question), {}, stop);
  if (!reply) return std::unexpected(reply.error());
  return read_file_answer(*reply, question);
}

}  // namespace winperf::worker

#include "collectors/worker/worker_facts.h"

#include <string>

#include "collectors/facts/fact_request.h"

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

}  // namespace winperf::worker

#include "collectors/worker/worker_link.h"

#include <algorithm>

#include "collectors/sources/platform.h"

namespace winperf::worker {
namespace {

// Nothing if any part of the reply has come, or none was needed.
std::optional<Error> failure_of(const std::expected<Reply, Error>& reply) {
  if (!reply) return reply.error();
  const auto failed = [](const auto& part) { return !part; };
  if (reply->parts.empty() || !std::ranges::all_of(reply->parts, failed)) return std::nullopt;
  return reply->parts.front().error();
}

}  // namespace

std::expected<Reply, Error> WorkerLink::call(Request request, std::string_view call,
                                             const StopToken& stop) {
  if (!is_shared()) return worker_->call(std::move(request), call, stop);
  if (loss_) return std::unexpected(*loss_);
  request.whose = machine_;
  const std::uint64_t before = lost_processes(worker_->state());
  // Machines differ in how long they take.
  auto reply = worker_->call(std::move(request), machine_ + ' ' + std::string(call), stop);
  // A process that doesn't come up says nothing about the machine.
  const bool has_no_worker = !reply && is_of_start(reply.error().code);
  const bool is_lost = !reply && !has_no_worker && lost_processes(worker_->state()) != before;
  losses_ += is_lost ? 1U : 0U;
  failure_ = failure_of(reply);
  if (is_lost || has_no_worker || (failure_ && std::string_view(failure_->where) == kConnecting))
    loss_ = failure_;
  return reply;
}

}  // namespace winperf::worker

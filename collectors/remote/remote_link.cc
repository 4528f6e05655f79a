#include "collectors/remote/remote_link.h"

namespace winperf {

std::expected<worker::Reply, Error> RemoteLink::call(const worker::Request& request,
                                                     std::string_view call, const StopToken& stop) {
  if (loss_) return std::unexpected(*loss_);
  const std::uint64_t before = lost_processes(worker_->state());
  // Machines differ in how long they take.
  auto reply = worker_->call(request, machine_ + ' ' + std::string(call), stop);
  if (!reply && lost_processes(worker_->state()) != before) loss_ = reply.error();
  return reply;
}

}  // namespace winperf

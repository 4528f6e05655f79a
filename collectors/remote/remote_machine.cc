#include "collectors/remote/remote_machine.h"

#include <utility>

#include "collectors/worker/worker_perflib.h"

namespace winperf {

RemoteMachine remote_machine(const std::shared_ptr<worker::Worker>& worker, const std::string& host,
                             RemoteSource::Now now) {
  // Each path has a link of its own: where one is blocked, the other may answer.
  auto registry = std::make_shared<RemoteLink>(worker, host);
  auto perflib = std::make_shared<RemoteLink>(worker, host);
  return {.source = std::make_unique<RemoteSource>(registry, std::move(now)),
          .perflib = std::make_unique<worker::WorkerPerflib>(perflib),
          .registry_link = registry,
          .perflib_link = perflib};
}

}  // namespace winperf

// Another machine's counters by both paths, read by one worker. Thread rule: that of the worker.
#pragma once

#include <memory>
#include <string>

#include "collectors/remote/remote_link.h"
#include "collectors/remote/remote_source.h"
#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"
#include "collectors/worker/worker.h"

namespace winperf {

struct RemoteMachine {
  std::unique_ptr<CounterSource> source;
  std::unique_ptr<PerflibApi> perflib;
  // The registry's says why the machine answers nothing.
  std::shared_ptr<const RemoteLink> registry_link;
  std::shared_ptr<const RemoteLink> perflib_link;

  // How many calls have cost the worker's process.
  std::uint64_t losses() const { return registry_link->losses() + perflib_link->losses(); }
};

// `host`: its name, in UTF-8.
[[nodiscard]] RemoteMachine remote_machine(const std::shared_ptr<worker::Worker>& worker,
                                           const std::string& host, RemoteSource::Now now);

}  // namespace winperf

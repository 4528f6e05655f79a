// What the sampling of targets is made of; the composition root has it, and so has a test.
// Thread rule: the functions may be called by any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "collectors/base/clock.h"
#include "collectors/worker/worker.h"
#include "collectors/worker/worker_source.h"
#include "config/config.h"
#include "service/log/logging.h"

namespace winperf {

struct TargetTools {
  // Of a lane; `number` tells it from the others.
  std::function<std::shared_ptr<worker::Worker>(const Config&, const std::string& number)>
      make_worker;
  std::function<worker::RemoteMachine(const std::shared_ptr<worker::Worker>&,
                                      const std::string& host)>
      connect;
  ClockSource clocks;
  Logger logger;
};

}  // namespace winperf

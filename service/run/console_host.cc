#include "service/run/console_host.h"

#include <cstdlib>

#include "service/console/exit_code.h"
#include "service/run/control_queue.h"

namespace winperf {

ConsoleHost::ConsoleHost()
    : signal_([this] { queue_.post(Control::kStop); }, [this] { request_reload(); }) {}

int ConsoleHost::cannot_start(const Failure& failure) {
  complain(failure);
  return failure.exit_code;
}

void ConsoleHost::wait(const HostedWork& work) { do_hosted_work(queue_, work); }

void ConsoleHost::request_reload() { queue_.post(Control::kReload); }

void ConsoleHost::abandon() { std::_Exit(kExitFailure); }

}  // namespace winperf

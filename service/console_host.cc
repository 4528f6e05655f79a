#include "service/console_host.h"

#include <cstdlib>

#include "service/exit_code.h"
#include "service/hosted_work.h"

namespace winperf {

ConsoleHost::ConsoleHost()
    : signal_([this] { inbox_.post(Control::kStop); }, [this] { request_reload(); }) {}

void ConsoleHost::wait(const HostedWork& work) { do_hosted_work(inbox_, work); }

void ConsoleHost::request_reload() { inbox_.post(Control::kReload); }

void ConsoleHost::abandon() { std::_Exit(kExitFailure); }

}  // namespace winperf

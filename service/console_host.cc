#include "service/console_host.h"

#include <cstdlib>

#include "service/exit_code.h"

namespace winperf {

void ConsoleHost::abandon() { std::_Exit(kExitFailure); }

}  // namespace winperf

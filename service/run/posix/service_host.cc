#include "service/run/service_host.h"

#include <csignal>

#include "service/run/console_host.h"

namespace winperf {

int run_hosted(const std::function<int(ServiceHost&)>& body) {
  // Its console output may be discarded.
  std::signal(SIGPIPE, SIG_IGN);
  ConsoleHost host;
  return body(host);
}

}  // namespace winperf

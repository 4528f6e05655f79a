#include "service/run/service_host.h"

#include "service/run/console_host.h"

namespace winperf {

int run_hosted(const std::function<int(ServiceHost&)>& body) {
  ConsoleHost host;
  return body(host);
}

}  // namespace winperf

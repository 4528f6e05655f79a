#include "service/console/exit_code.h"

#include <iostream>

namespace winperf {

void complain(std::string_view message) { std::cerr << "winperf_exporter: " << message << '\n'; }

void complain(const Failure& failure) {
  if (failure.names_its_file) {
    std::cerr << failure.message << '\n';
  } else {
    complain(failure.message);
  }
}

}  // namespace winperf

#include "service/console/exit_code.h"

#include <iostream>

#include "collectors/base/printable.h"

namespace winperf {

void complain(std::string_view message) {
  std::cerr << "winperf_exporter: " << printable_lines(message) << '\n';
}

void complain(const Failure& failure) {
  if (failure.names_its_file) {
    std::cerr << printable_lines(failure.message) << '\n';
  } else {
    complain(failure.message);
  }
}

int fail(std::string_view message, int exit_code) {
  complain(message);
  return exit_code;
}

}  // namespace winperf

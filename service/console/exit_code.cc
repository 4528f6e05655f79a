#include "service/console/exit_code.h"

#include <iostream>

#include "collectors/base/printable.h"
#include "service/console/look.h"

namespace winperf {

void complain(std::string_view message) {
  std::cerr << "winperf_exporter: " << printable_lines(message) << '\n';
}

void complain(const Failure& failure) {
  if (failure.names_its_file) {
    std::cerr << coloured(printable_lines(failure.message), Colour::kRed, has_error_colours())
              << '\n';
  } else {
    fail(failure.message);
  }
}

int fail(std::string_view message, int exit_code) {
  std::cerr << "winperf_exporter: "
            << coloured(printable_lines(message), Colour::kRed, has_error_colours()) << '\n';
  return exit_code;
}

}  // namespace winperf

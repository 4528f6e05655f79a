#include "tests/exporter/support/raw_connection.h"

#include "tests/exporter/support/awaited_text.h"

namespace winperf::testing {

std::string RawConnection::receive_all() { return receive_until({}); }

std::string RawConnection::receive_until(std::string_view text) {
  AwaitedText awaited(text);
  std::string all;
  while (!awaited.is_in(all)) {
    const std::string some = receive_some();
    if (some.empty()) break;
    all += some;
  }
  return all;
}

}  // namespace winperf::testing

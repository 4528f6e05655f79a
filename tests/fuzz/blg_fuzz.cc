// Perfmon's binary logs: whatever the bytes, the reader gives records or errors that lie in them,
// and the source replays what the reader saw.
#include <string>

#include "tests/fuzz/fuzz_target.h"
#include "tests/support/log_reading.h"
#include "tests/support/sample_logs.h"

namespace winperf::fuzz {

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (auto& sample : testing::sample_logs()) inputs.push_back(std::move(sample.log.bytes));
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::testing::read_all_of_log(std::string(data, data + size), winperf::fuzz::require);
  return 0;
}

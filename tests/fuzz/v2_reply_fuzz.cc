// Replies of PerfLib: every reader gives an error or a valid result, and none reads outside.
#include "tests/fuzz/fuzz_target.h"
#include "tests/simulator/v2_replies.h"

namespace winperf::fuzz {

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (const auto& reply : simulator::v2_data_replies()) inputs.push_back(reply.bytes);
  for (const auto& reply : simulator::v2_other_replies()) inputs.push_back(reply.bytes);
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input bytes = fuzz::copy_of(data, size);
  simulator::read_all_of_v2(bytes, fuzz::require);
  return 0;
}

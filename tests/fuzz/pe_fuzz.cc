// The doctor reads the DLLs of providers, which anybody may have written. Whatever the bytes: they
// are read within their end, and every name that comes out can be shown and is not larger than it
// may be.
#include <algorithm>

#include "collectors/diagnosis/pe_exports.h"
#include "collectors/provider/library_head.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/pe_builder.h"

namespace winperf::fuzz {

std::vector<Input> seeds() {
  testing::PeBuilder provider;
  provider.function("OpenThings").function("_CollectThings@16").forwarder("Close", "OTHER.Close");
  provider.hole("Gone");
  testing::PeBuilder narrow = provider;
  narrow.machine(0x014C, true);
  return {provider.bytes(), narrow.bytes(), testing::PeBuilder().bytes()};
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input bytes = fuzz::copy_of(data, size);
  const auto exports = pe_exports(bytes);
  if (!exports) return 0;
  fuzz::require(pe_machine(bytes).has_value(), "a file with exports has a machine");
  fuzz::require((exports->unreadable != 0) == exports->error.has_value(),
                "what can't be read has a reason");
  std::size_t text = 0;
  for (const std::string& name : exports->names) {
    text += name.size();
    const auto is_shown = [](char c) { return c > ' ' && c <= '~'; };
    fuzz::require(!name.empty() && std::ranges::all_of(name, is_shown), "a name can be shown");
    (void)is_decorated(name, "CollectThings");
    (void)is_decorated("_Z4Open", name);
  }
  fuzz::require(text <= 4U << 20, "names are not larger than they may be");
  return 0;
}

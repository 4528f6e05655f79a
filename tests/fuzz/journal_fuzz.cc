// The journal of a selftest, which any program of the account can write: whatever is in it, only
// changes that a selftest makes come out of it, and a line that it takes is one that it writes.
#include <span>
#include <string>
#include <string_view>

#include "service/selftest/journal.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

using namespace selftest;

void check(const std::string& text) {
  const auto left = parse_journal(text);
  if (!left) return require(!left.error().empty(), "a refusal has a reason");
  for (const Change& change : *left) {
    require(is_ours(change), "only what a selftest makes is undone");
    require(change.name.find_first_of(" \"/\\*?\t\r\n") == std::string::npos,
            "a name is one word, and no path");
    require(change_kind(name_of(change.kind)) == change.kind, "a kind has its word");
  }
  // A line that was being written is no change.
  const auto more = parse_journal(text + "{\"change\":\"service\",\"name\":\"winperf");
  if (text.ends_with('\n') || text.empty())
    require(more && *more == *left, "a torn line at the end changes nothing");
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (const std::string_view input :
       {"{\"change\":\"folder\",\"name\":\"winperf_exporter_selftest_1\"}\n"
        "{\"change\":\"service\",\"name\":\"winperf_exporter_selftest_1_service\"}\n"
        "{\"undone\":1}\n",
        "{\"change\":\"firewall_rule\",\"name\":\"winperf_exporter_selftest_2\"}\n{\"chan",
        "{\"change\":\"product\",\"name\":\"{5B0B6A3C-1C0E-4F0B-9C66-3B6E8E0C6A5D}\"}\n",
        "{\"change\":\"own_service\",\"name\":\"winperf_exporter_selftest_3\"}\n{\"undone\":0}\n",
        "[[[[[[[[\n", "{\"change\":\"service\",\"name\":\"Spooler\"}\n"}) {
    const auto bytes = std::as_bytes(std::span(input));
    inputs.emplace_back(bytes.begin(), bytes.end());
  }
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}

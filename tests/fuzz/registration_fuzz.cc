// What a provider's registration says, which any installer may have written: its Object List, and
// the numbers of its titles and timeouts. Whatever the text, each object is a number that it has.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/provider/registration.h"
#include "tests/fuzz/text_input.h"

namespace winperf::fuzz {
namespace {

void check(const std::string& text) {
  ProviderRegistration provider{.service = text, .objects = parse_object_list(text)};
  require(provider.objects.size() <= text.size(), "a number has at least a digit");
  for (const ObjectIndex object : provider.objects) {
    require(text.contains(std::to_string(std::to_underlying(object))),
            "an object's number is in the text");
    require(supplies(provider, object), "what is listed is supplied");
  }
  require(!title_of(provider).empty(), "a provider has a name");
}

}  // namespace

std::vector<Input> seeds() {
  return inputs_of({"2 4 86 238 230 232 786 740", "0238  4294967295\t1", "4294967296 -1 0x10 9a b",
                    "18446744073709551616,3;4\n5", "000000000000000000000000000000000002 7"});
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  fuzz::check(fuzz::text_of(data, size, 4096));
  // The numbers, as a registry has them.
  std::uint32_t numbers[3] = {};
  std::copy_n(data, std::min(size, sizeof(numbers)), reinterpret_cast<std::uint8_t*>(numbers));
  const auto timeout = call_timeout(numbers[0]);
  fuzz::require(!timeout || timeout->count() > 0, "a timeout leaves some time");
  const ProviderRegistration provider{.titles = TitleRange{numbers[0], numbers[1]}};
  const bool is_within = numbers[0] <= numbers[2] && numbers[2] <= numbers[1];
  fuzz::require(supplies(provider, ObjectIndex{numbers[2]}) <= is_within,
                "only titles of the range are supplied");
  return 0;
}

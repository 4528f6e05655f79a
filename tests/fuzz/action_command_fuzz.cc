// What the MSI's actions are told, with the values of properties in it: whatever they are, the
// command line that is run has as many words as the table says, and each is what it was.
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/migration/command_words.h"
#include "packaging/windows/action_command.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

void check(std::string_view data) {
  const auto line = command_line_of(data);
  if (!line) return require(!line.error().empty(), "a refusal has a reason");
  std::vector<std::string> told;
  for (const auto part : std::views::split(data.substr(data.find('|') + 1), '|'))
    told.emplace_back(std::string_view(part));
  require(migration::words_of(*line) == told, "the program gets the words of the table");
  require(line->find_first_of("\n\r\t") == line->npos, "a line");
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (const std::string_view input :
       {R"(3|C:\a b\w.exe|config|init)", R"(3|C:\w.exe||C:\x\)", R"(2|C:\w.exe|x" --force ")",
        R"(2|C:\w.exe|a|b)", R"(4|C:\Program Files\w\w.exe|service|prepare|--name=w)",
        R"(4|C:\w\\|\|\\|\\\)"}) {
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

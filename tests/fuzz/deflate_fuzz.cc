// A text that is compressed, alone and in two parts: names and values come from providers and
// files, so it may have any bytes. Whatever it is, zlib reads it back.
#include <string>
#include <string_view>

#include "exporter/deflate/deflated.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

// A part lies alone in memory, as its blocks do.
std::string checked(std::string_view text) {
  const Input exact = copy_of(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const std::string_view part(reinterpret_cast<const char*>(exact.data()), exact.size());
  std::string blocks = deflated(part);
  require(testing::inflated(blocks) == part, "what is inflated is what was deflated");
  require(blocks.size() <= part.size() + 12 + 6 * (part.size() / 9000), "it is hardly larger");
  require(deflated(text) == blocks, "the same text becomes the same blocks");
  return blocks;
}

// The first byte says where the second part begins.
void check(std::string_view input) {
  if (input.empty()) return;
  const std::string_view text = input.substr(1);
  const std::size_t cut = text.size() * static_cast<unsigned char>(input.front()) / 256;
  checked(text);
  const std::string both = checked(text.substr(0, cut)) + checked(text.substr(cut));
  require(testing::inflated(both) == text, "parts can be joined");
}

Input bytes_of(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

}  // namespace

std::vector<Input> seeds() {
  std::string page = "\x80# TYPE winperf_load_seconds_total counter\n", noise = "\x10",
              runs = "\xF0";
  for (int i = 0; i < 40; ++i)
    page += "winperf_load_seconds_total{process=\"service" + std::to_string(i % 20) +
            "\",process_id=\"" + std::to_string(i * 7919) + "\"} 0.1005" + std::to_string(i * i) +
            "\n";
  std::uint32_t state = 1;
  for (int i = 0; i < 2000; ++i)
    noise += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U);
  for (int i = 0; i < 20; ++i)
    runs.append(static_cast<std::size_t>(i * i), static_cast<char>('a' + i % 3));
  std::vector<Input> texts;
  for (const std::string& text :
       {page, noise, runs, std::string("\x7F{{{{{}}}}}{\"\n"), std::string("\0x", 2)})
    texts.push_back(bytes_of(text));
  return texts;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}

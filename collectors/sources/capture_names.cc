#include "collectors/sources/capture_names.h"

#include <charconv>
#include <system_error>

namespace winperf {
namespace {

constexpr std::string_view kPrefix = "sample-";
constexpr std::string_view kSuffix = ".perf";
constexpr std::size_t kMaxDigits = 9;  // fits 32 bits

std::optional<std::uint32_t> parse_digits(std::string_view text, std::size_t min_digits) {
  if (text.size() < min_digits || text.size() > kMaxDigits) return std::nullopt;
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<SampleFileName> parse_sample_file_name(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  if (name.size() < kPrefix.size() + kSuffix.size()) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());

  const std::size_t dash = name.find('-');
  const std::optional<std::uint32_t> sample = parse_digits(name.substr(0, dash), 4);
  if (!sample) return std::nullopt;
  if (dash == std::string_view::npos) return SampleFileName{*sample, std::nullopt};

  const std::optional<std::uint32_t> part = parse_digits(name.substr(dash + 1), 2);
  if (!part) return std::nullopt;
  return SampleFileName{*sample, part};
}

}  // namespace winperf

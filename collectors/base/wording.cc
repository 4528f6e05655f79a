#include "collectors/base/wording.h"

#include <algorithm>

#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"

namespace winperf {
namespace {

constexpr std::size_t kShownBytes = 60;

}  // namespace

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return counted(count, noun, std::string(noun) + 's');
}

std::string joined(const std::vector<std::string>& names, std::string_view separator,
                   std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : std::string(separator)) + printable(names[i]);
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

std::string in_quotes(std::string_view text) {
  const std::string_view start = clipped(text, kShownBytes);
  std::string shown = "\"";
  for (const char c : start) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return shown + (start.size() < text.size() ? "...\"" : "\"");
}

}  // namespace winperf

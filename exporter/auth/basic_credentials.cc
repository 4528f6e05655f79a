#include "exporter/auth/basic_credentials.h"

#include <mbedtls/base64.h>

#include <array>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

constexpr std::string_view kScheme = "basic ";
constexpr std::size_t kMostBytes = 1024;

bool begins_with_scheme(std::string_view field) {
  return field.size() > kScheme.size() && equal_names(field.substr(0, kScheme.size()), kScheme);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::optional<Credentials> parse_basic_credentials(std::string_view field) {
  if (field.size() > kMostBytes || !begins_with_scheme(field)) return std::nullopt;
  field.remove_prefix(kScheme.size());
  // The library also takes line ends and blanks.
  if (field.find_first_of(" \t\r\n") != std::string_view::npos) return std::nullopt;
  std::array<unsigned char, kMostBytes> bytes{};
  std::size_t count = 0;
  if (mbedtls_base64_decode(bytes.data(), bytes.size(), &count,
                            reinterpret_cast<const unsigned char*>(field.data()),
                            field.size()) != 0)
    return std::nullopt;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), count);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || std::ranges::any_of(text, is_control)) return std::nullopt;
  return Credentials{.user = std::string(text.substr(0, colon)),
                     .password = std::string(text.substr(colon + 1))};
}

}  // namespace winperf

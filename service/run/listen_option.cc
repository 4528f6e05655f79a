#include "service/run/listen_option.h"

#include <charconv>

namespace winperf {
namespace {

constexpr char kAnyAddress[] = "::";

// The part before the port; nothing if it can be no address.
std::optional<std::string> address_in(std::string_view text) {
  const bool is_bracketed = text.starts_with('[') && text.ends_with(']');
  if (is_bracketed) text = text.substr(1, text.size() - 2);
  if (text.find_first_of("[]") != std::string_view::npos) return std::nullopt;
  // Only an IPv6 address has colons, and without brackets they would be mistaken for the port's.
  if (is_bracketed != text.contains(':')) return std::nullopt;
  return text.empty() ? kAnyAddress : std::string(text);
}

}  // namespace

std::expected<ListenConfig, std::string> parse_listen(const std::string& text,
                                                      ListenConfig configured) {
  const std::string wrong =
      "--listen must be ADDRESS:PORT, such as 127.0.0.1:10182 or [::1]:10182, not \"" + text + '"';
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::unexpected(wrong);
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, configured.port);
  const auto address = address_in(std::string_view(text).substr(0, colon));
  if (error != std::errc() || stopped != end || !address) return std::unexpected(wrong);
  configured.address = *address;
  return configured;
}

std::expected<std::vector<ListenConfig>, std::string> listen_addresses(const std::string& option,
                                                                       const Config& config) {
  if (option.empty()) return config.listen;
  auto one = parse_listen(option, config.listen.front());
  if (!one) return std::unexpected(one.error());
  return std::vector{*std::move(one)};
}

}  // namespace winperf

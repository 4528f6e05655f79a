#include "config/example.h"

#include "config/config.h"
#include "config/quantity.h"
#include "config/text_error.h"

namespace winperf {
namespace {

// Replaces the example's value. False if the example has no such line.
bool replace_value(std::string& text, std::string_view key, std::string_view old_value,
                   const std::string& value) {
  const std::string line = std::string(key) + ": " + std::string(old_value) + ",";
  const std::size_t at = text.find(line);
  if (at == std::string::npos) return false;
  text.replace(at, line.size(), std::string(key) + ": " + value + ",");
  return true;
}

}  // namespace

std::expected<std::string, std::string> example_config_with(
    const std::optional<std::string>& address, const std::optional<std::string>& port) {
  std::string text(example_config());
  if (address && !replace_value(text, "address", "\"::\"", as_json(*address)))
    return std::unexpected("the example has no listen.address");
  if (port) {
    const auto number = parse_integer(*port);
    if (!number)
      return std::unexpected("a port is a whole number, such as 10182, not \"" + *port + '"');
    if (!replace_value(text, "port", "10182", std::to_string(*number)))
      return std::unexpected("the example has no listen.port");
  }
  if (const auto config = parse_config(text, "the new configuration"); !config)
    return std::unexpected(describe(config.error().front()));
  return text;
}

}  // namespace winperf

#include "service/listen_option.h"

#include <charconv>

namespace winperf {

std::expected<ListenConfig, std::string> parse_listen(const std::string& text,
                                                      ListenConfig listen) {
  const std::size_t colon = text.rfind(':');
  const std::string message = "--listen wants ADDRESS:PORT, such as 127.0.0.1:10182, not \"";
  if (colon == std::string::npos) return std::unexpected(message + text + '"');
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, listen.port);
  if (error != std::errc() || stopped != end) return std::unexpected(message + text + '"');
  if (colon != 0) listen.address = text.substr(0, colon);
  return listen;
}

}  // namespace winperf

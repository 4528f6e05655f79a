#include "service/commands/local_address.h"

#include <algorithm>

namespace winperf {
namespace {

bool has_secrets(const ListenConfig& listen) {
  return listen.web.has_tls() || !listen.web.users.empty();
}

bool serves(const ListenConfig& listen, Served what) {
  return !listen.serve || std::ranges::find(*listen.serve, what) != listen.serve->end();
}

std::string url_of(const ListenConfig& listen, const std::string& loopback) {
  std::string host = listen.address;
  if (host == "::" || host == "0.0.0.0") host = loopback;
  if (host.contains(':')) host = '[' + host + ']';
  return (listen.web.has_tls() ? "https://" : "http://") + host + ':' + std::to_string(listen.port);
}

}  // namespace

std::string local_url(const std::vector<ListenConfig>& listen) {
  const auto plain = std::ranges::find_if(listen, [](const ListenConfig& one) {
    return serves(one, Served::kApi) && !has_secrets(one);
  });
  return url_of(plain == listen.end() ? listen.front() : *plain, "127.0.0.1");
}

std::optional<std::string> local_page(const std::vector<ListenConfig>& listen) {
  const auto found = std::ranges::find_if(listen, [](const ListenConfig& one) {
    // Port 0 is any that is free, which only the running exporter knows.
    return one.port != 0 && serves(one, Served::kPage) && serves(one, Served::kApi);
  });
  if (found == listen.end()) return std::nullopt;
  return url_of(*found, "localhost") + '/';
}

}  // namespace winperf

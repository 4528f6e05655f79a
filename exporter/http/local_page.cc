#include "exporter/http/local_page.h"

#include <httplib.h>

#include <chrono>
#include <cstddef>

namespace winperf {
namespace {

constexpr std::chrono::seconds kConnectTime{2};
constexpr std::chrono::seconds kAnswerTime{5};
constexpr std::size_t kMaxPageBytes = std::size_t{1} << 20;

// An address that means every interface is reached by loopback, also on a machine without IPv6.
std::string loopback_of(const std::string& address) {
  return address.empty() || address == "0.0.0.0" || address == "::" ? "127.0.0.1" : address;
}

std::string target_of(const std::string& path, const std::vector<std::string>& names) {
  std::string target = path;
  for (const std::string& name : names)
    target += (target.size() == path.size() ? "?name[]=" : "&name[]=") + name;
  return target;
}

std::string status_text(int status) {
  if (status == 401) return "it asks for a password";
  return "it answers with HTTP status " + std::to_string(status);
}

}  // namespace

std::expected<std::string, std::string> read_local_page(const std::string& address,
                                                        std::uint16_t port, const std::string& path,
                                                        const std::vector<std::string>& names) {
  httplib::Client client(loopback_of(address), port);
  client.set_connection_timeout(kConnectTime);
  client.set_read_timeout(kAnswerTime);
  client.set_max_timeout(kConnectTime + kAnswerTime);
  std::string page;
  const auto take = [&page](const char* bytes, std::size_t size) {
    if (size > kMaxPageBytes - page.size()) return false;
    page.append(bytes, size);
    return true;
  };
  const auto answer = client.Get(target_of(path, names), take);
  if (!answer) return std::unexpected("it does not answer: " + httplib::to_string(answer.error()));
  if (answer->status != 200) return std::unexpected(status_text(answer->status));
  return page;
}

}  // namespace winperf

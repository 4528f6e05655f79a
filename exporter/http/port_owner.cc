#include "exporter/http/port_owner.h"

#include <algorithm>

namespace winperf {
namespace {

constexpr std::size_t kMappedPrefix = 12;  // bytes before the IPv4 address in ::ffff:1.2.3.4

bool is_mapped(const NetAddress& address) {
  return std::ranges::all_of(address.begin(), address.begin() + 10,
                             [](std::uint8_t byte) { return byte == 0; }) &&
         address[10] == 0xFF && address[11] == 0xFF;
}

// 0.0.0.0 or ::
bool is_any(const NetAddress& address) {
  return std::ranges::all_of(address.begin() + (is_mapped(address) ? kMappedPrefix : 0),
                             address.end(), [](std::uint8_t byte) { return byte == 0; });
}

// Whether two programs can't listen on these addresses at one port. 0.0.0.0 includes no IPv6
// address.
bool collide(const NetAddress& a, const NetAddress& b) {
  if (a == b) return true;
  const auto covers = [](const NetAddress& any, const NetAddress& other) {
    return is_any(any) && (!is_mapped(any) || is_mapped(other));
  };
  return covers(a, b) || covers(b, a);
}

}  // namespace

NetAddress to_net_address(std::span<const std::uint8_t> bytes) {
  NetAddress address{};
  const bool is_ipv4 = bytes.size() < address.size();
  if (is_ipv4) address[10] = address[11] = 0xFF;
  const std::size_t start = is_ipv4 ? kMappedPrefix : 0;
  std::ranges::copy(bytes.first(std::min(bytes.size(), address.size() - start)),
                    address.begin() + static_cast<std::ptrdiff_t>(start));
  return address;
}

std::span<const std::uint8_t, 4> ipv4_bytes(const NetAddress& address) {
  return std::span(address).last<4>();
}

NetAddress address_in(const void* sockaddr, bool is_ipv6) {
  const auto* const bytes = static_cast<const std::uint8_t*>(sockaddr);
  return is_ipv6 ? to_net_address({bytes + kIpv6AddressOffset, 16})
                 : to_net_address({bytes + kIpv4AddressOffset, 4});
}

std::vector<std::uint32_t> owners(std::span<const Listener> listeners, const NetAddress& wanted) {
  std::vector<std::uint32_t> found;
  for (const Listener& listener : listeners) {
    const bool is_new = std::ranges::find(found, listener.process_id) == found.end();
    if (listener.process_id != 0 && is_new && collide(listener.address, wanted))
      found.push_back(listener.process_id);
  }
  return found;
}

std::string describe_owners(const NetAddress& wanted, int port) {
  std::string text;
  for (const std::uint32_t id : owners(listeners_on(port), wanted)) {
    const std::string name = process_name(id);
    const std::string number = "process " + std::to_string(id);
    text += (text.empty() ? "" : ", ") + (name.empty() ? number : name + " (" + number + ')') +
            process_hint(id);
  }
  return text;
}

}  // namespace winperf

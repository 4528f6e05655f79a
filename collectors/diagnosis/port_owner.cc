#include "collectors/diagnosis/port_owner.h"

#include <algorithm>
#include <span>

namespace winperf {
namespace {

// 0.0.0.0 or ::
bool is_any(const NetAddress& address) {
  const auto bytes = std::span(address).subspan(is_ipv4(address) ? address.size() - 4 : 0);
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

// Whether two programs can't listen on these addresses at one port. 0.0.0.0 includes no IPv6
// address.
bool collide(const NetAddress& a, const NetAddress& b) {
  if (a == b) return true;
  const auto covers = [](const NetAddress& any, const NetAddress& other) {
    return is_any(any) && (!is_ipv4(any) || is_ipv4(other));
  };
  return covers(a, b) || covers(b, a);
}

}  // namespace

std::vector<std::uint32_t> owners(std::span<const Listener> listeners, const NetAddress& wanted) {
  std::vector<std::uint32_t> found;
  for (const Listener& listener : listeners) {
    const bool is_new = std::ranges::find(found, listener.process_id) == found.end();
    if (listener.process_id != 0 && is_new && collide(listener.address, wanted))
      found.push_back(listener.process_id);
  }
  return found;
}

bool is_listened_on(const NetAddress& wanted, int port) {
  return std::ranges::any_of(listeners_on(port), [&](const Listener& listener) {
    return collide(listener.address, wanted);
  });
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

#include "exporter/mapping/overrides.h"

#include <algorithm>
#include <iterator>

#include "collectors/base/ascii.h"

namespace winperf {
namespace {

constexpr Override cumulative(std::string_view object, std::string_view counter) {
  return {.object = object, .counter = counter, .cumulative = true};
}

constexpr Override in_bytes(std::string_view object, std::string_view counter) {
  return {.object = object, .counter = counter, .unit = "bytes"};
}

constexpr Override kOverrides[] = {
    cumulative("ICMP", "*"),
    cumulative("ICMPv6", "*"),
    cumulative("IPv4", "Datagrams Outbound Discarded"),
    cumulative("IPv4", "Datagrams Outbound No Route"),
    cumulative("IPv4", "Datagrams Received Address Errors"),
    cumulative("IPv4", "Datagrams Received Discarded"),
    cumulative("IPv4", "Datagrams Received Header Errors"),
    cumulative("IPv4", "Datagrams Received Unknown Protocol"),
    cumulative("IPv4", "Fragment Re-assembly Failures"),
    cumulative("IPv4", "Fragmentation Failures"),
    cumulative("IPv6", "Datagrams Outbound Discarded"),
    cumulative("IPv6", "Datagrams Outbound No Route"),
    cumulative("IPv6", "Datagrams Received Address Errors"),
    cumulative("IPv6", "Datagrams Received Discarded"),
    cumulative("IPv6", "Datagrams Received Header Errors"),
    cumulative("IPv6", "Datagrams Received Unknown Protocol"),
    cumulative("IPv6", "Fragment Re-assembly Failures"),
    cumulative("IPv6", "Fragmentation Failures"),
    // Available Bytes, KBytes and MBytes all become bytes. The two rounded ones keep their word, so
    // that no name depends on which of the three a system has.
    {.object = "Memory",
     .counter = "Available KBytes",
     .stem = "available_kbytes",
     .unit = "bytes",
     .factor = 1024},
    {.object = "Memory",
     .counter = "Available MBytes",
     .stem = "available_mbytes",
     .unit = "bytes",
     .factor = 1048576},
    in_bytes("Memory", "Commit Limit"),
    {.object = "Network Adapter",
     .counter = "Current Bandwidth",
     .unit = "bytes_per_second",
     .factor = 0.125},
    cumulative("Network Adapter", "Packets Outbound Discarded"),
    cumulative("Network Adapter", "Packets Outbound Errors"),
    cumulative("Network Adapter", "Packets Received Discarded"),
    cumulative("Network Adapter", "Packets Received Errors"),
    cumulative("Network Adapter", "Packets Received Unknown"),
    {.object = "Network Interface",
     .counter = "Current Bandwidth",
     .unit = "bytes_per_second",
     .factor = 0.125},
    cumulative("Network Interface", "Packets Outbound Discarded"),
    cumulative("Network Interface", "Packets Outbound Errors"),
    cumulative("Network Interface", "Packets Received Discarded"),
    cumulative("Network Interface", "Packets Received Errors"),
    cumulative("Network Interface", "Packets Received Unknown"),
    in_bytes("Process", "Working Set"),
    in_bytes("Process", "Working Set - Private"),
    in_bytes("Process", "Working Set Peak"),
    in_bytes("Process V2", "Working Set"),
    in_bytes("Process V2", "Working Set - Private"),
    in_bytes("Process V2", "Working Set Peak"),
    cumulative("Server", "Errors *"),
    cumulative("TCPv4", "Connection Failures"),
    cumulative("TCPv4", "Connections Active"),
    cumulative("TCPv4", "Connections Passive"),
    cumulative("TCPv4", "Connections Reset"),
    cumulative("TCPv6", "Connection Failures"),
    cumulative("TCPv6", "Connections Active"),
    cumulative("TCPv6", "Connections Passive"),
    cumulative("TCPv6", "Connections Reset"),
    cumulative("UDPv4", "Datagrams Received Errors"),
    cumulative("UDPv6", "Datagrams Received Errors"),
};

constexpr Override kNoOverride{};

bool matches(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return equal_names(pattern, name);
  pattern.remove_suffix(1);
  return equal_names(pattern, name.substr(0, pattern.size()));
}

}  // namespace

const Override& override_for(std::string_view object, std::string_view counter) {
  const auto found = std::ranges::find_if(kOverrides, [&](const Override& row) {
    return equal_names(row.object, object) && matches(row.counter, counter);
  });
  return found == std::end(kOverrides) ? kNoOverride : *found;
}

}  // namespace winperf

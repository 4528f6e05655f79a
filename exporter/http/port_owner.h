// Which program has a TCP port that we want: for the message that says we can't have it.
//
// Neutral part; who listens is asked of the system in win/ and posix/. A system that doesn't tell,
// or tells only of this account's processes, leads to an empty answer. A program that listens on
// "::" is named for an IPv4 address too, although it may have asked for IPv6 alone. Thread rule:
// any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace winperf {

// An IPv6 address, or an IPv4 one in its place there (::ffff:1.2.3.4); all zero: any.
using NetAddress = std::array<std::uint8_t, 16>;

// Of 4 bytes or of 16, in the network's order.
NetAddress to_net_address(std::span<const std::uint8_t> bytes);

struct Listener {
  NetAddress address{};
  std::uint32_t process_id = 0;  // 0: unknown
  bool operator==(const Listener&) const = default;
};

// Those of them that keep another program from listening at the address.
std::vector<std::uint32_t> owners(std::span<const Listener> listeners, const NetAddress& wanted);

// "prometheus.exe (process 1234)"; of several, all of them. Empty where nobody is known.
std::string describe_owners(const NetAddress& wanted, int port);

// Asked of the system. The name is that of the program's file, and empty where it isn't known.
std::vector<Listener> listeners_on(int port);
std::string process_name(std::uint32_t process_id);
// What an administrator of this system should know of such a process, or nothing.
std::string process_hint(std::uint32_t process_id);

}  // namespace winperf

// Finds the program that occupies a TCP port, for the message that the server can't listen on it.
//
// This is the portable part; win/ and posix/ query the system. The result is empty if unknown, for
// example because the process belongs to another account. A program that listens on "::" is also
// reported for an IPv4 address, although it may listen on IPv6 only. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "collectors/base/net_address.h"

namespace winperf {

struct Listener {
  NetAddress address{};
  std::uint32_t process_id = 0;  // 0: unknown
  bool operator==(const Listener&) const = default;
};

// The processes that keep another program from listening on the address.
std::vector<std::uint32_t> owners(std::span<const Listener> listeners, const NetAddress& wanted);

// Whether any process, known or not, keeps another program from listening there.
bool is_listened_on(const NetAddress& wanted, int port);

// "prometheus.exe (process 1234)"; all of them, if there are several; empty if none is known.
std::string describe_owners(const NetAddress& wanted, int port);

// The listeners according to the system. The name is that of the program's file; empty if unknown.
std::vector<Listener> listeners_on(int port);
std::string process_name(std::uint32_t process_id);
// A hint for administrators about such a process; may be empty.
std::string process_hint(std::uint32_t process_id);

}  // namespace winperf

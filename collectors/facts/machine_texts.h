// How names, numbers and addresses of a machine are written, so that they match the instances of
// its counters and what dashboards of windows_exporter compare them with.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// The registry of Windows 11 still says "Windows 10 Pro". Without blanks at the ends.
std::string product_name(std::string_view in_registry, std::uint32_t build);

// An adapter's description as the instances of "Network Interface" are called: "Intel[R] I350 _2".
std::string nic_name(std::string_view description);

// "00:1A:2B:3C:4D:5E"; empty if there are no bytes.
std::string mac_text(std::span<const std::uint8_t> address);

// Whether the address, 4 bytes of IPv4 or 16 of IPv6, may be another machine's way to this one: not
// the unspecified one, nor loopback, link-local, multicast or broadcast ones.
bool is_global_unicast(std::span<const std::uint8_t> address);

// Each number once, in ascending order: "0;1".
std::string joined_numbers(std::vector<std::uint32_t> numbers);

// "\\.\PHYSICALDRIVE0" is PHYSICALDRIVE0: without backslashes and full stops at the ends.
std::string_view without_device_prefix(std::string_view path);

std::string_view without_blanks_at_end(std::string_view text);

// The path of a paging file as the registry lists it, without the "\??\" in front.
std::string_view without_object_prefix(std::string_view path);

}  // namespace winperf

// The documents' examples for PowerShell, and what of them a check can run. Thread rule: constants.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace winperf::selftest {

enum class ShellExampleKind : std::uint8_t {
  kText,               // it changes the machine or needs another one: only its form is checked
  kWindowsPowershell,  // the same, which PowerShell 7 doesn't know any more
  kServer,             // it asks a server, instead of which ours is asked
  kOwnCounters,        // it needs the exporter's own counters to be registered
};

struct ShellExample {
  std::string_view page;
  ShellExampleKind kind;
  std::string_view text;
};

std::span<const ShellExample> shell_examples();

// Where the examples expect a server.
inline constexpr std::string_view kExampleOrigin = "http://localhost:10182";

}  // namespace winperf::selftest

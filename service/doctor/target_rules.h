// Why another machine can't be read, by the error of connecting to it. A code of Windows rarely has
// one reason: with 53 the machine may be off, or just not serve its registry. So this is only where
// to begin; for the rules, what else is known decides. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "collectors/diagnosis/facts.h"

namespace winperf {

enum class TargetCause : std::uint8_t {
  kUnsupported,  // not on this platform
  kHung,         // no answer in time
  kUnreachable,  // not found, off, or behind a firewall
  kNotServed,    // it answers, but doesn't serve its registry
  kLogonFailed,
  kAccessDenied,
  kOther,
};

TargetCause cause_of(const Error& error);

// `host can't be read: ...; "winperf_exporter doctor --target host" ...`.
std::string unreachable_message(const TargetFacts& target);

}  // namespace winperf

// What has changed in how providers share processes, for people. Thread rule: values.
#pragma once

#include <cstdint>
#include <string>

namespace winperf {

enum class SharingChange : std::uint8_t {
  kParted,    // each has a process of its own from now on
  kTogether,  // they share one again
  kHarm,      // one of them has done harm
};

struct SharingNews {
  SharingChange change = SharingChange::kParted;
  std::string provider{};  // kHarm: its service
  std::string text{};      // a sentence without a full stop
};

}  // namespace winperf

// What is known of a V1 provider that has a worker process of its own: whether it is trusted, what
// became of its queries, and what they cost. Thread rule: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/model/error.h"

namespace winperf {

// What has changed in how providers share processes, for people. Thread rule: values.
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

enum class ProviderStanding : std::uint8_t {
  kNew,         // it has never answered
  kTrusted,     // it has answered
  kProbation,   // it was lost not long ago
  kQuarantine,  // it was lost, and isn't asked again for a while
  kShared,      // it is with others in one process
};
inline constexpr std::size_t kProviderStandingCount =
    static_cast<std::size_t>(ProviderStanding::kShared) + 1;
// "new", "trusted", "probation", "quarantine", "shared": the label value `state`.
std::string_view name_of(ProviderStanding standing);

struct ProviderState {
  std::string provider;  // its service; the label value `provider`
  std::string worker;    // the name of its worker
  ProviderStanding standing = ProviderStanding::kNew;
  double quarantine_seconds = 0;  // that are left of it
  std::uint64_t queries = 0;      // for its objects
  std::uint64_t failures = 0;     // those of them that gave nothing, also in quarantine
  std::optional<Error> error;     // why the last one gave nothing
  // What it has done to the process that ran it, as far as that is known to be its own doing.
  std::uint64_t harms = 0;
  std::string library;       // the file of its DLL, if it has done harm
  std::string last_harm;     // for people
  double apart_seconds = 0;  // for which it is still kept apart from the others because of that
  // Of the last query that it worked on, and of its last reply.
  std::optional<double> query_seconds;
  std::optional<std::uint64_t> reply_bytes;
};

}  // namespace winperf

// Asks one provider, alone in a process of its own, for all that it has.
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "collectors/hosting/provider_host.h"
#include "collectors/model/error.h"
#include "collectors/model/ids.h"

namespace winperf {

struct ProviderTrial {
  std::optional<Error> error;        // why it delivers nothing; or what is wrong with its reply
  std::vector<ObjectIndex> objects;  // in the order of its reply
  std::uint64_t bytes = 0;
  // Of the first query, which loads and opens it, and of the second one.
  std::chrono::nanoseconds first{};
  std::optional<std::chrono::nanoseconds> second;
};

// `host`: a new one, which is patient.
[[nodiscard]] ProviderTrial try_provider(ProviderHost& host);

}  // namespace winperf

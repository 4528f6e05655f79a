#include "exporter/auth/guess_limits.h"

#include <algorithm>
#include <chrono>

namespace winperf {
namespace {

constexpr std::chrono::seconds kInterval{1};

}  // namespace

bool GuessLimits::take(const std::string& address, Time now) {
  if (!addresses_.contains(address) && addresses_.size() >= kMostAddresses)
    addresses_.erase(std::ranges::min_element(addresses_, {},
                                              [](const auto& entry) { return entry.second.last; }));
  const Guesses fresh{.left = TokenBucket(kInterval, kWrongAtOnce)};
  Guesses& guesses = addresses_.try_emplace(address, fresh).first->second;
  guesses.last = now;
  return guesses.left.take(now);
}

void GuessLimits::give_back(const std::string& address) {
  const auto found = addresses_.find(address);
  if (found != addresses_.end()) found->second.left.give_back();
}

}  // namespace winperf

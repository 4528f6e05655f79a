#include "exporter/auth/address_limits.h"

#include <algorithm>

namespace winperf {

bool AddressLimits::take(const std::string& address, Time now) {
  if (!addresses_.contains(address) && addresses_.size() >= kMostAddresses)
    addresses_.erase(std::ranges::min_element(addresses_, {},
                                              [](const auto& entry) { return entry.second.last; }));
  Came& came = addresses_.try_emplace(address, Came{.left = fresh_}).first->second;
  came.last = now;
  return came.left.take(now);
}

void AddressLimits::give_back(const std::string& address) {
  const auto found = addresses_.find(address);
  if (found != addresses_.end()) found->second.left.give_back();
}

}  // namespace winperf

#include "exporter/auth/address_limits.h"

#include <algorithm>

namespace winperf {

bool AddressLimits::take(const std::string& address, Time now) {
  if (!addresses_.contains(address) && addresses_.size() >= kMostAddresses)
    addresses_.erase(std::ranges::min_element(addresses_, {},
                                              [](const auto& entry) { return entry.second.last; }));
  Came& came = addresses_.try_emplace(address, Came{.left = burst_}).first->second;
  came.last = now;
  if (interval_.count() <= 0) return true;
  if (came.left == burst_ || now < came.filled) came.filled = std::max(came.filled, now);
  const std::int64_t due = (now - came.filled) / interval_;
  came.filled += due * interval_;
  came.left = std::min(burst_, came.left + std::min(due, burst_));
  if (came.left == 0) return false;
  --came.left;
  return true;
}

void AddressLimits::give_back(const std::string& address) {
  const auto found = addresses_.find(address);
  if (found != addresses_.end()) found->second.left = std::min(burst_, found->second.left + 1);
}

}  // namespace winperf

#include "service/run/certificate_watch.h"

#include <algorithm>
#include <utility>

namespace winperf {

std::vector<AddressNotices> CertificateWatch::due(std::vector<AddressNotices> current,
                                                  SteadyTime now) {
  std::erase_if(told_, [&](const auto& told) {
    return std::ranges::find(current, told.first, &AddressNotices::address) == current.end();
  });
  std::erase_if(current, [&](const AddressNotices& one) {
    Told& told = told_[one.address];
    if (told.notices == one.notices && now - told.at < kAgainAfter) return true;
    told = {.notices = one.notices, .at = now};
    return false;
  });
  return current;
}

}  // namespace winperf

#include "collectors/hosting/culprits.h"

#include <algorithm>

namespace winperf {

bool Culprits::accuse(std::string_view service, Time now) {
  const auto known = terms_.find(service);
  Term& term = known != terms_.end() ? known->second : terms_[std::string(service)];
  const bool was_with_others = term.until <= now;
  if (now - term.until >= kLastTerm) term.length.reset();
  if (was_with_others) term.length.next();
  term.until = now + term.length.length();
  return was_with_others;
}

Culprits::Time Culprits::until(std::string_view service) const {
  const auto known = terms_.find(service);
  return known != terms_.end() ? known->second.until : Time::min();
}

bool Culprits::any_apart(Time now) const {
  return std::ranges::any_of(terms_, [now](const auto& one) { return one.second.until > now; });
}

}  // namespace winperf

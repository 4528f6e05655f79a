#include "collectors/hosting/sharing.h"

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

bool Sharing::pass(Time now) {
  if (isolation_ != Isolation::kAuto || mode_ == Mode::kTogether) return false;
  if (mode_ == Mode::kParted && now - quiet_since_ < quiet_.length()) return false;
  const Mode next = culprits_.any_apart(now) ? Mode::kInnocents : Mode::kTogether;
  if (next == mode_) return false;
  mode_ = next;
  rejoined_at_ = now;
  return true;
}

void Sharing::part(Time now) {
  mode_ = Mode::kParted;
  const bool is_soon_again = rejoined_at_ && now - *rejoined_at_ < kLastQuiet;
  if (!is_soon_again) quiet_.reset();
  quiet_.next();
  quiet_since_ = now;
}

bool Sharing::accuse(std::string_view service, Time now) {
  const bool is_new = culprits_.accuse(service, now);
  if (is_new) quiet_since_ = now;
  return is_new;
}

bool Sharing::is_apart(std::string_view service, Time now) const {
  return mode_ == Mode::kParted || culprits_.is_apart(service, now);
}

Sharing::Time::duration Sharing::left(std::string_view service, Time now) const {
  return culprits_.is_apart(service, now) ? culprits_.until(service) - now : Time::duration::zero();
}

bool Sharing::forgives(Time now) {
  if (forgave_at_ && now - *forgave_at_ < kForgiveness) return false;
  forgave_at_ = now;
  return true;
}

}  // namespace winperf

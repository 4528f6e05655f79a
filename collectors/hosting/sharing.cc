#include "collectors/hosting/sharing.h"

#include <algorithm>

namespace winperf {

bool Sharing::pass(Time now) {
  if (isolation_ != Isolation::kAuto || mode_ == Mode::kTogether) return false;
  if (mode_ == Mode::kParted && now - quiet_since_ < quiet_.length()) return false;
  const bool any_apart =
      std::ranges::any_of(terms_, [now](const auto& one) { return one.second.until > now; });
  const Mode next = any_apart ? Mode::kInnocents : Mode::kTogether;
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
  const auto known = terms_.find(service);
  Term& term = known != terms_.end() ? known->second : terms_[std::string(service)];
  const bool was_with_others = term.until <= now;
  if (now - term.until >= kLastTerm) term.length.reset();
  if (was_with_others) {
    term.length.next();
    quiet_since_ = now;
  }
  term.until = now + term.length.length();
  return was_with_others;
}

bool Sharing::is_apart(std::string_view service, Time now) const {
  return mode_ == Mode::kParted || left(service, now) > Time::duration::zero();
}

Sharing::Time::duration Sharing::left(std::string_view service, Time now) const {
  const auto known = terms_.find(service);
  return known != terms_.end() && known->second.until > now ? known->second.until - now
                                                            : Time::duration::zero();
}

bool Sharing::forgives(Time now) {
  if (forgave_at_ && now - *forgave_at_ < kForgiveness) return false;
  forgave_at_ = now;
  return true;
}

}  // namespace winperf

#include "service/log/log_limiter.h"

namespace winperf {

std::vector<LogLimiter::Suppressed> LogLimiter::ended(Time now) {
  std::vector<Suppressed> over;
  for (auto it = windows_.begin(); it != windows_.end();) {
    const auto& [key, window] = *it;
    if (now - window.since < kWindow) {
      ++it;
      continue;
    }
    if (window.suppressed > 0) over.push_back({key.first, key.second, window.suppressed});
    it = windows_.erase(it);
  }
  return over;
}

bool LogLimiter::admit(Event event, std::string_view subject, Time now) {
  Window& current = window(event, subject, now);
  if (current.written >= limit_) {
    ++current.suppressed;
    return false;
  }
  ++current.written;
  return true;
}

std::vector<LogLimiter::Suppressed> LogLimiter::rest() { return ended(Time::max()); }

LogLimiter::Window& LogLimiter::window(Event event, std::string_view subject, Time now) {
  Key key{event, subject};
  if (windows_.size() >= kMaxKeys && !windows_.contains(key)) key.second.clear();
  return windows_.try_emplace(std::move(key), Window{.since = now}).first->second;
}

}  // namespace winperf

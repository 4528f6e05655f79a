#include "collectors/sampling/perflib/perflib_connection.h"

#include <utility>

namespace winperf {
namespace {
constexpr std::chrono::minutes kRefreshInterval{5};
constexpr std::chrono::minutes kUnknownRefreshInterval{1};
constexpr std::chrono::seconds kFirstNameDelay{5};
}  // namespace

PerflibConnection::PerflibConnection(PerflibApi& api, std::u16string machine,
                                     const PerflibLimits& limits, Language names, Time now)
    : client_(api, std::move(machine), limits), catalog_(client_, names) {
  refresh(now);
}

void PerflibConnection::begin_round(Time now) {
  const auto age = now - refreshed_at_;
  if (age >= kRefreshInterval || (unknown_reported_ && age >= kUnknownRefreshInterval))
    refresh(now);
  else if (catalog_.failed_name() && now - names_asked_at_ >= names_delay_)
    retry_names(now);
  for (auto& [interval, session] : sessions_) session.begin_round();
}

void PerflibConnection::refresh(Time now) {
  refreshed_at_ = now;
  unknown_reported_ = false;
  const auto refreshed = catalog_.refresh();
  catalog_error_ = refreshed ? std::nullopt : std::optional(refreshed.error());
  if (catalog_error_) unknown_reported_ = true;
  names_asked_at_ = now;
  names_delay_ = kFirstNameDelay;
}

void PerflibConnection::retry_names(Time now) {
  catalog_.retry_names();
  names_asked_at_ = now;
  names_delay_ *= 2;
}

PerflibSession& PerflibConnection::session(Interval interval) {
  return sessions_.try_emplace(interval, client_).first->second;
}

}  // namespace winperf

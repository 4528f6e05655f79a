#include "service/log/log_event.h"

#include <array>
#include <cstddef>

namespace winperf {
namespace {

constexpr std::array kKinds{
    EventKind{Event::kStarted, 1, LogLevel::kInfo, "started"},
    EventKind{Event::kStopped, 2, LogLevel::kInfo, "stopped"},
    EventKind{Event::kNotStarted, 3, LogLevel::kError, "not_started"},
    EventKind{Event::kStopping, 4, LogLevel::kInfo, "stopping"},
    EventKind{Event::kProviderHangs, 5, LogLevel::kError, "provider_hangs"},
    EventKind{Event::kCountersetFails, 10, LogLevel::kWarn, "counterset_fails"},
    EventKind{Event::kCountersetWorks, 11, LogLevel::kInfo, "counterset_works"},
    EventKind{Event::kSamplingEnded, 12, LogLevel::kError, "sampling_ended"},
    EventKind{Event::kPerflibMissing, 13, LogLevel::kInfo, "perflib_missing"},
    EventKind{Event::kCountersetFallsBack, 14, LogLevel::kWarn, "counterset_falls_back"},
    EventKind{Event::kCountersetPathRestored, 15, LogLevel::kInfo, "counterset_path_restored"},
    EventKind{Event::kSourceNotice, 16, LogLevel::kWarn, "source_notice"},
    EventKind{Event::kCountersetDamaged, 17, LogLevel::kWarn, "counterset_damaged"},
    EventKind{Event::kCountersetWhole, 18, LogLevel::kInfo, "counterset_whole"},
    EventKind{Event::kCountersetStale, 19, LogLevel::kWarn, "counterset_stale"},
    EventKind{Event::kReloaded, 20, LogLevel::kInfo, "reloaded"},
    EventKind{Event::kReloadFailed, 21, LogLevel::kError, "reload_failed"},
    EventKind{Event::kListensAgain, 22, LogLevel::kInfo, "listens_again"},
    EventKind{Event::kDiscoveryFails, 23, LogLevel::kWarn, "discovery_fails"},
    EventKind{Event::kCountersetsFound, 24, LogLevel::kInfo, "countersets_found"},
    EventKind{Event::kFactsFail, 25, LogLevel::kWarn, "facts_fail"},
    EventKind{Event::kFactsWork, 26, LogLevel::kInfo, "facts_work"},
    EventKind{Event::kWorkerLost, 30, LogLevel::kWarn, "worker_lost"},
    EventKind{Event::kWorkerWorks, 31, LogLevel::kInfo, "worker_works"},
    EventKind{Event::kSamplingStuck, 32, LogLevel::kError, "sampling_stuck"},
    EventKind{Event::kProvidersParted, 33, LogLevel::kWarn, "providers_parted"},
    EventKind{Event::kProvidersTogether, 34, LogLevel::kInfo, "providers_together"},
    EventKind{Event::kProviderHarm, 35, LogLevel::kWarn, "provider_harm"},
    EventKind{Event::kScrapedTooOften, 40, LogLevel::kWarn, "scraped_too_often"},
    EventKind{Event::kCertificate, 41, LogLevel::kWarn, "certificate"},
    EventKind{Event::kTargetFails, 50, LogLevel::kWarn, "target_fails"},
    EventKind{Event::kTargetWorks, 51, LogLevel::kInfo, "target_works"},
    EventKind{Event::kTargetHangs, 52, LogLevel::kWarn, "target_hangs"},
    EventKind{Event::kProbesFail, 53, LogLevel::kWarn, "probes_fail"},
    EventKind{Event::kSuppressed, 90, LogLevel::kWarn, "suppressed"},
    EventKind{Event::kLinesLost, 91, LogLevel::kWarn, "lines_lost"},
    EventKind{Event::kLogFails, 92, LogLevel::kWarn, "log_fails"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (static_cast<std::size_t>(kKinds[i].event) != i) return false;
  return true;
}
static_assert(in_order());
static_assert(kKinds.size() == static_cast<std::size_t>(Event::kLogFails) + 1);

}  // namespace

std::span<const EventKind> event_kinds() { return kKinds; }

const EventKind& kind_of(Event event) { return kKinds.at(static_cast<std::size_t>(event)); }

}  // namespace winperf

#include "exporter/profiles/profile.h"

namespace winperf {

std::span<const ProfileBlock> profile_blocks(MetricProfile profile) {
  switch (profile) {
    case MetricProfile::kWinperf:
      break;
    case MetricProfile::kWindowsExporter:
      return windows_exporter_blocks();
    case MetricProfile::kWindowsExporterLegacy:
      return windows_exporter_legacy_blocks();
  }
  return {};
}

}  // namespace winperf

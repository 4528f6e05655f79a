#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"
#include "collectors/facts/wmi_rows.h"

namespace winperf {

FactAnswer read_quotas() {
  const auto quotas = query_wmi(L"root\\microsoft\\windows\\fsrm",
                                L"SELECT Path, Template, Description, PeakUsage, Size, Usage, "
                                L"Disabled, MatchesTemplate, SoftLimit FROM MSFT_FSRMQuota");
  // Without File Server Resource Manager there are no quotas, which is no failure.
  if (!quotas && quotas.error().code == ErrorCode::kUnsupported) return FactTable{};
  if (!quotas) return std::unexpected(quotas.error());
  return quota_rows(*quotas);
}

}  // namespace winperf

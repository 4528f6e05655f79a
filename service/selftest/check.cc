#include "service/selftest/check.h"

#include "collectors/base/path_text.h"

namespace winperf::selftest {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "passed";
    case Verdict::kFindings:
      return "findings";
    case Verdict::kAbsent:
      return "absent";
    case Verdict::kSkipped:
      return "skipped";
    case Verdict::kBroken:
      break;
  }
  return "broken";
}

std::optional<std::string> why_untrusted(const CheckRun& run, const std::filesystem::path& file) {
  if (!run.is_administrator) return std::nullopt;
  const auto why = run.why_others_may_change(file);
  if (!why) return std::nullopt;
  return path_text(file.filename()) + " is not used with an administrator's rights: " + *why;
}

}  // namespace winperf::selftest

#include "service/selftest/check.h"

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

}  // namespace winperf::selftest

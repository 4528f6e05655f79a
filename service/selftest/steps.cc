#include "service/selftest/steps.h"

#include <utility>

#include "collectors/base/wording.h"

namespace winperf::selftest {

bool Steps::expect(bool is_right, const std::string& sentence, const std::string& expected,
                   const std::string& got) {
  ++made_;
  if (!is_right)
    report_.findings.push_back(
        {.sentence = sentence, .details = {{"expected", expected}, {"got", got}}});
  return is_right;
}

void Steps::fail(const std::string& sentence, const std::string& why) {
  ++made_;
  report_.findings.push_back({.sentence = sentence, .details = {{"reason", why}}});
}

CheckReport Steps::end(const std::string& what) {
  report_.data["steps"] = made_;
  if (is_stopped()) {
    report_.verdict = Verdict::kBroken;
    report_.summary = "the selftest was stopped";
    return std::move(report_);
  }
  report_.verdict = report_.findings.empty() ? Verdict::kPassed : Verdict::kFindings;
  report_.summary = counted(made_, "step") + " with " + what;
  report_.summary += report_.findings.empty() ? ", all as they should be"
                                              : ", " + counted(report_.findings.size(), "finding");
  return std::move(report_);
}

}  // namespace winperf::selftest

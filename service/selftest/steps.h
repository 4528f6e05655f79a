// The steps of a check that makes several: each is as it should be, or becomes a finding with both
// sides. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <string>

#include "service/selftest/check.h"

namespace winperf::selftest {

class Steps {
 public:
  explicit Steps(CheckRun& run) : run_(run) {}

  // Says what is being done now.
  void begin(const std::string& what) { run_.tell(what); }
  // A step's result: `expected` is what it should be, `got` what it is.
  bool expect(bool is_right, const std::string& sentence, const std::string& expected,
              const std::string& got);
  // The same where there is nothing to compare but a reason.
  void fail(const std::string& sentence, const std::string& why);
  // Whether the check must end now.
  bool is_stopped() const { return run_.stop.stop_requested(); }

  // What was measured.
  nlohmann::ordered_json& data() { return report_.data; }
  CheckReport& report() { return report_; }
  CheckRun& run() const { return run_; }

  // With the verdict that its steps have; `what`: "the server" or the like, for the summary.
  CheckReport end(const std::string& what);

 private:
  CheckRun& run_;
  CheckReport report_;
  std::size_t made_ = 0;
};

}  // namespace winperf::selftest

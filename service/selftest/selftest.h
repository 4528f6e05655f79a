// Runs checks one after the other, takes back what they changed, and makes the report.
// Thread rule: one thread.
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "collectors/base/stop.h"
#include "service/selftest/check.h"
#include "service/selftest/report.h"

namespace winperf::selftest {

struct SelftestPlan {
  std::vector<SelfCheck> checks;  // all that are shown; those not chosen are skipped
  std::vector<std::string> only;  // ids; empty: all
  std::vector<std::string> with;  // ids of checks that change something, which were asked for
  SelftestSettings settings;
  std::filesystem::path program;
  bool is_administrator = false;
};

// Why the check isn't made; empty: it is.
std::string why_skipped(const SelfCheck& check, const SelftestPlan& plan);

// What will be done and changed, for people, before it is.
std::string plan_text(const SelftestPlan& plan);

struct SelftestView {
  std::function<void(const std::string&)> tell;        // what is being done now
  std::function<void(const SelfCheck&)> check_begins;  // before each that is made
  std::function<void(const DoneCheck&)> check_ended;   // after each that is shown
  StopToken stop{};
};

// What an earlier run has left is taken back first. The error is a sentence: nothing was done.
[[nodiscard]] std::expected<SelftestReport, std::string> run_selftest(const SelftestPlan& plan,
                                                                      const SelftestView& view);

// Takes back what a run has left, and returns a sentence for each thing that it did, or couldn't.
struct Undone {
  std::vector<std::string> done;
  std::vector<std::string> failed;
};
[[nodiscard]] std::expected<Undone, std::string> undo_selftest(const std::filesystem::path& program,
                                                               const StopToken& stop);

// Whether this process has an administrator's rights. Implemented in win/ and posix/.
bool is_elevated();

}  // namespace winperf::selftest

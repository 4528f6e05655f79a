// The checks of `selftest`, and what each gets and returns.
//
// A check is one file, checks/NAME.cc. It defines
//
//   SelfCheck NAME_check();
//
// and a line in this folder's CMakeLists.txt adds it to the program (check_list.cc.in). A check
// changes nothing on the machine but what it has written into the journal before (journal.h), and
// undoes it itself; what it leaves, because it failed or was killed, `selftest --undo` takes back.
// It returns by the time of its own deadlines, also if a program that it has started hangs, and
// soon after a stop was requested. It throws nothing but std::bad_alloc.
// Thread rule: checks run one after the other on one thread. docs/selftest.md, ADR 0028.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "service/selftest/work_folder.h"

namespace winperf::selftest {

class Journal;

// How a check ended.
enum class Verdict : std::uint8_t {
  kPassed,    // all is as it should be
  kFindings,  // something isn't: each is a Finding
  kAbsent,    // this system lacks what is checked, and need not have it; the summary says what
  kSkipped,   // it wasn't asked for, needs rights that the account lacks, or isn't safe here
  kBroken,    // it couldn't be made, or was stopped: nothing is known
};

// "passed", "findings", "absent", "skipped", "broken".
std::string_view name_of(Verdict verdict);

// One thing that isn't as it should be.
struct Finding {
  std::string sentence;  // lower case, no full stop
  // Numbers and texts behind it: name and value, such as "ours" and "12".
  std::vector<std::pair<std::string, std::string>> details{};
};

// A file of the report. `name`: plain, with the check's id at its beginning, such as "pdh.jsonl".
struct ReportFile {
  std::string name;
  std::vector<std::byte> bytes;
  bool is_text = true;  // UTF-8, in which --scrub replaces names
};

struct CheckReport {
  Verdict verdict = Verdict::kPassed;
  std::string summary{};  // one sentence for people, lower case, no full stop
  std::vector<Finding> findings{};
  nlohmann::ordered_json data{};  // what was measured, for programs; null: nothing
  std::vector<ReportFile> files{};
  std::vector<std::string> names{};  // of users, machines, programs: what --scrub replaces
};

// What the person asked for, as far as checks need it.
struct SelftestSettings {
  std::chrono::seconds load_time{300};  // of the check `load`
  std::filesystem::path installer{};    // the MSI of the check `msi`; empty: none
  bool scrub = false;                   // names of this machine are replaced in the report
};

// What a check works with. Views; all outlive the check.
struct CheckRun {
  const SelftestSettings& settings;
  const std::filesystem::path& program;  // this program, for children
  const std::filesystem::path&
      folder;             // for this check's files; empty at first, removed at the end
  bool is_administrator;  // elevated
  Journal& journal;
  StopToken stop;
  std::function<void(const std::string&)> tell;  // what is being done now, for the progress line
  std::function<std::optional<std::string>(const std::filesystem::path&)> why_others_may_change =
      why_others_may_change_file;
};

// Why this file must not be loaded or copied, although it lies beside the program: with an
// administrator's rights, only what nobody else can have put there is. Nothing: it may be.
std::optional<std::string> why_untrusted(const CheckRun& run, const std::filesystem::path& file);

struct SelfCheck {
  std::string_view id;     // in options, JSON and names of files
  std::string_view title;  // "Comparison with PDH"
  std::string_view does;   // a sentence: what it does
  // A sentence: what it changes on this machine until its end. Empty: nothing. Such a check is made
  // on request (--with), never by itself.
  std::string_view changes = {};
  bool needs_administrator = false;
  // About how long it takes on a usual server, and whether SelftestSettings::load_time comes to it.
  std::chrono::seconds takes{};
  bool takes_load_time = false;
  CheckReport (*run)(CheckRun& run) = nullptr;
};

// All of them, in the order in which they run. Defined in a generated file.
const std::vector<SelfCheck>& all_checks();

// A report without findings.
inline CheckReport report_of(Verdict verdict, std::string summary) {
  CheckReport report;
  report.verdict = verdict;
  report.summary = std::move(summary);
  return report;
}

}  // namespace winperf::selftest

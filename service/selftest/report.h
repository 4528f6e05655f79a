// The report of a selftest: a ZIP archive with a page for people (report.html), the same for
// programs (report.json), and the files of the checks.
//
// Scrubbed, the names of this machine and its accounts, and those that checks have found, are
// replaced in all texts (names_in_text.h); captures are scrubbed by who makes them. Thread rule:
// pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "service/selftest/check.h"
#include "service/selftest/names_in_text.h"

namespace winperf::selftest {

// A check and how it ended.
struct DoneCheck {
  SelfCheck check;
  CheckReport report;
  std::chrono::milliseconds took{};
};

struct SelftestReport {
  std::string version;  // of this program: "0.2 (revision, Windows x86_64)"
  std::string system;   // "Windows 10.0.20348, locale en-US"
  std::string started;  // as JSON has times
  bool is_administrator = false;
  bool is_scrubbed = false;
  std::vector<DoneCheck> checks;
  std::vector<std::string> left;  // changes that couldn't be taken back: sentences
};

// Whether nothing was found, and nothing is left.
bool is_good(const SelftestReport& report);

std::string report_json(const SelftestReport& report);
// One page without scripts, or anything from outside. It shows foreign text as text.
std::string report_page(const SelftestReport& report);
// The line of a check, and those of its findings, at most so many.
std::string check_text(const DoneCheck& done, bool has_colours, std::size_t most = 10);
// How many checks ended in which way, and what was left behind.
std::string report_text(const SelftestReport& report, bool has_colours);
// The archive.
std::vector<std::byte> report_archive(const SelftestReport& report);

// Without the names.
SelftestReport scrubbed(SelftestReport report, const NamesInText& names);

}  // namespace winperf::selftest

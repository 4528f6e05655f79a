// The report of a selftest: a ZIP archive with a page for people (report.html), the same for
// programs (report.json), and the files of the checks.
//
// Scrubbed, the names of this machine and its accounts, and those that checks have found, are
// replaced in all texts (names_in_text.h); captures are scrubbed by who makes them. Thread rule:
// pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "service/selftest/check.h"
#include "service/selftest/names_in_text.h"

namespace winperf::selftest {

// A check and how it ended.
struct DoneCheck {
  SelfCheck check;
  CheckReport report;
  std::chrono::milliseconds took{};
  // By --only. People see how many there are; report.json has each.
  bool is_left_out = false;
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

// The report in three words, such as "nothing was found"; "nothing was checked" if no check passed
// or found something.
std::string_view result_of(const SelftestReport& report);

std::string report_json(const SelftestReport& report);
// One page without scripts, or anything from outside. It shows foreign text as text.
std::string report_page(const SelftestReport& report);
// The line of a check, and those of its findings, at most so many.
std::string check_text(const DoneCheck& done, bool has_colours, std::size_t most = 10);
// Those whose line people see.
std::vector<DoneCheck> shown_checks(const SelftestReport& report);
// "12 checks were left out by --only"; empty without any.
std::string left_out_text(const SelftestReport& report);
// How many checks ended in which way, and what was left behind.
std::string report_text(const SelftestReport& report, bool has_colours);
// The archive.
std::vector<std::byte> report_archive(const SelftestReport& report);

// Text of a page: markup, and control characters, have no effect.
std::string html_text(std::string_view text);
// Any data as tables of HTML, empty if there is nothing: an object is a table with a row for each
// member, a list of objects a table with a column for each key of its first ones, a list of other
// values is on one line. What is deeper or longer than a page can show is counted; report.json has
// all of it. Foreign text is shown as text. Implemented in data_table.cc.
inline constexpr std::size_t kMostRows = 200;
inline constexpr std::size_t kMostColumns = 12;
std::string data_table(const nlohmann::ordered_json& data);

// Without the names.
SelftestReport scrubbed(SelftestReport report, const NamesInText& names);

}  // namespace winperf::selftest

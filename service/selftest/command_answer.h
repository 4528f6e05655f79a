// The JSON that a command of this program answers to a check.
//
// The command runs as a child with a deadline, as a person runs it. Not validated: what the
// document says; the readers below take a document of any shape, and what is missing or has another
// type is nothing. Errors: a sentence, for a command that can't be started, doesn't end, ends with
// another code than 0 or 1, or doesn't write one JSON object, such as after a complaint. Thread
// rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "service/selftest/check.h"

namespace winperf::selftest {

struct CommandAnswer {
  nlohmann::json document;
  std::int64_t exit_code = 0;
  std::string said{};  // to standard error
  std::chrono::milliseconds took{};
};

struct NoAnswer {
  std::string sentence;
  // It has crashed or hung, rather than said why it has no answer.
  bool is_lost = true;
};

[[nodiscard]] std::expected<CommandAnswer, NoAnswer> ask_program(
    const CheckRun& run, const std::vector<std::string>& words, std::chrono::seconds deadline);

// The member, or null.
const nlohmann::json& member_of(const nlohmann::json& from, const char* name);
// The members of a list, and none of anything else.
const nlohmann::json::array_t& list_of(const nlohmann::json& from, const char* name);
// A text; empty if it is none.
std::string text_of(const nlohmann::json& from, const char* name);
std::optional<std::uint64_t> count_of(const nlohmann::json& from, const char* name);

// Whether what a tool of Windows wrote has this text. It writes in the console's code page, not in
// UTF-8, so that only ASCII is compared: each run of such characters, in their order.
bool shows_text(std::string_view output, std::string_view text);

// Adds the finding, unless so many are there that they would hide each other: then it is counted in
// the last one.
void add_finding(CheckReport& report, Finding finding);
inline constexpr std::size_t kMostFindings = 2'000;

// Passed, or findings, by what the report has.
void conclude(CheckReport& report, std::string summary);

}  // namespace winperf::selftest

#include "service/selftest/command_answer.h"

#include <algorithm>
#include <utility>

#include "collectors/base/wording.h"
#include "service/selftest/program.h"

namespace winperf::selftest {
namespace {

// Commands that compare or check end with 1 if they have found something, and have answered.
constexpr std::int64_t kLastAnswer = 1;

std::string command_text(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 6;
  return "winperf_exporter " + joined(words, " ", kMost);
}

}  // namespace

std::expected<CommandAnswer, NoAnswer> ask_program(const CheckRun& run,
                                                   const std::vector<std::string>& words,
                                                   std::chrono::seconds deadline) {
  const NoAnswer stopped{.sentence = "the selftest was stopped", .is_lost = false};
  const std::string text = command_text(words);
  if (run.stop.stop_requested()) return std::unexpected(stopped);
  auto end = run_program(
      {.program = run.program, .words = words, .folder = run.folder, .deadline = deadline},
      run.stop);
  if (!end) return std::unexpected(NoAnswer{.sentence = text + ": " + end.error()});
  if (run.stop.stop_requested()) return std::unexpected(stopped);
  const bool is_regular = end->exit_code && *end->exit_code >= 0 && *end->exit_code <= kLastAnswer;
  auto document = is_regular ? nlohmann::json::parse(end->output, nullptr, false)
                             : nlohmann::json(nlohmann::json::value_t::discarded);
  if (!document.is_object())
    return std::unexpected(NoAnswer{.sentence = text + ": " + describe(*end),
                                    .is_lost = !is_regular || !end->output.empty()});
  return CommandAnswer{.document = std::move(document),
                       .exit_code = *end->exit_code,
                       .said = std::move(end->errors),
                       .took = end->took};
}

const nlohmann::json& member_of(const nlohmann::json& from, const char* name) {
  static const nlohmann::json nothing;
  if (!from.is_object()) return nothing;
  const auto found = from.find(name);
  return found == from.end() ? nothing : *found;
}

const nlohmann::json::array_t& list_of(const nlohmann::json& from, const char* name) {
  static const nlohmann::json::array_t empty;
  const nlohmann::json& list = member_of(from, name);
  return list.is_array() ? list.get_ref<const nlohmann::json::array_t&>() : empty;
}

std::string text_of(const nlohmann::json& from, const char* name) {
  const nlohmann::json& text = member_of(from, name);
  return text.is_string() ? text.get<std::string>() : std::string();
}

std::optional<std::uint64_t> count_of(const nlohmann::json& from, const char* name) {
  const nlohmann::json& count = member_of(from, name);
  if (!count.is_number_unsigned()) return std::nullopt;
  return count.get<std::uint64_t>();
}

bool shows_text(std::string_view output, std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  while (!text.empty()) {
    const auto begin = std::ranges::find_if(text, is_ascii);
    const auto end = std::find_if_not(begin, text.end(), is_ascii);
    const std::string_view run(begin, end);
    const std::size_t at = output.find(run);
    if (at == std::string_view::npos) return false;
    output.remove_prefix(at + run.size());
    text = std::string_view(end, text.end());
  }
  return true;
}

void add_finding(CheckReport& report, Finding finding) {
  if (report.findings.size() < kMostFindings) {
    report.findings.push_back(std::move(finding));
    return;
  }
  if (report.findings.size() == kMostFindings)
    report.findings.push_back(
        {.sentence = "more was found than is listed", .details = {{"not listed", "0"}}});
  std::string& count = report.findings.back().details.front().second;
  count = std::to_string(std::stoull(count) + 1);
}

void conclude(CheckReport& report, std::string summary) {
  report.verdict = report.findings.empty() ? Verdict::kPassed : Verdict::kFindings;
  report.summary = std::move(summary);
}

}  // namespace winperf::selftest

#include "service/commands/fact_report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "service/console/human_number.h"
#include "service/console/text_columns.h"
#include "service/doctor/fact_repairs.h"

namespace winperf {
namespace {

enum class FactUnit : std::uint8_t { kBytes, kBytesPerSecond, kUnixTime };

struct FieldUnit {
  FactTopic topic;
  std::string_view field;
  FactUnit unit;
};

// docs/facts.md, "Fields".
constexpr FieldUnit kFieldUnits[] = {
    {FactTopic::kOs, "install_time", FactUnit::kUnixTime},
    {FactTopic::kOs, "boot_time", FactUnit::kUnixTime},
    {FactTopic::kMemory, "physical_total", FactUnit::kBytes},
    {FactTopic::kMemory, "physical_free", FactUnit::kBytes},
    {FactTopic::kMemory, "process_limit", FactUnit::kBytes},
    {FactTopic::kMemory, "commit_limit", FactUnit::kBytes},
    {FactTopic::kMemory, "commit_free", FactUnit::kBytes},
    {FactTopic::kPagefiles, "size", FactUnit::kBytes},
    {FactTopic::kProcessors, "l2_cache", FactUnit::kBytes},
    {FactTopic::kProcessors, "l3_cache", FactUnit::kBytes},
    {FactTopic::kDisks, "size", FactUnit::kBytes},
    {FactTopic::kVolumes, "size", FactUnit::kBytes},
    {FactTopic::kVolumes, "free", FactUnit::kBytes},
    {FactTopic::kAdapters, "speed", FactUnit::kBytesPerSecond},
    {FactTopic::kAdapters, "transmit_speed", FactUnit::kBytesPerSecond},
    {FactTopic::kServices, "process_started", FactUnit::kUnixTime},
    {FactTopic::kLogons, "logon_time", FactUnit::kUnixTime},
    {FactTopic::kTasks, "last_run", FactUnit::kUnixTime},
    {FactTopic::kTasks, "next_run", FactUnit::kUnixTime},
    {FactTopic::kQuotas, "size", FactUnit::kBytes},
    {FactTopic::kQuotas, "usage", FactUnit::kBytes},
    {FactTopic::kQuotas, "peak_usage", FactUnit::kBytes},
    {FactTopic::kProcesses, "started", FactUnit::kUnixTime},
    {FactTopic::kTextfile, "mtime", FactUnit::kUnixTime},
};

// "2023-11-14 22:13:20 UTC"; empty outside the years 0 to 9999.
std::string utc_text(double unix_seconds) {
  constexpr double kFirst = -62'167'219'200.0, kEnd = 253'402'300'800.0;
  if (!(unix_seconds >= kFirst && unix_seconds < kEnd)) return {};
  const std::chrono::sys_seconds at{
      std::chrono::seconds(static_cast<std::int64_t>(std::floor(unix_seconds)))};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d:%02d UTC",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
  return text;
}

std::string plain_text(const FactValue& value) {
  FactRow row;
  std::visit(
      [&row](const auto& one) {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, double>)
          row.number("", one);
        else
          row.text("", one);
      },
      value);
  return row.text_of("");
}

const FactState* state_of(const FactSnapshot& facts, FactTopic topic) {
  const auto found = std::ranges::find(facts.topics, topic, &FactState::topic);
  return found == facts.topics.end() ? nullptr : &*found;
}

const FactConfig* config_of(std::span<const FactConfig> configured, FactTopic topic) {
  const auto found = std::ranges::find(configured, topic, &FactConfig::topic);
  return found == configured.end() ? nullptr : &*found;
}

std::string state_text(const FactState& state) {
  if (state.error) return is_absent(*state.error) ? "not on this system" : "failed";
  const std::size_t problems = state.table->problems.size();
  const std::string text = state.table->rows.empty() ? "empty" : "ok";
  return problems == 0 ? text : text + ", " + counted(problems, "problem");
}

void append_failure(std::string& out, const FactState& state) {
  const std::string name(name_of(state.topic));
  if (is_absent(*state.error)) {
    out += name + ": this system does not have the topic\n";
    return;
  }
  out += name + ": cannot be read: " + printable(describe(*state.error)) + '\n';
  std::size_t number = 0;
  for (const RepairStep& step : fact_repair(state.topic, *state.error)) {
    out += "  " + std::to_string(++number) + ". ";
    if (!step.command.empty()) out += printable(step.command) + "\n     ";
    out += printable(step.text) + '\n';
  }
}

// All fields of the rows; the one that names a row comes first.
std::vector<std::string> columns_of(const FactState& state) {
  std::vector<std::string> columns;
  for (const FactRow& row : state.table->rows)
    for (const auto& [field, value] : row.fields())
      if (std::ranges::find(columns, field) == columns.end()) columns.push_back(field);
  const auto name = std::ranges::find(columns, info_of(state.topic).row_name);
  if (name != columns.end()) std::rotate(columns.begin(), name, name + 1);
  return columns;
}

constexpr std::size_t kIndentOfRows = 2;

void append_indented(std::string& out, std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n') + 1, lines.size());
    out.append(kIndentOfRows, ' ');
    out += lines.substr(0, end);
    lines.remove_prefix(end);
  }
}

void append_row(std::string& out, const FactState& state) {
  std::size_t width = 0;
  const auto& fields = state.table->rows.front().fields();
  for (const auto& [field, value] : fields) width = std::max(width, text_width(field));
  for (const auto& [field, value] : fields) {
    out += "  ";
    append_padded(out, field, width);
    out += printable(shown_fact(state.topic, field, value)) + '\n';
  }
}

void append_rows(std::string& out, const FactState& state, std::size_t most_columns) {
  const std::vector<std::string> names = columns_of(state);
  TextColumns columns(names);
  for (const FactRow& row : state.table->rows) {
    std::vector<std::string> cells;
    for (const std::string& name : names) {
      const FactValue* const value = row.find(name);
      cells.push_back(value == nullptr ? "-" : shown_fact(state.topic, name, *value));
    }
    columns.add(std::move(cells));
  }
  append_indented(out, columns.text(most_columns - std::min(kIndentOfRows, most_columns)));
}

void append_topic(std::string& out, const FactState& state, bool is_filtered,
                  std::size_t most_columns) {
  if (state.error) return append_failure(out, state);
  const FactTable& table = *state.table;
  out += std::string(name_of(state.topic)) + ": ";
  if (table.rows.empty()) {
    out += is_filtered ? "no row passes the filters of the configuration\n"
                       : "empty; this machine has none\n";
  } else if (info_of(state.topic).row_name.empty() && table.rows.size() == 1) {
    out += std::string(info_of(state.topic).content) + '\n';
    append_row(out, state);
  } else {
    out += counted(table.rows.size(), "row") + '\n';
    append_rows(out, state, most_columns);
  }
  for (const std::string& problem : table.problems)
    out += "  problem: " + printable(problem) + '\n';
}

}  // namespace

std::string shown_fact(FactTopic topic, std::string_view field, const FactValue& value) {
  const double* const number = std::get_if<double>(&value);
  const auto found = std::ranges::find_if(kFieldUnits, [&](const FieldUnit& entry) {
    return entry.topic == topic && entry.field == field;
  });
  if (number == nullptr || found == std::end(kFieldUnits)) return plain_text(value);
  switch (found->unit) {
    case FactUnit::kBytes:
      return human_bytes(*number);
    case FactUnit::kBytesPerSecond:
      return human_bytes(*number) + "/s";
    case FactUnit::kUnixTime:
      break;
  }
  const std::string time = utc_text(*number);
  return time.empty() ? plain_text(value) : time;
}

std::string topics_to_table(const FactSnapshot& facts, std::span<const FactConfig> configured,
                            std::size_t most_columns) {
  TextColumns columns({"topic", "rows", "state", "content"});
  std::string failures;
  for (const FactTopicInfo& info : kFactTopics) {
    const FactState* const state = state_of(facts, info.topic);
    std::string rows = "-", text = "off";
    if (state != nullptr) {
      text = state_text(*state);
      if (state->table) rows = std::to_string(state->table->rows.size());
      if (state->error && !is_absent(*state->error)) append_failure(failures, *state);
    }
    columns.add(
        {std::string(info.name), std::move(rows), std::move(text), std::string(info.content)});
  }
  std::string out = columns.text(most_columns);
  if (!failures.empty()) out += '\n' + failures;
  if (configured.size() < kFactTopicCount)
    out += "\nthe service reads a topic that is off if facts in the configuration lists it\n";
  return out;
}

std::string facts_to_tables(const FactSnapshot& facts, std::span<const FactConfig> configured,
                            std::size_t most_columns) {
  std::string out;
  for (const FactState& state : facts.topics) {
    if (!out.empty()) out += '\n';
    const FactConfig* const config = config_of(configured, state.topic);
    append_topic(out, state, config != nullptr && !config->rows.accepts_all(), most_columns);
  }
  return out;
}

}  // namespace winperf

#include "exporter/text/textfile_part.h"

#include <algorithm>
#include <utility>

#include "exporter/text/exposition.h"
#include "exporter/text/textfile_lines.h"

namespace winperf {
namespace {

constexpr std::string_view kError = "winperf_textfile_error";

FactTable table_of(const TextfileResult& result) {
  FactTable table;
  for (const TextfileTime& time : result.times)
    table.add().text("file", time.file).number("mtime", time.modified_seconds);
  for (const auto& [file, sentence] : result.problems)
    table.problems.push_back(file.empty() ? sentence : file + ": " + sentence);
  return table;
}

void append_gauge(std::string& out, PageFormat format, std::string_view name, std::string_view help,
                  std::size_t value) {
  append_header(out, format, name, help, "gauge");
  out += name;
  out += ' ';
  append_number(out, static_cast<std::uint64_t>(value));
  out += '\n';
}

}  // namespace

ParsedFacts TextfilePart::parse(const FactSnapshot& facts) {
  ParsedFacts parsed{.facts = facts};
  const auto state =
      std::ranges::find(parsed.facts.topics, FactTopic::kTextfile, &FactState::topic);
  if (state == parsed.facts.topics.end() || state->table == nullptr) return parsed;
  const std::lock_guard lock(mutex_);
  if (parsed_.from != state->table) {
    auto result = std::make_shared<const TextfileResult>(merge_textfiles(*state->table));
    parsed_ = {.from = state->table,
               .to = std::make_shared<const FactTable>(table_of(*result)),
               .result = std::move(result)};
  }
  state->table = parsed_.to;
  parsed.textfiles = parsed_.result;
  return parsed;
}

std::size_t append_textfiles(std::string& out, PageFormat format, const ParsedFacts& parsed,
                             SteadyTime now, const PageSelection& selection,
                             const PageNames& names) {
  const auto& topics = parsed.facts.topics;
  const auto state = std::ranges::find(topics, FactTopic::kTextfile, &FactState::topic);
  if (parsed.textfiles == nullptr || !is_fresh(*state, now) || !selection.has_topic(state->topic))
    return 0;
  if (selection.has_name(kError))
    append_gauge(out, format, kError, "1 if a folder or a file couldn't be read or was refused.",
                 parsed.textfiles->problems.empty() ? 0 : 1);
  return append_textfile_families(
      out, format, parsed.textfiles->families,
      [&](std::string_view name) { return name == kError || names.has(name); },
      [&](std::string_view name) { return selection.has_name(name); });
}

}  // namespace winperf

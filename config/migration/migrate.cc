#include "config/migration/migrate.h"

#include <utility>

#include "collectors/base/wording.h"
#include "config/config.h"
#include "config/migration/leftovers.h"
#include "config/migration/sections.h"
#include "config/migration/selection.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

std::string collect_key(const std::vector<std::string>& sets) {
  return sets.empty() ? "" : "  collect: [" + joined(sets, ", ", as_json) + "],\n";
}

std::string facts_key(const std::vector<FactEntry>& facts) {
  if (facts.empty()) return "  facts: [],\n";
  std::string lines;
  for (const FactEntry& fact : facts) lines += "    " + text_of(fact) + '\n';
  return "  facts: [\n" + lines + "  ],\n";
}

std::string countersets_key(const Selected& selected) {
  if (selected.entries.empty() && !selected.sets.empty()) return "";
  if (selected.entries.empty() && !selected.facts.empty()) return "  countersets: [],\n";
  if (selected.entries.empty())
    return "  countersets: [\"System\"],  # because something has to be read\n";
  std::string lines;
  for (const Entry& entry : selected.entries) lines += "    " + text_of(entry) + '\n';
  return "  countersets: [\n" + lines + "  ],\n";
}

bool is_accepted(const std::string& text) { return parse_config(text, "").has_value(); }

// What this program refuses, such as two metrics of one name and different types, is lost.
void drop_what_is_refused(Selected& selected, Progress& progress) {
  Selected kept;
  const auto is_good = [&] { return is_accepted('{' + countersets_key(kept) + '}'); };
  for (Entry& entry : selected.entries) {
    Entry bare = entry;
    bare.metrics.clear();
    if (!entry.metrics.empty()) bare.instance_label.clear();
    kept.entries.push_back(bare);
    if (!is_good()) {
      kept.entries.pop_back();
      progress.lose(entry.comment + ": " + as_json(entry.names.front()) +
                    " was left out, because it can't be the name of a counterset here");
      continue;
    }
    for (const NamedMetric& metric : entry.metrics) {
      const Entry before = kept.entries.back();
      kept.entries.back().instance_label = entry.instance_label;
      kept.entries.back().metrics.push_back(metric);
      if (is_good()) continue;
      kept.entries.back() = before;
      progress.lose(entry.comment + ": the metric " + as_json(metric.name) + " of the counter " +
                    as_json(metric.counter) +
                    " was left out, because another one has the same name with the same labels or "
                    "another type");
    }
  }
  selected.entries = std::move(kept.entries);
}

std::string notes_of(const Progress& progress, bool is_loss, const std::string& title) {
  std::string lines;
  for (const Message& message : progress.messages())
    if (message.is_loss == is_loss) lines += "# - " + message.text + '\n';
  return lines.empty() ? "" : "# " + title + "\n" + lines;
}

std::string summary_of(const Selected& selected, std::size_t enabled, std::size_t lost) {
  return std::to_string(selected.collectors) + " of " + counted(enabled, "collector") +
         " taken over, " +
         (lost == 0 ? "nothing lost" : std::to_string(lost) + (lost == 1 ? " loss" : " losses"));
}

// The last value of a flag counts, as it does for windows_exporter's own settings.
void note_repetitions(Progress& progress) {
  for (const Setting& setting : progress.settings())
    if (setting.values.size() > 1 && !is_list(setting))
      progress.note(setting.place + ": it is given " + std::to_string(setting.values.size()) +
                    " times: the last value, " + as_json(setting.values.back()) + ", counts");
}

}  // namespace

std::expected<Migrated, std::string> migrate(const Settings& settings,
                                             const std::string& program_folder) {
  Progress progress(settings);
  note_repetitions(progress);
  std::string sections = listen_section(progress);
  sections += metrics_section(progress);
  sections += log_section(progress);
  sections += limits_section(progress);
  const Enabled enabled = enabled_collectors(progress);
  Selected selected = select(enabled, program_folder, progress);
  if (!selected.entries.empty() && !is_accepted('{' + countersets_key(selected) + '}'))
    drop_what_is_refused(selected, progress);
  explain_leftovers(enabled.names, progress);

  const std::string summary = summary_of(selected, enabled.names.size(), progress.lost());
  std::string text =
      "# Made from windows_exporter's configuration by \"winperf_exporter config migrate\".\n# " +
      summary + ".\n{\n" + sections + collect_key(selected.sets) + facts_key(selected.facts) +
      countersets_key(selected) + "}\n" + notes_of(progress, true, "Lost:") +
      notes_of(progress, false, "Good to know:");
  if (const auto config = parse_config(text, "the result"); !config)
    return std::unexpected(describe(config.error().front()));
  return Migrated{.text = std::move(text),
                  .messages = progress.messages(),
                  .summary = summary,
                  .complete = progress.lost() == 0};
}

}  // namespace winperf::migration

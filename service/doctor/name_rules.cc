// Rules about a counterset's name and the name table.
#include <algorithm>
#include <array>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "collectors/wire/name_table.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

// A counterset that replaces this one and isn't in the configuration yet.
bool has_replacement(const Case& c) {
  const std::string& replacement = c.name->replacement;
  return !replacement.empty() && std::ranges::none_of(c.facts.names, [&](const NameFacts& name) {
    return equal_names(name.name, replacement);
  });
}

std::vector<std::string> asked_names(const Case& c) {
  std::vector<std::string> names;
  for (const NameFacts& name : c.facts.names) names.push_back(name.name);
  return names;
}

std::vector<std::string> table_lines(const MachineFacts& machine) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < machine.name_tables.size(); ++i) {
    const NameTableFacts& table = machine.name_tables[i];
    std::string line = "English name table, source " + std::to_string(i + 1) + ": ";
    if (table.error) {
      line += describe(*table.error);
    } else {
      line += counted(table.names, "name") + ", the last with index " +
              std::to_string(table.highest_index);
    }
    for (const NameTable::Problem& problem : table.problems)
      line += "; " + describe(problem.first) + ", " + counted(problem.count, "time");
    lines.push_back(std::move(line));
  }
  return lines;
}

bool any_table(const MachineFacts& machine) {
  return std::ranges::any_of(machine.name_tables,
                             [](const NameTableFacts& table) { return table.names != 0; });
}

bool is_corrupt_table(const NameTableFacts& table) {
  return std::ranges::any_of(table.problems, [](const NameTable::Problem& problem) {
    return kind_of(problem.first.code) == ErrorKind::kCorrupt;
  });
}

bool any_corrupt(const MachineFacts& machine) {
  return std::ranges::any_of(machine.name_tables, is_corrupt_table);
}

// The first table that isn't English; null if all are.
const NameTableFacts* foreign_table(const MachineFacts& machine) {
  const auto found =
      std::ranges::find_if(machine.name_tables, [](const auto& t) { return !t.foreign.empty(); });
  return found == machine.name_tables.end() ? nullptr : &*found;
}

// Whether its name doesn't come from a table that isn't English.
bool has_english_name(const Case& c) {
  return c.v2 != nullptr || (c.index && value_of(*c.index) <= kLastBaseIndex);
}

// A few nameless indices are usual (bases); a provider most of whose names are missing is not.
bool has_lost_names(const ProviderFacts& provider) { return provider.nameless > provider.named; }

bool ends_early(const MachineFacts& machine) {
  std::uint32_t highest = 0;
  for (const NameTableFacts& table : machine.name_tables)
    highest = std::max(highest, table.highest_index);
  return machine.perflib.last_counter.value_or(0) > highest;
}

// Windows' own names fill every second index up to a known one; a table with less than half of
// them was rebuilt without its backup.
bool lacks_own_names(const MachineFacts& machine) {
  std::size_t names = 0;
  for (const NameTableFacts& table : machine.name_tables) names = std::max(names, table.names);
  return names < machine.base_last_index.value_or(0) / 4;
}

bool has_gap(const MachineFacts& machine) {
  return ends_early(machine) || lacks_own_names(machine) ||
         std::ranges::any_of(machine.providers, has_lost_names);
}

std::vector<std::string> gap_lines(const MachineFacts& machine) {
  std::vector<std::string> lines = table_lines(machine);
  if (ends_early(machine))
    lines.push_back(value_line(kPerflibKey, "Last Counter", machine.perflib.last_counter));
  if (lacks_own_names(machine))
    lines.push_back("Windows' own names alone go up to index " +
                    std::to_string(*machine.base_last_index));
  for (const ProviderFacts& provider : machine.providers) {
    if (!has_lost_names(provider)) continue;
    lines.push_back("service \"" + provider.service + "\", indices " +
                    std::to_string(provider.first_counter.value_or(0)) + " to " +
                    std::to_string(provider.last_counter.value_or(0)) + ": " +
                    std::to_string(provider.nameless) + " without a name");
  }
  return lines;
}

// lodctr /R, with its side effects.
Repair rebuild_name_tables() {
  return {
      {"lodctr /S:%TEMP%\\perf-backup.ini",
       "saves the current names and registrations to a file; lodctr /R:%TEMP%\\perf-backup.ini "
       "restores them"},
      {"cd /d %SystemRoot%\\System32 && lodctr /R",
       "rebuilds all name tables from the system's backup and the providers' .ini files. This "
       "changes the machine: providers may get new indices, their settings may be reset, and a "
       "provider whose .ini file is gone loses its names until it is installed again. If the "
       "command ends with an error, run it a second time"},
      {"cd /d %SystemRoot%\\SysWOW64 && lodctr /R", "does the same for 32-bit programs"},
      {"winmgmt /resyncperf", "lets WMI read the new tables"},
      restart_exporter(),
  };
}

Repair table_repair(const MachineFacts& machine) {
  if (!machine.replay) return rebuild_name_tables();
  return {
      advice("record again, together with the name tables (counter-009.bin), or name countersets "
             "by their index")};
}

// Windows restores its own files, and then the tables are made of them again.
Repair language_repair(const MachineFacts& machine) {
  Repair repair = rebuild_name_tables();
  repair.push_back({"sfc /scannow",
                    "restores perfc009.dat and perfh009.dat in %SystemRoot%\\System32 if the names "
                    "are still wrong; then rebuild the tables again"});
  std::string where;
  if (machine.replay) where = "on the recorded machine, before recording again: ";
  if (machine.target) where = "on " + machine.target->host + ": ";
  for (RepairStep& step : repair) step.text = where + step.text;
  return repair;
}

std::vector<std::string> foreign_lines(const NameTableFacts& table) {
  std::vector<std::string> lines;
  for (const ForeignName& name : table.foreign)
    lines.push_back("index " + std::to_string(name.index) + " is \"" + name.text +
                    "\" instead of \"" + std::string(name.english) + '"');
  return lines;
}

}  // namespace

MaybeFinding name_unknown(const Case& c) {
  if (c.name_known() || has_replacement(c) || !any_table(c.machine)) return std::nullopt;
  if (foreign_table(c.machine) != nullptr) return std::nullopt;
  const bool damaged = any_corrupt(c.machine) || has_gap(c.machine);
  if (damaged && c.name->nearest.empty()) return std::nullopt;
  // A similar name was probably meant.
  const bool may_be_absent =
      c.request.absence != Absence::kFailure && c.name->nearest.empty() && !damaged;
  Finding finding{.severity = may_be_absent ? Severity::kAbsent : Severity::kFailed,
                  .sentence = std::string("no counterset ") +
                              (c.machine.replay ? "in this recording" : "on this machine") +
                              " is called " + quoted_list(asked_names(c)),
                  .evidence = table_lines(c.machine)};
  if (!c.name->nearest.empty()) {
    finding.sentence += "; did you mean \"" + c.name->nearest + "\"?";
    finding.repair.push_back(advice("write \"" + c.name->nearest +
                                    "\" instead, in the configuration or on the command line"));
  }
  finding.repair.push_back(list_countersets(c.machine, "", "shows the names that exist here"));
  finding.repair.push_back(
      advice("if the counterset belongs to a product or a Windows feature, install that first"));
  return finding;
}

MaybeFinding name_table_foreign(const Case& c) {
  const NameTableFacts* const table = foreign_table(c.machine);
  if (table == nullptr) return std::nullopt;
  Finding finding{
      .severity = !c.name_known()       ? Severity::kFailed
                  : has_english_name(c) ? Severity::kNote
                                        : Severity::kWarning,
      .sentence =
          "the table of English counter names (009) is in another language; Windows' own objects "
          "and counters get their English names by index, all others keep the names of the table",
      .evidence = table_lines(c.machine)};
  if (!c.name_known()) finding.sentence += ", and none is called " + quoted_list(asked_names(c));
  if (!c.name_known() && !c.name->nearest.empty())
    finding.repair.push_back(
        advice("until then, \"" + c.name->nearest + "\" is the most similar name"));
  append(finding.repair, language_repair(c.machine));
  append(finding.evidence, foreign_lines(*table));
  return finding;
}

MaybeFinding name_table_unreadable(const Case& c) {
  if (any_table(c.machine)) return std::nullopt;
  return Finding{.severity = c.name_known() ? Severity::kWarning : Severity::kFailed,
                 .sentence = c.machine.replay ? "the recording has no name table"
                                              : "the table of counter names is missing or cannot "
                                                "be read, so no counterset can be found by name",
                 .repair = table_repair(c.machine),
                 .evidence = table_lines(c.machine)};
}

MaybeFinding name_table_corrupt(const Case& c) {
  if (!any_corrupt(c.machine)) return std::nullopt;
  Finding finding{.severity = c.name_known() ? Severity::kNote : Severity::kFailed,
                  .sentence = "the table of counter names is damaged",
                  .repair = table_repair(c.machine),
                  .evidence = table_lines(c.machine)};
  if (!c.machine.replay)
    finding.repair.insert(finding.repair.begin(),
                          advice("run the doctor again: while a provider is being installed, the "
                                 "table is briefly incomplete"));
  return finding;
}

MaybeFinding name_table_gap(const Case& c) {
  const bool nameless = c.object != nullptr ? c.object->name.empty()
                                            : c.index.has_value() && c.name->text.empty() && !c.v2;
  if (c.name_known() ? !nameless : !any_table(c.machine) || !has_gap(c.machine))
    return std::nullopt;
  // A missing name does not explain an absence.
  return Finding{.severity = c.name_known() ? Severity::kWarning : Severity::kFailed,
                 .sentence = c.name_known() ? "index " + std::to_string(value_of(*c.index)) +
                                                  " has no entry in the table of counter names"
                                            : "the table of counter names has gaps; " + c.quoted() +
                                                  " is not in it",
                 .repair = table_repair(c.machine),
                 .evidence = gap_lines(c.machine)};
}

MaybeFinding replaced(const Case& c) {
  if (c.object != nullptr || !has_replacement(c)) return std::nullopt;
  const std::string& replacement = c.name->replacement;
  return Finding{
      .severity = Severity::kFailed,
      .sentence =
          c.quoted() + " is not delivered; this machine has \"" + replacement + "\" instead",
      .repair =
          {advice("name both in the configuration: countersets: [{name: [\"" + replacement +
                  "\", \"" + c.name->name +
                  "\"]}]. The first one that exists is used, and its metrics are named after it"),
           list_countersets(c.machine, '"' + replacement + '"',
                            "shows its counters and instances")},
      .evidence = {"the name table has \"" + replacement + "\""}};
}

}  // namespace winperf

// Rules about how a V1 provider is registered: the values of its Performance key, its DLL, and the
// functions that the key names and the DLL exports.
#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

// Lower indices are Windows' own: their providers list them and have no range.
constexpr std::uint32_t kUsualBaseLastIndex = 1847;

// If so, the owner of an index may be among those that could not be read.
bool any_denied(const MachineFacts& machine) {
  return std::ranges::find(machine.providers, Access::kDenied, &ProviderFacts::access) !=
         machine.providers.end();
}

std::string range_line(const ProviderFacts& provider) {
  return value_line(performance_key(provider), "First Counter", provider.first_counter) + ", " +
         "Last Counter" +
         (provider.last_counter ? " = " + std::to_string(*provider.last_counter) : " is not set");
}

// Why the DLL's functions cannot be read. If the counterset is delivered, Windows has found them; a
// file that is only too large for us is not damaged; a file for another architecture is not loaded
// anyway.
std::optional<Error> damage_of(const Case& c) {
  if (c.machine.process_machine && c.provider->file.machine != c.machine.process_machine)
    return std::nullopt;
  const std::optional<Error>& error = c.provider->file.exports_error;
  const bool is_damage = error && kind_of(error->code) == ErrorKind::kCorrupt &&
                         error->code != ErrorCode::kLimitExceeded;
  return is_damage && c.object == nullptr ? error : std::nullopt;
}

constexpr std::size_t kShownNames = 5;

using Procedure = std::pair<const char*, const std::optional<std::string>*>;

// A function that is registered but not exported. Windows looks a function up by exactly the
// registered name, and disables the provider if one of them is missing. Open and Close are
// optional. Source: Learn, "Creating a Performance Extension DLL".
struct MissingProcedure {
  std::string_view value;  // "Open", "Collect" or "Close"
  std::string name;        // as registered
  // What the DLL exports instead, if it looks like the same function: the name as decorated by a
  // compiler, or with different upper and lower case.
  std::string decorated{};
  std::string other_case{};
};

bool is_given(const std::optional<std::string>& value) { return value && !value->empty(); }

// None if it is unknown what the DLL exports. If only some of its names are unknown, the functions
// that it exports in another form.
std::vector<MissingProcedure> missing_procedures(const ProviderFacts& provider) {
  std::vector<MissingProcedure> missing;
  if (!provider.file.exports) return missing;
  const PeExports& exports = *provider.file.exports;
  const std::vector<std::string>& names = exports.names;
  const Procedure procedures[] = {
      {"Open", &provider.open}, {"Collect", &provider.collect}, {"Close", &provider.close}};
  for (const auto& [value, name] : procedures) {
    if (!is_given(*name) || std::ranges::find(names, **name) != names.end()) continue;
    MissingProcedure procedure{.value = value, .name = **name};
    for (const std::string& exported : names) {
      if (procedure.decorated.empty() && is_decorated(exported, **name))
        procedure.decorated = exported;
      if (procedure.other_case.empty() && equal_names(exported, **name))
        procedure.other_case = exported;
    }
    // Otherwise it may be one of the names that can't be read.
    const bool is_elsewhere = !procedure.decorated.empty() || !procedure.other_case.empty();
    if (is_elsewhere || !exports.error) missing.push_back(std::move(procedure));
  }
  return missing;
}

// `KEY: Open = "OpenThings", which the DLL exports as "_OpenThings@4"`.
std::string describe(const MissingProcedure& missing, const ProviderFacts& provider) {
  const std::string line =
      value_line(performance_key(provider), missing.value, missing.name) + ", which the DLL ";
  if (!missing.decorated.empty())
    return line + "exports as \"" + missing.decorated +
           "\", a name that its compiler has decorated";
  if (!missing.other_case.empty())
    return line + "exports as \"" + missing.other_case + "\": upper and lower case differ";
  return line + "does not export";
}

// What the DLL exports, as far as it is known.
std::vector<std::string> export_lines(const ProviderFacts& provider) {
  const PeExports& exports = *provider.file.exports;
  const std::size_t count = exports.names.size();
  std::string line = "the DLL exports " + counted(count, "function");
  for (std::size_t i = 0; i < std::min(count, kShownNames); ++i)
    line += (i == 0 ? ": " : ", ") + exports.names[i];
  if (count > kShownNames) line += ", ...";
  std::vector<std::string> lines{std::move(line)};
  if (exports.error)
    lines.push_back(std::to_string(exports.unreadable) +
                    " more of its names cannot be read: " + describe(*exports.error));
  return lines;
}

bool has_decorated(const std::vector<MissingProcedure>& missing) {
  return std::ranges::any_of(missing, [](const auto& one) { return !one.decorated.empty(); });
}

Repair repair_of(const std::vector<MissingProcedure>& missing, const ProviderFacts& provider) {
  Repair repair;
  if (has_decorated(missing))
    repair.push_back(
        advice("for the DLL's vendor: declare the functions extern \"C\" and name them in a module "
               "definition file (.def), so that they are exported under their plain names"));
  for (const MissingProcedure& procedure : missing)
    if (!procedure.other_case.empty())
      repair.push_back({"reg add \"" + performance_key(provider) + "\" /v " +
                            std::string(procedure.value) + " /t REG_SZ /d \"" +
                            procedure.other_case + "\" /f",
                        "registers the function name exactly as the DLL spells it"});
  append(repair, reinstall(provider));
  // Before the restart.
  repair.insert(repair.end() - 1, {"lodctr /E:\"" + provider.service + '"',
                                   "enables the provider again once its DLL exports the functions; "
                                   "Windows disables a provider whose functions it cannot find"});
  return repair;
}

// Repairs for 32-bit providers; none if PerfHost is running or doesn't exist.
Repair start_perf_host(std::optional<PerfHost> state) {
  const RepairStep start{
      "sc start PerfHost",
      "starts the Performance Counter DLL Host, through which Windows reads 32-bit providers for "
      "64-bit programs; this is slower than a 64-bit provider"};
  constexpr const char* kEnable = "sc config PerfHost start= demand";
  if (!state)
    return {start, {kEnable, "makes that possible if the service is disabled; then start it"}};
  if (*state == PerfHost::kStopped) return {start};
  if (*state != PerfHost::kDisabled) return {};
  return {{kEnable, "lets Windows and administrators start the service, which is disabled"}, start};
}

}  // namespace

MaybeFinding all_v1_disabled(const Case& c) {
  if (c.v2 != nullptr || c.machine.perflib.disable_performance_counters.value_or(0) == 0)
    return std::nullopt;
  return blocking_finding(
      c, "the counters of all V1 providers are disabled on this machine",
      {delete_perflib_value(kDisableValue,
                            "lets Windows load V1 providers again. First find out who set the "
                            "value: Windows itself does not"),
       restart_exporter()},
      {value_line(kPerflibKey, kDisableValue, c.machine.perflib.disable_performance_counters)});
}

MaybeFinding provider_disabled(const Case& c) {
  if (c.provider == nullptr || c.provider->disable_performance_counters.value_or(0) == 0)
    return std::nullopt;
  const ProviderFacts& provider = *c.provider;
  Finding finding = blocking_finding(
      c, c.supplier() + " is disabled",
      {read_event_log("shows why: Windows sets the value itself when a provider crashes, hangs, "
                      "writes outside its buffer or does not export a function that its "
                      "registration names (events 1017 and 1018, and the error before them). A "
                      "provider that still does so will be disabled again"),
       query_provider(provider)},
      {value_line(performance_key(provider), kDisableValue,
                  provider.disable_performance_counters)});
  append(finding.repair, enable_provider(provider));
  finding.repair.push_back(restart_exporter());
  for (const MissingProcedure& missing : missing_procedures(provider))
    finding.evidence.push_back(describe(missing, provider) + ", a fault for which Windows sets it");
  return finding;
}

MaybeFinding library_missing(const Case& c) {
  if (c.provider == nullptr || c.provider->file.access != Access::kAbsent) return std::nullopt;
  return blocking_finding(c, "the DLL of " + c.supplier() + " does not exist",
                          reinstall(*c.provider), {library_line(*c.provider)});
}

MaybeFinding library_unusable(const Case& c) {
  if (c.provider == nullptr) return std::nullopt;
  const LibraryFile& file = c.provider->file;
  const bool there = file.access != Access::kUnknown && file.access != Access::kAbsent;
  const std::optional<Error>& error = file.error ? file.error : damage_of(c);
  if (!there || !error) return std::nullopt;
  Finding finding =
      blocking_finding(c, "the DLL of " + c.supplier() + ' ' +
                              (file.access != Access::kReadable ? "cannot be opened by this account"
                               : file.error                     ? "is not a Windows library"
                                            : "is damaged: its functions cannot be found"));
  if (file.access == Access::kDenied)
    finding.repair.push_back(
        {"icacls \"" + c.provider->library_path + '"',
         "shows who may read the file; the service's account must be among them"});
  append(finding.repair, reinstall(*c.provider));
  finding.evidence = {library_line(*c.provider), describe(*error)};
  return finding;
}

MaybeFinding library_wrong_bitness(const Case& c) {
  if (c.provider == nullptr || !c.provider->file.machine || !c.machine.process_machine ||
      *c.provider->file.machine == *c.machine.process_machine)
    return std::nullopt;
  const PeMachine library = *c.provider->file.machine;
  Finding finding =
      blocking_finding(c, "the DLL of " + c.supplier() + " is " + describe(library) +
                              ", but this program is " + describe(*c.machine.process_machine));
  if (c.object != nullptr) finding.severity = Severity::kNote;
  if (is_32_bit(library) && !is_32_bit(*c.machine.process_machine)) {
    finding.repair = start_perf_host(c.machine.perf_host);
    if (c.machine.perf_host)
      finding.evidence = {"the service PerfHost (Performance Counter DLL Host) is " +
                          std::string(name_of(*c.machine.perf_host))};
  }
  finding.repair.push_back(
      advice("if the program has a version for this machine, install it: Windows then loads its "
             "provider directly"));
  finding.evidence.insert(
      finding.evidence.begin(),
      {library_line(*c.provider), "the file's header says " + describe(library)});
  return finding;
}

MaybeFinding procedures_missing(const Case& c) {
  if (c.provider == nullptr || c.provider->access != Access::kReadable) return std::nullopt;
  const ProviderFacts& provider = *c.provider;
  std::vector<std::string> missing;
  std::vector<std::string> evidence;
  for (const auto& [name, value] :
       {Procedure{"Library", &provider.library}, Procedure{"Collect", &provider.collect}}) {
    if (is_given(*value)) continue;
    missing.emplace_back(name);
    evidence.push_back(value_line(performance_key(provider), name, *value));
  }
  if (missing.empty()) return std::nullopt;
  return blocking_finding(c,
                          "the registration of " + c.supplier() + " lacks " + quoted_list(missing),
                          reinstall(provider), std::move(evidence));
}

MaybeFinding procedures_not_exported(const Case& c) {
  if (c.provider == nullptr) return std::nullopt;
  const ProviderFacts& provider = *c.provider;
  const std::vector<MissingProcedure> missing = missing_procedures(provider);
  if (missing.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const MissingProcedure& procedure : missing) names.push_back(procedure.name);
  Finding finding = blocking_finding(
      c, "the DLL of " + c.supplier() + " does not export " + quoted_list(names) +
             (has_decorated(missing)
                  ? ", only decorated forms of these names, which Windows does not recognise"
                  : ", which its registration names"));
  finding.repair = repair_of(missing, provider);
  finding.evidence = {library_line(provider)};
  for (const MissingProcedure& procedure : missing)
    finding.evidence.push_back(describe(procedure, provider));
  append(finding.evidence, export_lines(provider));
  return finding;
}

MaybeFinding stale_registration(const Case& c) {
  const std::uint32_t base = c.machine.base_last_index.value_or(kUsualBaseLastIndex);
  if (!c.machine.registry_known || c.object != nullptr || c.v2 != nullptr || !c.index ||
      value_of(*c.index) <= base)
    return std::nullopt;
  if (c.provider != nullptr ? has_in_range(*c.provider, *c.index) : any_denied(c.machine))
    return std::nullopt;
  if (c.provider == nullptr)
    return Finding{
        .severity = Severity::kFailed,
        .sentence = "no V1 provider has registered " + c.quoted() +
                    ": its name is a remnant of a removed program, or it belongs to a V2 provider "
                    "that is not installed or not running",
        .repair = {advice("start the program that the counterset belongs to, or install it again; "
                          "otherwise remove the counterset from the configuration")},
        .evidence = {counted(c.machine.providers.size(), "registered V1 provider") +
                     "; none has the index in its range or list"}};
  return Finding{
      .severity = Severity::kFailed,
      .sentence = "service \"" + c.provider->service + "\" lists " + c.quoted() +
                  " outside its own range of counters: the registration is stale",
      .repair = reinstall(*c.provider),
      .evidence = {value_line(performance_key(*c.provider), "Object List", c.provider->object_list),
                   range_line(*c.provider)}};
}

MaybeFinding metadata_unsupported(const Case& c) {
  if (!c.machine.registry_known || c.machine.perflib.access != Access::kReadable)
    return std::nullopt;
  if (c.machine.perflib.supports_metadata.value_or(0) == 0)
    return Finding{.severity = Severity::kNote,
                   .sentence =
                       "this version of Windows does not support metadata queries, so listing "
                       "countersets collects all of their data; sampling is not affected",
                   .evidence = {value_line(kPerflibKey, "Supports Metadata",
                                           c.machine.perflib.supports_metadata)}};
  if (c.provider == nullptr || c.provider->access != Access::kReadable ||
      c.provider->collect_supports_metadata.value_or(0) != 0)
    return std::nullopt;
  return Finding{.severity = Severity::kNote,
                 .sentence = "service \"" + c.provider->service +
                             "\" does not support metadata queries, so listing countersets "
                             "collects its data; sampling is not affected",
                 .evidence = {value_line(performance_key(*c.provider), "Collect Supports Metadata",
                                         c.provider->collect_supports_metadata)}};
}

}  // namespace winperf

// Rules about how a V1 provider is registered: the values of its Performance key and its DLL.
#include <algorithm>
#include <utility>

#include "collectors/base/wording.h"
#include "service/doctor/procedure_rules.h"
#include "service/doctor/repairs.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

// Names below are Windows' own: their providers list them and have no range.
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

// Why the functions of the DLL can't be looked up. If the counterset is delivered, Windows has
// found them; a file that is merely too large for us is not damaged; a file for another
// architecture is not loaded anyway.
std::optional<Error> damage_of(const Case& c) {
  if (c.machine.process_machine && c.provider->file.machine != c.machine.process_machine)
    return std::nullopt;
  const std::optional<Error>& error = c.provider->file.exports_error;
  const bool is_damage = error && kind_of(error->code) == ErrorKind::kCorrupt &&
                         error->code != ErrorCode::kLimitExceeded;
  return is_damage && c.object == nullptr ? error : std::nullopt;
}

}  // namespace

MaybeFinding all_v1_disabled(const Case& c) {
  if (c.v2 != nullptr || c.machine.perflib.disable_performance_counters.value_or(0) == 0)
    return std::nullopt;
  Finding finding =
      blocking_finding(c, "the counters of all V1 providers are disabled on this machine");
  finding.repair = {
      delete_perflib_value(kDisableValue,
                           "lets Windows load V1 providers again. First find out who set the "
                           "value: Windows itself does not"),
      restart_exporter()};
  finding.evidence = {
      value_line(kPerflibKey, kDisableValue, c.machine.perflib.disable_performance_counters)};
  return finding;
}

MaybeFinding provider_disabled(const Case& c) {
  if (c.provider == nullptr || c.provider->disable_performance_counters.value_or(0) == 0)
    return std::nullopt;
  const ProviderFacts& provider = *c.provider;
  Finding finding = blocking_finding(
      c, "the provider of " + c.quoted() + ", service \"" + provider.service + "\", is disabled");
  finding.repair = {
      read_event_log("shows why: Windows sets the value itself when a provider crashes, hangs, "
                     "writes outside its buffer or does not export a function that its "
                     "registration names (events 1017 and 1018, and the error before them). A "
                     "provider that still does so will be disabled again"),
      query_provider(provider)};
  append(finding.repair, enable_provider(provider));
  finding.repair.push_back(restart_exporter());
  finding.evidence = {
      value_line(performance_key(provider), kDisableValue, provider.disable_performance_counters)};
  for (const MissingProcedure& missing : missing_procedures(provider))
    finding.evidence.push_back(describe(missing, provider) +
                               ": reason enough for Windows to set it");
  return finding;
}

MaybeFinding library_missing(const Case& c) {
  if (c.provider == nullptr || c.provider->file.access != Access::kAbsent) return std::nullopt;
  Finding finding =
      blocking_finding(c, "the DLL of the provider of " + c.quoted() + ", service \"" +
                              c.provider->service + "\", does not exist");
  finding.repair = reinstall(*c.provider);
  finding.evidence = {library_line(*c.provider)};
  return finding;
}

MaybeFinding library_unusable(const Case& c) {
  if (c.provider == nullptr) return std::nullopt;
  const LibraryFile& file = c.provider->file;
  const bool there = file.access != Access::kUnknown && file.access != Access::kAbsent;
  const std::optional<Error>& error = file.error ? file.error : damage_of(c);
  if (!there || !error) return std::nullopt;
  Finding finding =
      blocking_finding(c, "the DLL of the provider of " + c.quoted() + ", service \"" +
                              c.provider->service + "\", " +
                              (file.access != Access::kReadable ? "can't be opened by this account"
                               : file.error                     ? "is not a Windows library"
                                            : "is damaged: its functions can't be found"));
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
      blocking_finding(c, "the DLL of the provider of " + c.quoted() + ", service \"" +
                              c.provider->service + "\", is " + describe(library) +
                              ", but this program is " + describe(*c.machine.process_machine));
  if (c.object != nullptr) finding.severity = Severity::kNote;
  if (is_32_bit(library) && !is_32_bit(*c.machine.process_machine)) {
    finding.repair = start_perf_host(c.machine.perf_host);
    finding.evidence = perf_host_lines(c.machine.perf_host);
  }
  finding.repair.push_back({"",
                            "if the program has a version for this machine, install it: Windows "
                            "then loads its provider directly"});
  finding.evidence.insert(
      finding.evidence.begin(),
      {library_line(*c.provider), "the file's header says " + describe(library)});
  return finding;
}

MaybeFinding stale_registration(const Case& c) {
  const std::uint32_t base = c.machine.base_last_index.value_or(kUsualBaseLastIndex);
  if (!c.machine.registry_known || c.object != nullptr || c.v2 != nullptr || !c.index ||
      value_of(*c.index) <= base)
    return std::nullopt;
  if (c.provider != nullptr ? has_in_range(*c.provider, *c.index) : any_denied(c.machine))
    return std::nullopt;
  Finding finding;
  finding.severity = Severity::kFailed;
  if (c.provider == nullptr) {
    finding.sentence = "no V1 provider has registered " + c.quoted() +
                       ": its name is left over from a removed program, or it belongs to a V2 "
                       "provider that is gone or not running";
    finding.repair = {{"",
                       "start the program that the counterset belongs to, or install it again; "
                       "otherwise remove the counterset from the configuration"}};
    finding.evidence = {counted(c.machine.providers.size(), "registered V1 provider") +
                        "; none has the index in its range or list"};
    return finding;
  }
  finding.sentence = "service \"" + c.provider->service + "\" lists " + c.quoted() +
                     " outside its own range of counters: the registration is stale";
  finding.repair = reinstall(*c.provider);
  finding.evidence = {
      value_line(performance_key(*c.provider), "Object List", c.provider->object_list),
      range_line(*c.provider)};
  return finding;
}

MaybeFinding metadata_unsupported(const Case& c) {
  if (!c.machine.registry_known || c.machine.perflib.access != Access::kReadable)
    return std::nullopt;
  Finding finding;
  finding.severity = Severity::kNote;
  if (c.machine.perflib.supports_metadata.value_or(0) == 0) {
    finding.sentence =
        "this version of Windows does not support metadata queries, so listing countersets "
        "collects all of their data; sampling is not affected";
    finding.evidence = {
        value_line(kPerflibKey, "Supports Metadata", c.machine.perflib.supports_metadata)};
    return finding;
  }
  if (c.provider == nullptr || c.provider->access != Access::kReadable ||
      c.provider->collect_supports_metadata.value_or(0) != 0)
    return std::nullopt;
  finding.sentence = "service \"" + c.provider->service +
                     "\" does not support metadata queries, so "
                     "listing countersets collects its data; sampling is not affected";
  finding.evidence = {value_line(performance_key(*c.provider), "Collect Supports Metadata",
                                 c.provider->collect_supports_metadata)};
  return finding;
}

}  // namespace winperf

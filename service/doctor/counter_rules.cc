// Rules about the registration of the exporter's own counters. Each finds nothing about other
// subjects.
#include "collectors/base/wording.h"
#include "service/doctor/rule_case.h"
#include "service/scm/counter_state.h"

namespace winperf {
namespace {

const CounterCheck* counters_in(const CheckSubject& subject) {
  return std::get_if<CounterCheck>(&subject);
}

RepairStep register_anew(std::string_view what = "registers them again as the configuration says") {
  return {"winperf_exporter doctor --repair counters",
          std::string(what) + "; asks before it changes anything"};
}

std::string key_line(const CounterCheck& counters) {
  const CounterKey& key = *counters.facts.key;
  return value_line(kCounterKeyPath, "Library", key.library) + ", indices " + range_text(key);
}

bool is_registered(const CounterCheck& counters) {
  if (counters.road == CounterRoad::kV1) return counters.facts.key.has_value();
  // Nothing is found out if Windows doesn't say which countersets it knows.
  constexpr std::size_t kCountersets = 2;
  return counters.road == CounterRoad::kNone ||
         counters.facts.v2_countersets.value_or(kCountersets) == kCountersets;
}

bool is_twice(const CounterCheck& counters) { return counters.facts.key && has_v2(counters.facts); }

}  // namespace

MaybeFinding counters_not_registered(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || is_registered(*counters)) return std::nullopt;
  const std::string road(name_of(counters->road));
  return Finding{
      .severity = Severity::kFailed,
      .sentence = "own_counters is " + road + ", but Windows does not know the counters " +
                  (counters->road == CounterRoad::kV1 ? std::string("of the performance DLL")
                                                      : "of the manifest"),
      .repair = {register_anew()},
      .evidence = {registration_text(counters->facts)}};
}

MaybeFinding counters_without_indices(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || !counters->facts.key || has_all_indices(*counters->facts.key))
    return std::nullopt;
  return Finding{.severity = Severity::kFailed,
                 .sentence =
                     "the performance DLL is registered, but Windows has assigned no title "
                     "indices, or some are missing",
                 .repair = {register_anew()},
                 .evidence = {key_line(*counters)}};
}

MaybeFinding counters_library_missing(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || !counters->facts.key || counters->has_library) return std::nullopt;
  return Finding{.severity = Severity::kFailed,
                 .sentence = counters->facts.key->library
                                 ? "the registered performance DLL does not exist"
                                 : "the registration names no performance DLL",
                 .repair = {advice("install the same version of the program again, or repair it: "
                                   "the DLL belongs beside winperf_exporter.exe"),
                            register_anew("then registers the DLL that is there")},
                 .evidence = {key_line(*counters)}};
}

MaybeFinding counters_range_differs(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || !counters->facts.key || !has_all_indices(*counters->facts.key) ||
      has_range_of_table(*counters->facts.key))
    return std::nullopt;
  return Finding{.severity = Severity::kFailed,
                 .sentence = "Windows has assigned indices to another number of names than the " +
                             std::to_string(counter_names()) +
                             " of this version, so counters have wrong names or none",
                 .repair = {register_anew()},
                 .evidence = {key_line(*counters)}};
}

MaybeFinding counters_names_foreign(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || counters->foreign_titles.empty()) return std::nullopt;
  return Finding{
      .severity = Severity::kFailed,
      .sentence = "in Windows' table of names, the registered indices have other names",
      .repair = {register_anew(),
                 {"lodctr /S:perflib-backup.ini",
                  "only if counters of other programs have wrong names, too: backs the tables up. "
                  "Then \"lodctr /R\" rebuilds them for all programs, which the doctor never does "
                  "by itself"}},
      .evidence = counters->foreign_titles};
}

MaybeFinding counters_registered_twice(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || !is_twice(*counters)) return std::nullopt;
  return Finding{.severity = Severity::kWarning,
                 .sentence =
                     "the counters are registered by v1 and by v2, so each object is there "
                     "twice",
                 .repair = {register_anew("leaves only the one that the configuration names")},
                 .evidence = {registration_text(counters->facts)}};
}

MaybeFinding counters_of_another_library(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || !counters->facts.key || !counters->facts.key->library ||
      is_same_path(*counters->facts.key->library, counters->library))
    return std::nullopt;
  const bool is_theirs = is_foreign(*counters->facts.key);
  Finding finding{.severity = Severity::kWarning,
                  .sentence = is_theirs ? "the key of the counters names another program's DLL"
                                        : "the registered performance DLL is not the one beside "
                                          "the service's program",
                  .evidence = {key_line(*counters), "beside the program: " + counters->library}};
  if (is_theirs) {
    finding.repair = {
        advice("find out which program wrote the key, and let its installer remove "
               "it; this program changes no key of another one")};
  } else {
    finding.repair = {register_anew()};
  }
  return finding;
}

MaybeFinding counters_unwanted(const CheckSubject& subject) {
  const CounterCheck* const counters = counters_in(subject);
  if (counters == nullptr || is_twice(*counters)) return std::nullopt;
  const bool has_v1_key = counters->facts.key && counters->road != CounterRoad::kV1;
  const bool has_v2_sets = has_v2(counters->facts) && counters->road != CounterRoad::kV2;
  if (!has_v1_key && !has_v2_sets) return std::nullopt;
  return Finding{
      .severity = Severity::kWarning,
      .sentence =
          "the counters are registered by " + roads_text(counters->facts) + ", but " +
          (counters->is_installed ? "own_counters is " + std::string(name_of(counters->road))
                                  : "the service is not installed"),
      .repair = {counters->is_installed
                     ? register_anew()
                     : RepairStep{"winperf_exporter service uninstall",
                                  "removes what a service that is gone has left"}},
      .evidence = {registration_text(counters->facts)}};
}

}  // namespace winperf

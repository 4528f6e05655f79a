// Rules about the result of querying the counterset.
#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxProblemLines = 5;

Finding failed(std::string sentence, Repair repair = {}, std::vector<std::string> evidence = {}) {
  return {.severity = Severity::kFailed,
          .sentence = std::move(sentence),
          .repair = std::move(repair),
          .evidence = std::move(evidence)};
}

std::string milliseconds(std::chrono::milliseconds time) {
  return std::to_string(time.count()) + " ms";
}

std::string took_line(std::chrono::milliseconds took) {
  return "one query took " + milliseconds(took);
}

std::string list_argument(const Case& c) { return '"' + c.name->name + '"'; }

RepairStep list_costly(const MachineFacts& machine) {
  return list_countersets(machine, "--costly",
                          "shows whether it is one of the countersets that are expensive to "
                          "collect and otherwise left out; may take minutes");
}

// Loading the provider alone, or every provider in turn, to find the faulty one.
RepairStep try_alone(const ProviderFacts* provider) {
  const std::string command = "winperf_exporter providers --try";
  if (provider == nullptr)
    return {command,
            "loads each provider in a separate process and shows which one is at fault. Disable "
            "that one with lodctr /D:\"SERVICE\""};
  return {command + " \"" + provider->service + '"',
          "loads the provider in a separate process and shows what is wrong with it; without a "
          "service name, it tries all providers"};
}

// For a provider that may be harmful: how to check, disable and enable it.
Repair stop_harm(const ProviderFacts* provider) {
  Repair repair{try_alone(provider)};
  if (provider == nullptr) return repair;
  append(repair, disable_provider(*provider));
  append(repair, reinstall(*provider));
  return repair;
}

// Whether the error names the provider, which was loaded in a separate process.
bool is_its_own(const Error& error, const ProviderFacts* provider) {
  return provider != nullptr &&
         std::string_view(error.where).starts_with("provider \"" + provider->service + '"');
}

std::vector<std::string> example_line(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return {std::string(what) + quoted_list(names)};
}

// Left-out padding does no harm.
bool is_corrupt(const Error& error) {
  return kind_of(error.code) == ErrorKind::kCorrupt && error.code != ErrorCode::kPaddingLeftOut;
}

// The values of the provider's key that limit time.
std::vector<std::string> timeout_lines(const Case& c) {
  if (c.provider == nullptr) return {};
  const std::string key = performance_key(*c.provider);
  return {value_line(key, "Open Timeout", c.provider->open_timeout_ms),
          value_line(key, "Collect Timeout", c.provider->collect_timeout_ms)};
}

}  // namespace

MaybeFinding object_costly(const Case& c) {
  if (c.object == nullptr || !c.facts.trial->took) return std::nullopt;
  const std::chrono::milliseconds took = *c.facts.trial->took;
  Finding finding;
  finding.evidence.push_back(took_line(took) + "; the interval is " +
                             milliseconds(c.request.interval));
  if (took * 2 > c.request.interval) {
    finding.severity = Severity::kWarning;
    finding.sentence = "collecting " + c.quoted() + " takes more than half of its interval";
    finding.repair = {advice("give the counterset a longer interval in the configuration")};
    return finding;
  }
  if (c.provider == nullptr || c.provider->access != Access::kReadable || c.provider->object_list)
    return std::nullopt;
  finding.severity = Severity::kNote;
  finding.sentence =
      "service \"" + c.provider->service +
      "\" does not list its countersets, so Windows calls it for every query of any counterset";
  finding.evidence.push_back(
      value_line(performance_key(*c.provider), "Object List", c.provider->object_list));
  return finding;
}

MaybeFinding v2_provider_not_running(const Case& c) {
  if (c.object != nullptr || c.v2 == nullptr || c.v2->running != false) return std::nullopt;
  const std::string& provider = c.v2->provider;
  Finding finding =
      failed(c.quoted() + " is registered, but the program that supplies it" +
                 (provider.empty() ? " " : ", \"" + provider + "\", ") + "is not running",
             {advice("start the program or service that supplies it; its counters then appear "
                     "automatically")});
  if (!provider.empty()) finding.evidence.push_back("V2 provider \"" + provider + '"');
  if (c.v2->guid) finding.evidence.push_back("counterset " + to_string(*c.v2->guid));
  return finding;
}

MaybeFinding no_instances(const Case& c) {
  if (c.object == nullptr || !c.object->multi_instance || c.object->instances != 0)
    return std::nullopt;
  return Finding{.severity = Severity::kWarning,
                 .sentence = c.quoted() + " is delivered, but has no instance right now",
                 .repair = {advice("this is normal if no such device, process or database exists "
                                   "right now; otherwise start it")},
                 .evidence = {counted(c.object->counters, "counter") + ", no instances"}};
}

MaybeFinding instance_filter_matches_nothing(const Case& c) {
  if (c.object == nullptr || !c.object->multi_instance || c.object->instances == 0 ||
      c.object->matching_instances != 0)
    return std::nullopt;
  return Finding{
      .severity = Severity::kWarning,
      .sentence = "the configured filter accepts no instance of " + c.quoted() + ", which has " +
                  counted(c.object->instances, "instance"),
      .repair = {list_countersets(c.machine, list_argument(c), "shows the instances' names"),
                 advice(
                     "correct \"instances\" of the counterset in the configuration: a pattern must "
                     "match the whole name, and is case-sensitive unless it begins with (?i)")},
      .evidence = example_line("instances such as ", c.object->instance_names)};
}

MaybeFinding counter_filter_matches_nothing(const Case& c) {
  if (c.object == nullptr || c.object->counters == 0 || c.object->matching_counters != 0)
    return std::nullopt;
  return failed("the configured filter accepts no counter of " + c.quoted() + ", which has " +
                    counted(c.object->counters, "counter"),
                {list_countersets(c.machine, list_argument(c), "shows the counters' names"),
                 advice("correct \"counters\" of the counterset in the configuration: a pattern "
                        "must match the whole name, such as \"% Processor Time\" or \".*/sec\"")},
                example_line("counters such as ", c.object->counter_names));
}

MaybeFinding delivered_corrupt(const Case& c) {
  if (!c.facts.trial) return std::nullopt;
  std::vector<Error> corrupt;
  std::ranges::copy_if(c.facts.trial->problems, std::back_inserter(corrupt), is_corrupt);
  if (c.facts.trial->error && is_corrupt(*c.facts.trial->error))
    corrupt.push_back(*c.facts.trial->error);
  if (corrupt.empty()) return std::nullopt;
  Finding finding{
      .severity = c.blocking(),
      .sentence = c.object != nullptr ? "a part of " + c.quoted() + " is damaged and was left out"
                                      : "the data delivered for " + c.quoted() + " is damaged",
      .repair = {
          read_event_log(
              "shows whether Windows has logged it too (events 1001 to 1004, 1016 and 1019)"),
          advice("report it to the vendor of the provider, with the lines below and the output of "
                 "winperf_exporter doctor --format json")}};
  append(finding.repair, stop_harm(c.provider));
  for (std::size_t i = 0; i < corrupt.size() && i < kMaxProblemLines; ++i)
    finding.evidence.push_back(describe(corrupt[i]));
  if (corrupt.size() > kMaxProblemLines)
    finding.evidence.push_back(std::to_string(corrupt.size() - kMaxProblemLines) + " more");
  return finding;
}

MaybeFinding timed_out(const Case& c) {
  const Error* const error = c.trial_error(ErrorCode::kTimedOut);
  if (error == nullptr) return std::nullopt;
  Finding finding = failed(
      "the query for " + c.quoted() + " timed out",
      {read_event_log("names the provider (events 1015 and 2002). It may not be the requested one: "
                      "Windows calls providers without an object list for every query"),
       advice("if the provider is only slow, raise limits.query_timeout in the configuration")},
      timeout_lines(c));
  append(finding.repair, stop_harm(c.provider));
  finding.evidence.push_back(describe(*error));
  return finding;
}

MaybeFinding provider_harm(const Case& c) {
  if (!c.facts.trial || c.facts.trial->harms.empty()) return std::nullopt;
  const HarmFacts& first = c.facts.trial->harms.front();
  const auto culprit = std::ranges::find_if(
      c.machine.providers,
      [&](const ProviderFacts& provider) { return equal_names(provider.service, first.provider); });
  const ProviderFacts* const provider =
      culprit != c.machine.providers.end() ? &*culprit : c.provider;
  Finding finding{.severity = c.blocking(),
                  .sentence = "provider \"" + first.provider +
                              "\" damages the process that runs it: " + first.text,
                  .repair = stop_harm(provider)};
  for (const HarmFacts& harm : c.facts.trial->harms)
    finding.evidence.push_back("provider \"" + harm.provider + "\": " + harm.text);
  if (provider != nullptr) finding.evidence.push_back(library_line(*provider));
  return finding;
}

MaybeFinding provider_crashed(const Case& c) {
  if (!c.facts.trial || !c.facts.trial->error) return std::nullopt;
  const Error& error = *c.facts.trial->error;
  if (!is_lost(error.code) || error.code == ErrorCode::kTimedOut) return std::nullopt;
  Finding finding =
      failed("the query for " + c.quoted() +
                 " ended its worker process: a provider crashed or damaged the process",
             {read_event_log("may name the provider. It may not be the requested one: Windows "
                             "calls providers without an object list for every query")},
             {describe(error)});
  append(finding.repair, stop_harm(c.provider));
  return finding;
}

MaybeFinding library_busy(const Case& c) {
  const Error* const error = c.trial_error(ErrorCode::kBusy);
  if (error == nullptr) return std::nullopt;
  return failed(
      "the performance library was busy at every attempt to query " + c.quoted(),
      {advice("run the doctor again: another program may have been reading costly counters or "
              "installing a provider"),
       read_event_log("shows whether a provider blocks the others (events 1015 and 2002)")},
      {describe(*error)});
}

MaybeFinding reply_too_large(const Case& c) {
  const Error* const error = c.trial_error(ErrorCode::kBufferLimit);
  if (error == nullptr) return std::nullopt;
  return failed("the reply for " + c.quoted() + " is larger than this program accepts",
                {advice("raise limits.max_reply_bytes in the configuration")}, {describe(*error)});
}

MaybeFinding query_failed(const Case& c) {
  if (!c.facts.trial || !c.facts.trial->error) return std::nullopt;
  const Error& error = *c.facts.trial->error;
  constexpr ErrorCode kOtherRules[] = {ErrorCode::kAccessDenied, ErrorCode::kBusy,
                                       ErrorCode::kBufferLimit};
  if (is_corrupt(error) || is_lost(error.code) ||
      std::ranges::find(kOtherRules, error.code) != std::end(kOtherRules))
    return std::nullopt;
  Finding finding =
      failed("the query for " + c.quoted() + " failed: " + describe(error), {}, {describe(error)});
  if (error.os_code != 0)
    finding.repair.push_back(
        {"net helpmsg " + std::to_string(error.os_code), "explains the system error"});
  finding.repair.push_back(read_event_log("shows what the performance library reported"));
  if (!is_its_own(error, c.provider)) return finding;
  append(finding.repair, {try_alone(c.provider), query_provider(*c.provider)});
  append(finding.repair, reinstall(*c.provider));
  finding.evidence.push_back(library_line(*c.provider));
  return finding;
}

MaybeFinding not_in_capture(const Case& c) {
  if (!c.machine.replay || c.object != nullptr || !c.name_known()) return std::nullopt;
  return failed("no sample of the recording contains " + c.quoted(),
                {list_countersets(c.machine, "", "shows what the recording contains"),
                 advice("record again, with this counterset")},
                {"all samples of the recording were read"});
}

MaybeFinding provider_failed(const Case& c) {
  if (c.object != nullptr || c.provider == nullptr) return std::nullopt;
  const ProviderFacts& provider = *c.provider;
  Finding finding = failed(c.supplier() + " is registered correctly but delivers nothing");
  finding.repair = {
      read_event_log("shows why. 1005 to 1007: the DLL lacks a procedure; 1008: Open failed, with "
                     "its status, and this process does not call it again; 1009 to 1011: the DLL "
                     "crashed; 1014: Collect failed; 1021 to 1023: the DLL or one that it needs "
                     "cannot be loaded; 2003: the DLL is not the one that was registered"),
      {"sc query \"" + provider.service + '"',
       "shows whether the service runs: many providers have counters only while it does"},
      query_provider(provider),
      try_alone(&provider),
      restart_exporter(),
      list_costly(c.machine)};
  append(finding.repair, reinstall(provider));
  finding.evidence = {value_line(performance_key(provider), "Library", provider.library)};
  if (provider.open)
    finding.evidence.push_back(value_line(performance_key(provider), "Open", provider.open));
  if (const auto unknown =
          provider.file.exports ? provider.file.exports->error : provider.file.exports_error)
    finding.evidence.push_back("not all functions that the DLL exports are known: " +
                               describe(*unknown));
  if (provider.has_validation_code)
    finding.evidence.push_back(performance_key(provider) +
                               ": Library Validation Code is set: Windows loads no other DLL");
  return finding;
}

MaybeFinding not_delivered(const Case& c) {
  if (c.object != nullptr) return std::nullopt;
  return failed(
      "Windows knows the name " + c.quoted() +
          ", but no provider delivers its counters, and the responsible provider is unknown",
      {read_event_log("names providers that could not be loaded or were disabled"),
       list_countersets(
           c.machine, "",
           "shows what is delivered: the name may be that of a counter, not of a counterset"),
       list_costly(c.machine),
       advice("if it belongs to a Windows feature or a product, make sure that this is installed "
              "and running")},
      {c.machine.registry_known ? counted(c.machine.providers.size(), "registered V1 provider") +
                                      "; none claims the index"
                                : std::string("the registered providers there were not read")});
}

MaybeFinding healthy(const Case& c) {
  if (c.object == nullptr) return std::nullopt;
  Finding finding;
  finding.sentence = c.quoted() + ": " + std::to_string(c.object->matching_counters) + " of " +
                     counted(c.object->counters, "counter");
  if (c.object->multi_instance)
    finding.sentence += ", " + std::to_string(c.object->matching_instances) + " of " +
                        counted(c.object->instances, "instance");
  if (c.facts.trial->took) finding.evidence.push_back(took_line(*c.facts.trial->took));
  return finding;
}

}  // namespace winperf

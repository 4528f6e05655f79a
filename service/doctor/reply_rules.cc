// Rules about what asking for the counterset gave.
#include <algorithm>
#include <utility>

#include "service/doctor/procedure_rules.h"
#include "service/doctor/repairs.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxProblemLines = 5;

Finding failed(std::string sentence) {
  Finding finding;
  finding.severity = Severity::kFailed;
  finding.sentence = std::move(sentence);
  return finding;
}

std::string milliseconds(std::chrono::milliseconds time) {
  return std::to_string(time.count()) + " ms";
}

std::string took_line(std::chrono::milliseconds took) {
  return "one query took " + milliseconds(took);
}

std::string list_argument(const Case& c) { return '"' + c.name->name + '"'; }

RepairStep disable_provider(const Case& c) {
  return {"lodctr /D:\"" + c.provider->service + '"',
          "disables the provider for every program, until lodctr /E enables it again"};
}

std::vector<std::string> example_line(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return {std::string(what) + quoted_list(names)};
}

// Padding that is left out costs nothing.
bool is_corrupt(const Error& error) {
  return kind_of(error.code) == ErrorKind::kCorrupt && error.code != ErrorCode::kPaddingLeftOut;
}

// A value of the provider's key that bears on time.
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
    finding.repair = {{"", "in the configuration, give the counterset a longer interval"}};
    return finding;
  }
  if (c.provider == nullptr || c.provider->access != Access::kReadable || c.provider->object_list)
    return std::nullopt;
  finding.severity = Severity::kNote;
  finding.sentence = "service \"" + c.provider->service +
                     "\" does not say which countersets it "
                     "has, so Windows calls it for every query of any counterset";
  finding.evidence.push_back(
      value_line(performance_key(*c.provider), "Object List", c.provider->object_list));
  return finding;
}

MaybeFinding v2_provider_not_running(const Case& c) {
  if (c.object != nullptr || c.v2 == nullptr || c.v2->running != false) return std::nullopt;
  Finding finding = failed(c.quoted() + " is registered, but the program that supplies it, \"" +
                           c.v2->provider + "\", is not running");
  finding.repair = {{"",
                     "start the program or service that supplies it. Nothing else is to be "
                     "done: its counters appear by themselves"}};
  finding.evidence = {"V2 provider \"" + c.v2->provider + '"'};
  if (c.v2->guid) finding.evidence.push_back("counterset " + to_string(*c.v2->guid));
  return finding;
}

MaybeFinding no_instances(const Case& c) {
  if (c.object == nullptr || !c.object->multi_instance || c.object->instances != 0)
    return std::nullopt;
  Finding finding;
  finding.severity = Severity::kWarning;
  finding.sentence = c.quoted() + " is delivered, but has no instance right now";
  finding.repair = {{"",
                     "nothing, where what it counts does not exist at this moment (no such "
                     "device, process or database); otherwise start that"}};
  finding.evidence = {std::to_string(c.object->counters) + " counters, no instance"};
  return finding;
}

MaybeFinding instance_filter_matches_nothing(const Case& c) {
  if (c.object == nullptr || !c.object->multi_instance || c.object->instances == 0 ||
      c.object->matching_instances != 0)
    return std::nullopt;
  Finding finding;
  finding.severity = Severity::kWarning;
  finding.sentence = "none of the " + std::to_string(c.object->instances) + " instances of " +
                     c.quoted() + " passes the configured filter";
  finding.repair = {
      see_what_there_is(c.machine, list_argument(c), "shows the instances' names"),
      {"",
       "correct \"instances\" of the counterset in the configuration: a pattern has to match "
       "the whole name, and upper and lower case differ unless it begins with (?i)"}};
  finding.evidence = example_line("instances such as ", c.object->instance_names);
  return finding;
}

MaybeFinding counter_filter_matches_nothing(const Case& c) {
  if (c.object == nullptr || c.object->counters == 0 || c.object->matching_counters != 0)
    return std::nullopt;
  Finding finding = failed("none of the " + std::to_string(c.object->counters) + " counters of " +
                           c.quoted() + " passes the configured filter");
  finding.repair = {
      see_what_there_is(c.machine, list_argument(c), "shows the counters' names"),
      {"",
       "correct \"counters\" of the counterset in the configuration: a pattern has to match "
       "the whole name, such as \"% Processor Time\" or \".*/sec\""}};
  finding.evidence = example_line("counters such as ", c.object->counter_names);
  return finding;
}

MaybeFinding delivered_corrupt(const Case& c) {
  if (!c.facts.trial) return std::nullopt;
  std::vector<Error> corrupt;
  std::ranges::copy_if(c.facts.trial->problems, std::back_inserter(corrupt), is_corrupt);
  if (c.facts.trial->error && is_corrupt(*c.facts.trial->error))
    corrupt.push_back(*c.facts.trial->error);
  if (corrupt.empty()) return std::nullopt;
  Finding finding;
  finding.severity = c.blocking();
  finding.sentence = c.object != nullptr
                         ? "a part of " + c.quoted() + " is delivered damaged and left out"
                         : c.quoted() + " is delivered damaged";
  finding.repair = {
      read_event_log("shows whether Windows has found it too (events 1001 to 1004, 1016, 1019)"),
      {"",
       "report it to the vendor of the provider, with the lines below and the output of "
       "winperf_exporter doctor --format json"}};
  if (c.provider != nullptr) finding.repair.push_back(disable_provider(c));
  for (std::size_t i = 0; i < corrupt.size() && i < kMaxProblemLines; ++i)
    finding.evidence.push_back(describe(corrupt[i]));
  if (corrupt.size() > kMaxProblemLines)
    finding.evidence.push_back(std::to_string(corrupt.size() - kMaxProblemLines) + " more");
  return finding;
}

MaybeFinding timed_out(const Case& c) {
  const Error* const error = c.trial_error(ErrorCode::kTimedOut);
  if (error == nullptr) return std::nullopt;
  Finding finding = failed("asking for " + c.quoted() + " took longer than it may");
  finding.repair = {
      read_event_log("names the provider (events 1015 and 2002); it need not be the one that was "
                     "asked for: providers without an object list are called for every query"),
      {"", "in the configuration, raise limits.query_timeout, where the provider is only slow"}};
  if (c.provider != nullptr) finding.repair.push_back(disable_provider(c));
  finding.evidence = timeout_lines(c);
  finding.evidence.push_back(describe(*error));
  return finding;
}

MaybeFinding not_tried(const Case& c) {
  if (c.trial_error(ErrorCode::kCancelled) == nullptr) return std::nullopt;
  Finding finding = failed(c.quoted() + " was not asked for: a query before it did not come back");
  finding.repair = {
      {"", "repair the counterset that timed out, then run the doctor again"},
      {"winperf_exporter doctor " + list_argument(c), "asks for this counterset alone"}};
  return finding;
}

MaybeFinding library_busy(const Case& c) {
  const Error* const error = c.trial_error(ErrorCode::kBusy);
  if (error == nullptr) return std::nullopt;
  Finding finding =
      failed("the performance library was busy each time that it was asked for " + c.quoted());
  finding.repair = {
      {"",
       "run the doctor again; another program may be reading costly counters, or a provider "
       "may be being installed"},
      read_event_log("shows whether a provider holds everybody up (events 1015 and 2002)")};
  finding.evidence = {describe(*error)};
  return finding;
}

MaybeFinding reply_too_large(const Case& c) {
  const Error* const error = c.trial_error(ErrorCode::kBufferLimit);
  if (error == nullptr) return std::nullopt;
  Finding finding = failed("the reply for " + c.quoted() + " is larger than this program accepts");
  finding.repair = {{"", "in the configuration, raise limits.max_reply_bytes"}};
  finding.evidence = {describe(*error)};
  return finding;
}

MaybeFinding query_failed(const Case& c) {
  if (!c.facts.trial || !c.facts.trial->error) return std::nullopt;
  const Error& error = *c.facts.trial->error;
  constexpr ErrorCode kOtherRules[] = {ErrorCode::kAccessDenied, ErrorCode::kTimedOut,
                                       ErrorCode::kCancelled, ErrorCode::kBusy,
                                       ErrorCode::kBufferLimit};
  if (is_corrupt(error) || std::ranges::find(kOtherRules, error.code) != std::end(kOtherRules))
    return std::nullopt;
  Finding finding = failed("asking for " + c.quoted() + " failed: " + describe(error));
  if (error.os_code != 0)
    finding.repair.push_back(
        {"net helpmsg " + std::to_string(error.os_code), "says what the system error means"});
  finding.repair.push_back(read_event_log("shows what the performance library says about it"));
  finding.evidence = {describe(error)};
  return finding;
}

MaybeFinding not_in_capture(const Case& c) {
  if (!c.machine.replay || c.object != nullptr || !c.name_known()) return std::nullopt;
  Finding finding = failed("no sample of the capture holds " + c.quoted());
  finding.repair = {see_what_there_is(c.machine, "", "shows what the capture holds"),
                    {"", "record the capture again with this counterset"}};
  finding.evidence = {"all samples of the capture were read"};
  return finding;
}

MaybeFinding provider_failed(const Case& c) {
  if (c.object != nullptr || c.provider == nullptr) return std::nullopt;
  Finding finding = failed("the provider of " + c.quoted() + ", service \"" + c.provider->service +
                           "\", is registered as it should be, but delivers nothing");
  finding.repair = {
      read_event_log("tells why. 1005 to 1007: the DLL lacks a procedure; 1008: Open failed, with "
                     "its status, and is not called again by this process; 1009 to 1011: it "
                     "crashed; 1014: Collect failed; 1021 to 1023: the DLL or one that it needs "
                     "can't be loaded; 2003: the DLL is not the one that was registered"),
      {"sc query \"" + c.provider->service + '"',
       "shows whether the service runs: many providers have counters only while it does"},
      restart_exporter(),
      see_what_there_is(c.machine, "--costly",
                        "shows whether it belongs to the countersets that are costly to "
                        "collect and are left out otherwise; may take minutes")};
  for (RepairStep& step : reinstall(*c.provider)) finding.repair.push_back(std::move(step));
  finding.evidence = {value_line(performance_key(*c.provider), "Library", c.provider->library)};
  if (c.provider->open)
    finding.evidence.push_back(value_line(performance_key(*c.provider), "Open", c.provider->open));
  if (const auto unknown = unknown_exports(c.provider->file))
    finding.evidence.push_back("not all functions that the DLL exports are known: " +
                               describe(*unknown));
  if (c.provider->has_validation_code)
    finding.evidence.push_back(performance_key(*c.provider) +
                               ": Library Validation Code is set: Windows loads no other DLL");
  return finding;
}

MaybeFinding not_delivered(const Case& c) {
  if (c.object != nullptr) return std::nullopt;
  Finding finding = failed("Windows knows the name " + c.quoted() +
                           ", but nothing delivers its counters; which provider should can't be "
                           "told");
  finding.repair = {
      read_event_log("names providers that could not be loaded or were disabled"),
      see_what_there_is(c.machine, "",
                        "shows what is delivered: the name may be that of a counter, not of a "
                        "counterset"),
      see_what_there_is(c.machine, "--costly",
                        "shows whether it belongs to the countersets that are costly to "
                        "collect and are left out otherwise; may take minutes"),
      {"",
       "where it belongs to a Windows feature or a product, see that this is installed and "
       "running"}};
  finding.evidence = {std::to_string(c.machine.providers.size()) +
                      " V1 providers are registered; none claims the index"};
  return finding;
}

MaybeFinding healthy(const Case& c) {
  if (c.object == nullptr) return std::nullopt;
  Finding finding;
  finding.sentence = c.quoted() + ": " + std::to_string(c.object->matching_counters) + " of " +
                     std::to_string(c.object->counters) + " counters";
  if (c.object->multi_instance)
    finding.sentence += ", " + std::to_string(c.object->matching_instances) + " of " +
                        std::to_string(c.object->instances) + " instances";
  if (c.facts.trial->took) finding.evidence.push_back(took_line(*c.facts.trial->took));
  return finding;
}

}  // namespace winperf

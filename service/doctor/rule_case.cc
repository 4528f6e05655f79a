#include "service/doctor/rule_case.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/provider/registration.h"
#include "collectors/wire/name_table.h"

namespace winperf {
namespace {

// What lodctr does, as a registry command.
RepairStep set_disabled(const ProviderFacts& provider, bool disabled) {
  return {"reg add \"" + performance_key(provider) + "\" /v \"" + std::string(kDisableValue) +
              "\" /t REG_DWORD /d " + (disabled ? "1" : "0") + " /f",
          "does the same if lodctr fails"};
}

}  // namespace

std::string performance_key(const ProviderFacts& provider) {
  return "HKLM\\SYSTEM\\CurrentControlSet\\Services\\" + provider.service + "\\Performance";
}

RepairStep advice(std::string text) { return {"", std::move(text)}; }

Repair reinstall(const ProviderFacts& provider) {
  return {
      advice("repair or reinstall the program that the service \"" + provider.service +
             "\" belongs to: its installer registers the provider again"),
      {"unlodctr \"" + provider.service + '"',
       "only if that program was removed: removes the provider's names and registration from the "
       "system, for every program"},
      restart_exporter(),
  };
}

RepairStep query_provider(const ProviderFacts& provider) {
  return {"lodctr /Q:\"" + provider.service + '"',
          "shows the provider as Windows knows it: its DLL, its functions, and whether it is "
          "enabled"};
}

Repair enable_provider(const ProviderFacts& provider) {
  return {{"lodctr /E:\"" + provider.service + '"', "enables the provider"},
          set_disabled(provider, false)};
}

Repair disable_provider(const ProviderFacts& provider) {
  return {{"lodctr /D:\"" + provider.service + '"',
           "disables the provider for every program, until lodctr /E:\"" + provider.service +
               "\" enables it again"},
          set_disabled(provider, true)};
}

RepairStep delete_perflib_value(std::string_view value, std::string text) {
  return {"reg delete \"" + std::string(kPerflibKey) + "\" /v \"" + std::string(value) + "\" /f",
          std::move(text)};
}

RepairStep restart_exporter() {
  return advice(
      "restart winperf_exporter and all other programs that read counters: a process loads "
      "providers only once");
}

RepairStep read_event_log(std::string text) {
  return {
      "powershell -Command \"Get-WinEvent -FilterHashtable @{LogName='Application'; "
      "ProviderName='Microsoft-Windows-Perflib'} -MaxEvents 50 | Format-List TimeCreated, Id, "
      "Message\"",
      std::move(text)};
}

RepairStep join_monitor_users(const TokenFacts& token) {
  std::string account;
  for (const char c : token.account) account.append(c == '\'' ? 2 : 1, c);
  if (account.empty()) account = "ACCOUNT";
  return {
      "powershell -Command \"Add-LocalGroupMember -SID S-1-5-32-558 -Member '" + account + "'\"",
      "adds the account to Performance Monitor Users (by SID, which works in every language of "
      "Windows). This takes effect at the account's next logon, so restart the service. Use the "
      "account that the service runs as, such as NT SERVICE\\winperf_exporter"};
}

RepairStep list_countersets(const MachineFacts& machine, std::string_view arguments,
                            std::string text) {
  std::string command = "winperf_exporter list";
  if (machine.replay) {
    const bool has_blank = machine.source.find(' ') != std::string::npos;
    command += " --source " + (has_blank ? '"' + machine.source + '"' : machine.source);
  }
  if (machine.target) command += " --target " + machine.target->host;
  if (!arguments.empty()) command.append(1, ' ').append(arguments);
  return {std::move(command), std::move(text)};
}

std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::uint32_t>& number) {
  return std::string(key) + ": " + std::string(value) +
         (number ? " = " + std::to_string(*number) : " is not set");
}

std::string value_line(std::string_view key, std::string_view value,
                       const std::optional<std::string>& text) {
  return std::string(key) + ": " + std::string(value) +
         (text ? " = \"" + *text + '"' : " is not set");
}

std::string library_line(const ProviderFacts& provider) {
  return value_line(performance_key(provider), "Library", provider.library) +
         (provider.library_path.empty() ? "" : ", which is " + provider.library_path);
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "\"" + names[i] + "\"";
  }
  return text;
}

namespace {

const NameFacts* judged_name(const CountersetFacts& facts, const DeliveredObject* object) {
  static const NameFacts kNone;
  if (facts.names.empty()) return &kNone;
  const auto stands_for = [&](const NameFacts& name) {
    return object == nullptr ? !name.indices.empty()
                             : std::ranges::find(name.indices, object->index) != name.indices.end();
  };
  const auto found = std::ranges::find_if(facts.names, stands_for);
  return found != facts.names.end() ? &*found : &facts.names.front();
}

const ProviderFacts* owner_of(const MachineFacts& machine, ObjectIndex index) {
  for (const auto owns : {lists, has_in_range})
    for (const ProviderFacts& provider : machine.providers)
      if (owns(provider, index)) return &provider;
  return nullptr;
}

const V2CountersetFacts* v2_of(const MachineFacts& machine, std::string_view name) {
  if (!machine.v2) return nullptr;
  const auto found = std::ranges::find_if(*machine.v2, [&](const V2CountersetFacts& counterset) {
    return equal_names(counterset.name, name);
  });
  return found != machine.v2->end() ? &*found : nullptr;
}

}  // namespace

Case::Case(const PlannedCounterset& planned, const CountersetFacts& counterset,
           const MachineFacts& machine_facts)
    : request(planned), facts(counterset), machine(machine_facts) {
  if (facts.trial && facts.trial->object) object = &*facts.trial->object;
  name = judged_name(facts, object);
  v2 = v2_of(machine, name->name);
  if (object != nullptr) index = object->index;
  for (const ObjectIndex candidate : name->indices) {
    if (provider != nullptr || (object != nullptr && candidate != object->index)) continue;
    provider = owner_of(machine, candidate);
    if (provider != nullptr || !index) index = candidate;
  }
}

std::optional<ObjectIndex> Case::shown_index() const {
  const bool is_of_windows = index && value_of(*index) != 0 && value_of(*index) < kFirstOwnIndex;
  return is_of_windows ? index : std::nullopt;
}

std::string Case::quoted() const {
  if (!shown_index()) return '"' + name->name + '"';
  const std::string number = std::to_string(value_of(*index));
  if (name->name != number) return '"' + name->name + "\" (index " + number + ")";
  return name->text.empty() ? "index " + number : '"' + name->text + "\" (index " + number + ")";
}

std::string Case::supplier() const {
  return "the provider of " + quoted() + ", service \"" + provider->service + "\",";
}

const Error* Case::trial_error(ErrorCode code) const {
  if (!facts.trial || !facts.trial->error || facts.trial->error->code != code) return nullptr;
  return &*facts.trial->error;
}

Finding blocking_finding(const Case& c, std::string sentence, Repair repair,
                         std::vector<std::string> evidence) {
  if (c.object != nullptr)
    sentence += "; it is delivered now, but may be missing the next time providers are loaded";
  return {.severity = c.blocking(),
          .sentence = std::move(sentence),
          .repair = std::move(repair),
          .evidence = std::move(evidence)};
}

bool lists(const ProviderFacts& provider, ObjectIndex index) {
  if (!provider.object_list) return false;
  const auto objects = parse_object_list(*provider.object_list);
  return std::ranges::find(objects, index) != objects.end();
}

bool has_in_range(const ProviderFacts& provider, ObjectIndex index) {
  return provider.first_counter && provider.last_counter &&
         *provider.first_counter <= value_of(index) && value_of(index) <= *provider.last_counter;
}

}  // namespace winperf

#include "service/doctor/rule_case.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/provider/registration.h"
#include "collectors/wire/name_table.h"

namespace winperf {
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

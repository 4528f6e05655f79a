#include "service/commands/provider_listing.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "service/console/text_columns.h"

namespace winperf {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kUnknown = "-";

std::string milliseconds_text(const std::optional<std::chrono::nanoseconds>& time) {
  if (!time) return kUnknown;
  std::ostringstream text;
  text.precision(1);
  text << std::fixed << std::chrono::duration<double, std::milli>(*time).count() << " ms";
  return text.str();
}

std::vector<ObjectIndex> objects_of(const ListedProvider& provider) {
  return provider.trial ? provider.trial->objects : provider.registration.objects;
}

std::string name_of(ObjectIndex object, const Catalog& catalog) {
  const std::string_view name = catalog.object_name(object);
  return name.empty() ? std::to_string(value_of(object)) : std::string(name);
}

// Without a list, the objects are known when it has been tried.
std::string objects_text(const ListedProvider& provider, const Catalog& catalog) {
  std::string text;
  for (const ObjectIndex object : objects_of(provider))
    text += (text.empty() ? "" : ", ") + name_of(object, catalog);
  const auto& titles = provider.registration.titles;
  if (text.empty() && !provider.trial && titles)
    return "some of " + std::to_string(titles->first) + " to " + std::to_string(titles->last);
  return text.empty() ? kUnknown : text;
}

const std::string& library_of(const ListedProvider& provider) {
  const bool is_found = !provider.library.is_missing && !provider.library.path.empty();
  return is_found ? provider.library.path : provider.registration.library;
}

std::optional<int> bits_of(const ListedProvider& provider) {
  constexpr int kNarrow = 32, kWide = 64;
  const auto& machine = provider.library.machine;
  if (machine == PeMachine::kX64 || machine == PeMachine::kArm64) return kWide;
  if (machine && is_32_bit(*machine)) return kNarrow;
  return std::nullopt;
}

std::string bits_text(const ListedProvider& provider) {
  const auto bits = bits_of(provider);
  return bits ? std::to_string(*bits) : kUnknown;
}

std::string signer_text(const ListedProvider& provider) {
  const auto& signature = provider.origin.signature;
  return signature ? describe(*signature) : kUnknown;
}

// The cost of querying it.
std::vector<std::string> cost_cells(const std::optional<ProviderTrial>& trial) {
  if (!trial) return {kUnknown, kUnknown, kUnknown};
  return {milliseconds_text(trial->first), milliseconds_text(trial->second),
          std::to_string(trial->bytes)};
}

void append(std::vector<std::string>& cells, const std::vector<std::string>& more) {
  cells.insert(cells.end(), more.begin(), more.end());
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json seconds_or_null(const std::optional<std::chrono::nanoseconds>& time) {
  return time ? Json(std::chrono::duration<double>(*time).count()) : Json();
}

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

Json titles_to_json(const std::optional<TitleRange>& titles) {
  return titles ? Json{{"first", titles->first}, {"last", titles->last}} : Json();
}

void add_registration(Json& entry, const ProviderRegistration& registration) {
  entry["disabled"] = registration.disabled;
  entry["disable_performance_counters"] = or_null(registration.disable_value);
  entry["open"] = text_or_null(registration.open);
  entry["collect"] = text_or_null(registration.collect);
  entry["close"] = text_or_null(registration.close);
  entry["open_timeout_seconds"] = seconds_or_null(registration.open_timeout);
  entry["collect_timeout_seconds"] = seconds_or_null(registration.collect_timeout);
  entry["supports_metadata"] = registration.supports_metadata;
  entry["keep_resident"] = registration.keep_resident;
  entry["has_validation_code"] = registration.has_validation_code;
  entry["titles"] = titles_to_json(registration.titles);
  entry["has_object_list"] = !registration.objects.empty();
}

void add_library(Json& entry, const ListedProvider& provider) {
  const LibraryHead& library = provider.library;
  entry["library"] = provider.registration.library;
  entry["library_path"] = library.is_missing ? Json() : text_or_null(library.path);
  entry["architecture"] = library.machine ? Json(describe(*library.machine)) : Json();
  entry["bits"] = or_null(bits_of(provider));
  entry["version"] = or_null(provider.origin.version);
  const auto& signature = provider.origin.signature;
  entry["signature"] = signature ? Json(name_of(signature->signing)) : Json();
  entry["signer"] = signature ? text_or_null(signature->signer) : Json();
  const bool is_signed = signature && (signature->signing == Signing::kEmbedded ||
                                       signature->signing == Signing::kCatalog);
  entry["signature_verified"] = is_signed ? Json(signature->is_verified) : Json();
}

void add_trial(Json& entry, const std::optional<ProviderTrial>& trial) {
  entry["tried"] = trial.has_value();
  entry["error"] = trial && trial->error ? Json(describe(*trial->error)) : Json();
  entry["reply_bytes"] = trial ? Json(trial->bytes) : Json();
  entry["first_query_seconds"] = trial ? seconds_or_null(trial->first) : Json();
  entry["next_query_seconds"] = trial ? seconds_or_null(trial->second) : Json();
}

Json to_json(const ListedProvider& provider, const Catalog& catalog) {
  Json countersets = Json::array();
  for (const ObjectIndex object : objects_of(provider))
    countersets.push_back(
        {{"name", std::string(catalog.object_name(object))}, {"object_index", value_of(object)}});
  Json entry{{"name", provider.registration.service}, {"state", state_of(provider)}};
  add_library(entry, provider);
  add_registration(entry, provider.registration);
  entry["countersets"] = std::move(countersets);
  add_trial(entry, provider.trial);
  return entry;
}

}  // namespace

std::string state_of(const ListedProvider& provider) {
  if (provider.registration.disabled) return "disabled";
  if (provider.is_left_out) return "left out";
  if (provider.trial && provider.trial->error)
    return std::string(name_of(provider.trial->error->code));
  if (provider.trial) return "works";
  if (provider.library.is_missing) return "library missing";
  return needs_perf_host(provider.library) ? "32-bit" : "registered";
}

std::string providers_to_table(const std::vector<ListedProvider>& providers, const Catalog& catalog,
                               bool tries, std::size_t most_columns) {
  std::vector<std::string> head{"SERVICE", "STATE"};
  if (tries) append(head, {"FIRST QUERY", "NEXT", "BYTES"});
  append(head, {"DLL", "VERSION", "SIGNER", "BITS", "OBJECTS"});
  TextColumns columns(std::move(head));
  for (const ListedProvider& provider : providers) {
    std::vector<std::string> row{provider.registration.service, state_of(provider)};
    if (tries) append(row, cost_cells(provider.trial));
    append(row, {library_of(provider), provider.origin.version.value_or(kUnknown),
                 signer_text(provider), bits_text(provider), objects_text(provider, catalog)});
    columns.add(std::move(row));
  }
  return columns.text(most_columns);
}

std::string perf_host_note(const std::vector<ListedProvider>& providers,
                           std::optional<PerfHost> state) {
  if (std::ranges::none_of(providers, [](const ListedProvider& provider) {
        return needs_perf_host(provider.library);
      }))
    return {};
  const std::string note =
      "Windows reads 32-bit providers through the service PerfHost, whose state is ";
  if (!state) return note + "unknown: sc query PerfHost\n";
  switch (*state) {
    case PerfHost::kStopped:
      return note + "stopped: sc start PerfHost\n";
    case PerfHost::kDisabled:
      return note + "disabled: sc config PerfHost start= demand\n";
    case PerfHost::kRunning:
    case PerfHost::kAbsent:
      break;
  }
  return note + std::string(name_of(*state)) + '\n';
}

Json providers_to_json(const std::vector<ListedProvider>& providers, const Catalog& catalog,
                       std::optional<PerfHost> state) {
  Json all = Json::array();
  for (const ListedProvider& provider : providers) all.push_back(to_json(provider, catalog));
  return {{"perf_host", state ? Json(name_of(*state)) : Json()}, {"providers", std::move(all)}};
}

}  // namespace winperf

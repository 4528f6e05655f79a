#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "collectors/base/ascii.h"
#include "collectors/catalog/catalog.h"
#include "collectors/hosting/provider_trial.h"
#include "collectors/provider/provider_machine.h"
#include "service/commands/command.h"
#include "service/console/text_columns.h"
#include "service/run/isolation.h"

namespace winperf {
namespace {

struct ProvidersOptions {
  SetupOptions setup;
  OutputFormat format = OutputFormat::kTable;
  std::vector<std::string> names;
  bool tries = false;
};

struct Provider {
  ProviderRegistration registration;
  std::optional<ProviderTrial> trial;
};

bool is_wanted(const ProviderRegistration& provider, const std::vector<std::string>& names) {
  return names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
           return ascii_lower(name) == ascii_lower(provider.service);
         });
}

std::string state_of(const Provider& provider) {
  if (provider.registration.disabled) return "disabled";
  if (!provider.trial) return "registered";
  return provider.trial->error ? std::string(name_of(provider.trial->error->code)) : "works";
}

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

std::string milliseconds_text(const std::optional<std::chrono::nanoseconds>& time) {
  if (!time) return "-";
  std::ostringstream text;
  text.precision(1);
  text << std::fixed << milliseconds(*time) << " ms";
  return text.str();
}

std::vector<ObjectIndex> objects_of(const Provider& provider) {
  return provider.trial ? provider.trial->objects : provider.registration.objects;
}

std::string name_of(ObjectIndex object, const Catalog& catalog) {
  const std::string_view name = catalog.object_name(object);
  return name.empty() ? std::to_string(value_of(object)) : std::string(name);
}

// Without a list, the objects are known when it has been tried.
std::string objects_text(const Provider& provider, const Catalog& catalog) {
  std::string text;
  for (const ObjectIndex object : objects_of(provider))
    text += (text.empty() ? "" : ", ") + name_of(object, catalog);
  const auto& titles = provider.registration.titles;
  if (text.empty() && !provider.trial && titles)
    return "some of " + std::to_string(titles->first) + " to " + std::to_string(titles->last);
  return text.empty() ? "-" : text;
}

std::string to_table(const std::vector<Provider>& providers, const Catalog& catalog, bool tries) {
  TextColumns columns(tries ? std::vector<std::string>{"SERVICE", "STATE", "FIRST QUERY", "NEXT",
                                                       "BYTES", "OBJECTS"}
                            : std::vector<std::string>{"SERVICE", "STATE", "LIBRARY", "OBJECTS"});
  for (const Provider& provider : providers) {
    const std::string objects = objects_text(provider, catalog);
    const std::string& service = provider.registration.service;
    if (!tries) {
      columns.add({service, state_of(provider), provider.registration.library, objects});
    } else if (!provider.trial) {
      columns.add({service, state_of(provider), "-", "-", "-", objects});
    } else {
      const ProviderTrial& trial = *provider.trial;
      columns.add({service, state_of(provider), milliseconds_text(trial.first),
                   milliseconds_text(trial.second), std::to_string(trial.bytes), objects});
    }
  }
  return columns.text();
}

nlohmann::ordered_json to_json(const Provider& provider, const Catalog& catalog) {
  const ProviderRegistration& registration = provider.registration;
  nlohmann::ordered_json objects = nlohmann::ordered_json::array();
  for (const ObjectIndex object : objects_of(provider))
    objects.push_back(
        {{"object_index", value_of(object)}, {"object", std::string(catalog.object_name(object))}});
  nlohmann::ordered_json entry{{"service", registration.service},
                               {"state", state_of(provider)},
                               {"library", registration.library},
                               {"has_object_list", !registration.objects.empty()},
                               {"objects", std::move(objects)}};
  if (registration.titles)
    entry["titles"] = {{"first", registration.titles->first}, {"last", registration.titles->last}};
  if (!provider.trial) return entry;
  const ProviderTrial& trial = *provider.trial;
  entry["error"] = trial.error ? nlohmann::ordered_json(describe(*trial.error)) : nullptr;
  entry["bytes"] = trial.bytes;
  entry["first_query_seconds"] = milliseconds(trial.first) / 1000;
  if (trial.second) entry["next_query_seconds"] = milliseconds(*trial.second) / 1000;
  return entry;
}

// Tries them one after the other, each alone.
std::vector<Provider> find_providers(ProviderMachine& machine, const ProvidersOptions& options,
                                     const Config& config) {
  std::vector<Provider> providers;
  for (ProviderRegistration& registration : machine.registrations()) {
    if (!is_wanted(registration, options.names)) continue;
    Provider provider{.registration = std::move(registration), .trial = {}};
    if (options.tries && !provider.registration.disabled)
      provider.trial = try_provider(*make_provider_host(&provider.registration, config, true));
    providers.push_back(std::move(provider));
  }
  return providers;
}

// What is wrong with those that were tried, and the names that nobody has.
std::vector<std::string> complaints_about(const std::vector<Provider>& providers,
                                          const std::vector<std::string>& names) {
  std::vector<std::string> complaints;
  for (const Provider& provider : providers)
    if (provider.trial && provider.trial->error)
      complaints.push_back(describe(*provider.trial->error));
  for (const std::string& name : names)
    if (std::ranges::none_of(providers, [&](const Provider& provider) {
          return is_wanted(provider.registration, {name});
        }))
      complaints.push_back("no service \"" + name + "\" has registered a performance library");
  return complaints;
}

int show_providers(const ProvidersOptions& options) {
  const auto setup = open_or_complain(options.setup);
  if (!setup) return setup.error();
  const auto machine = setup->is_replay ? nullptr : make_provider_machine();
  if (machine == nullptr)
    return fail(setup->is_replay ? "a recording has no providers: run this on the machine itself"
                                 : "there are no V1 providers on this platform");
  const std::vector<Provider> providers = find_providers(*machine, options, setup->config);
  const Catalog catalog = Catalog::load(*setup->source, Language::kEnglish);
  if (options.format == OutputFormat::kJson) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Provider& provider : providers) all.push_back(to_json(provider, catalog));
    std::cout << nlohmann::ordered_json{{"providers", std::move(all)}}.dump(2) << '\n';
  } else {
    std::cout << to_table(providers, catalog, options.tries);
  }
  const auto complaints = complaints_about(providers, options.names);
  for (const std::string& complaint : complaints) complain(complaint);
  return complaints.empty() ? kExitOk : kExitFailure;
}

}  // namespace

void add_providers(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<ProvidersOptions>();
  options->setup.always_isolated = true;
  CLI::App& command = *program.add_subcommand(
      "providers", "list the V1 providers of this machine, and what they cost");
  add_setup(command, options->setup);
  add_names(command, options->names, "SERVICE", "providers by the name of their service");
  command.add_flag("--try", options->tries,
                   "load each one in a process of its own, and ask it for all its objects");
  add_format(command, options->format);
  command.callback([options, &exit_code] { exit_code = show_providers(*options); });
}

}  // namespace winperf

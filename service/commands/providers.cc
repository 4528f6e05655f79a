#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/provider/provider_machine.h"
#include "service/commands/command.h"
#include "service/commands/provider_listing.h"
#include "service/console/json_document.h"
#include "service/console/look.h"
#include "service/console/progress_line.h"
#include "service/plan/setup.h"

namespace winperf {
namespace {

struct ProvidersOptions {
  SetupOptions setup;
  OutputFormat format = OutputFormat::kTable;
  std::vector<std::string> names;
  bool tries = false;
  bool wide = false;
};

bool is_among(const ProviderRegistration& provider, const std::vector<std::string>& names) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return equal_names(name, provider.service); });
}

// Its file is examined only if it is a Windows library.
ListedProvider listed_provider(ProviderMachine& machine, ProviderRegistration registration) {
  ListedProvider provider{.registration = std::move(registration)};
  provider.library = machine.library_head(provider.registration);
  if (provider.library.machine) provider.origin = machine.library_origin(provider.library);
  return provider;
}

// Tries them one after the other, each alone.
std::vector<ListedProvider> find_providers(ProviderMachine& machine,
                                           const ProvidersOptions& options, const Config& config) {
  std::vector<ListedProvider> providers;
  ProgressLine progress("reading the registrations");
  for (ProviderRegistration& registration : machine.registrations()) {
    if (!options.names.empty() && !is_among(registration, options.names)) continue;
    progress.show((options.tries ? "trying " : "examining ") + registration.service);
    ListedProvider provider = listed_provider(machine, std::move(registration));
    provider.is_left_out = is_among(provider.registration, config.workers.leave_out);
    const bool has_host = !provider.registration.disabled && !provider.is_left_out &&
                          !needs_perf_host(provider.library);
    if (options.tries && has_host)
      provider.trial = try_provider(
          *make_provider_host(options.setup.origin, &provider.registration, config, true));
    providers.push_back(std::move(provider));
  }
  return providers;
}

// Problems of the providers that were tried, and unknown names.
std::vector<std::string> complaints_about(const std::vector<ListedProvider>& providers,
                                          const std::vector<std::string>& names) {
  std::vector<std::string> complaints;
  for (const ListedProvider& provider : providers)
    if (provider.trial && provider.trial->error)
      complaints.push_back(describe(*provider.trial->error));
  for (const std::string& name : names)
    if (std::ranges::none_of(providers, [&](const ListedProvider& provider) {
          return is_among(provider.registration, {name});
        }))
      complaints.push_back("no service \"" + name +
                           "\" has registered a performance library; "
                           "\"winperf_exporter providers\" lists those that have");
  return complaints;
}

int show_providers(const ProvidersOptions& options) {
  const auto setup = open_or_complain(options.setup);
  if (!setup) return setup.error();
  const auto machine = setup->is_replay ? nullptr : make_provider_machine();
  if (machine == nullptr)
    return fail(setup->is_replay ? "a recording has no providers; run this on the machine itself"
                                 : "there are no V1 providers on this platform");
  const std::vector<ListedProvider> providers = find_providers(*machine, options, setup->config);
  const Catalog catalog = Catalog::load(*setup->source, Language::kEnglish);
  if (options.format == OutputFormat::kJson) {
    std::cout << json_document(providers_to_json(providers, catalog, machine->perf_host()));
  } else {
    std::cout << providers_to_table(providers, catalog, options.tries,
                                    output_look(options.wide).columns)
              << perf_host_note(providers, machine->perf_host());
  }
  const auto complaints = complaints_about(providers, options.names);
  for (const std::string& complaint : complaints) complain(complaint);
  return complaints.empty() ? kExitOk : kExitFailure;
}

}  // namespace

void add_providers(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<ProvidersOptions>();
  options->setup.always_isolated = true;
  CLI::App& command =
      *program.add_subcommand("providers", "List the V1 providers of this machine and their cost");
  add_setup(command, options->setup, run);
  command.add_option("name", options->names, "providers, by service name")->type_name("SERVICE");
  command.add_flag("--try", options->tries,
                   "load each provider in a separate process and query all of its objects");
  add_format(command, options->format);
  add_wide(command, options->wide);
  command.callback([options, &run] { run.exit_code = show_providers(*options); });
}

}  // namespace winperf

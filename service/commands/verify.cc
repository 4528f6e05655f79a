#include <iostream>

#include "collectors/sampler/path_verifier.h"
#include "service/commands/commands.h"
#include "service/commands/listing.h"
#include "service/commands/verification.h"
#include "service/console/exit_code.h"
#include "service/console/stop_signal.h"
#include "service/run/plan.h"
#include "service/run/setup.h"

namespace winperf {

int verify_paths(const VerifyOptions& options) {
  const auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  if (setup->perflib == nullptr) {
    complain(setup->is_replay ? "a capture can't be verified: it was recorded by one path"
                              : "there is no second path: " + setup->perflib_missing);
    return kExitFailure;
  }
  const ClockSource clocks = system_clocks();
  CatalogKeeper catalog(*setup->source, name_language(setup->config), clocks.steady_now());
  PerflibConnection perflib(*setup->perflib, {}, perflib_limits(setup->config),
                            name_language(setup->config), clocks.steady_now());
  if (perflib.catalog_error()) {
    complain(describe(*perflib.catalog_error()));
    return kExitFailure;
  }
  std::vector<std::string> names = options.names;
  if (names.empty())
    for (const V2Catalog::Entry& entry : perflib.catalog().entries())
      names.push_back(entry.name.empty() ? to_string(entry.guid) : entry.name);

  const StopSignal stop;
  PathVerifier verifier(*setup->source, catalog, perflib, clocks, options.rounds);
  std::vector<VerifiedCounterset> results;
  for (const std::string& name : names) {
    results.push_back(verifier.verify(name, stop.token()));
    if (stop.token().stop_requested()) return kExitFailure;
  }
  setup->source->release();
  for (const VerifiedCounterset& result : results) {
    const bool is_absent = result.registry_error && result.perflib_error &&
                           perflib.catalog().named(result.name).empty() &&
                           catalog.objects_named(result.name).empty();
    if (is_absent) complain(unknown_name_message(result.name, catalog.catalog()));
  }
  std::cout << (options.format == OutputFormat::kJson ? verification_json(results)
                                                      : verification_table(results));
  return verified(results) ? kExitOk : kExitFailure;
}

}  // namespace winperf

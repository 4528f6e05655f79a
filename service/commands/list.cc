#include <cstdio>
#include <iostream>

#include "collectors/sampling/catalog_keeper.h"
#include "service/commands/commands.h"
#include "service/commands/common.h"
#include "service/exit_code.h"
#include "service/listing.h"
#include "service/source_choice.h"

namespace winperf {

int list_counters(const ListOptions& options) {
  const auto config = load_config(options.common.config_file);
  if (!config) return kExitUsage;
  const auto choice = parse_source_choice(options.common.source);
  if (!choice) {
    complain(choice.error());
    return kExitUsage;
  }
  auto source = open_source(*choice, config->limits);
  if (!source) {
    complain(source.error());
    return kExitFailure;
  }
  const Catalog catalog =
      Catalog::load(**source, options.machine_language ? Language::kMachine : Language::kEnglish);
  const auto listing = make_listing(**source, catalog, options);
  if (!listing) {
    complain(listing.error());
    return kExitFailure;
  }
  std::cout << (options.format == OutputFormat::kJson ? to_json(*listing)
                                                      : to_table(*listing, options));
  for (const Error& problem : listing->problems) complain(describe(problem));
  return kExitOk;
}

}  // namespace winperf

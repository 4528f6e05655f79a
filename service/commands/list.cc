#include <iostream>
#include <optional>

#include "collectors/catalog/catalog.h"
#include "service/commands/commands.h"
#include "service/commands/common.h"
#include "service/exit_code.h"
#include "service/listing.h"

namespace winperf {

int list_counters(const ListOptions& options) {
  const auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  CounterSource& source = *setup->source;
  const Catalog catalog =
      Catalog::load(source, options.machine_language ? Language::kMachine : Language::kEnglish);
  std::optional<PerflibClient> perflib;
  if (setup->perflib != nullptr) perflib.emplace(*setup->perflib, std::u16string());
  const auto listing = make_listing(
      {.registry = source, .catalog = catalog, .perflib = perflib ? &*perflib : nullptr}, options);
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

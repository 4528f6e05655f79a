#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>

#include "collectors/catalog/catalog.h"
#include "service/commands/commands.h"
#include "service/commands/listing.h"
#include "service/console/exit_code.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

std::expected<Listing, std::string> list_machine(CounterSource& source, PerflibApi* api,
                                                 const ListOptions& options) {
  const Catalog catalog =
      Catalog::load(source, options.machine_language ? Language::kMachine : Language::kEnglish);
  std::optional<PerflibClient> perflib;
  if (api != nullptr) perflib.emplace(*api, std::u16string());
  return make_listing(
      {.registry = source, .catalog = catalog, .perflib = perflib ? &*perflib : nullptr}, options);
}

// What one machine of a recording doesn't have, another one may.
std::expected<Listing, std::string> list_all(const Setup& setup, const ListOptions& options) {
  auto all = list_machine(*setup.source, setup.perflib.get(), options);
  for (const auto& source : setup.other_machines) {
    auto listing = list_machine(*source, nullptr, options);
    if (!listing) continue;
    if (!all) all.emplace();
    std::ranges::move(listing->objects, std::back_inserter(all->objects));
    std::ranges::move(listing->problems, std::back_inserter(all->problems));
  }
  return all;
}

}  // namespace

int list_counters(const ListOptions& options) {
  const auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  const auto listing = list_all(*setup, options);
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

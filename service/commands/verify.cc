#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "collectors/base/printable.h"
#include "collectors/sampler/path_verifier.h"
#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/console/stop_signal.h"
#include "service/console/text_columns.h"
#include "service/run/plan.h"

namespace winperf {
namespace {

struct VerifyOptions {
  SetupOptions setup;
  std::vector<std::string> names;  // empty: every V2 counterset
  std::size_t rounds = 3;          // a difference counts if every round shows it
  OutputFormat format = OutputFormat::kTable;
};

struct Totals {
  std::size_t countersets = 0;
  std::size_t delivered = 0;
  std::size_t compared = 0;
  std::size_t moving = 0;
  std::size_t differences = 0;
};

Totals totals_of(std::span<const VerifiedCounterset> results) {
  Totals totals;
  for (const VerifiedCounterset& result : results) {
    ++totals.countersets;
    totals.delivered += result.delivered();
    totals.compared += result.comparison.compared;
    totals.moving += result.comparison.moving;
    totals.differences += result.comparison.differences.size();
    if (result.registry_error.has_value() != result.perflib_error.has_value()) ++totals.differences;
  }
  return totals;
}

std::string text_of(const std::optional<Error>& error) {
  return error ? describe(*error) : std::string("delivered");
}

nlohmann::ordered_json json_of(const std::optional<Error>& error) {
  return error ? nlohmann::ordered_json(describe(*error)) : nlohmann::ordered_json(nullptr);
}

// Whether at least one counterset was delivered and nothing differs.
bool verified(std::span<const VerifiedCounterset> results) {
  const Totals totals = totals_of(results);
  return totals.delivered != 0 && totals.differences == 0;
}

// A line per difference, then a summary.
std::string verification_table(std::span<const VerifiedCounterset> results) {
  TextColumns table({"counterset", "instance", "counter", "difference", "registry", "perflib"});
  for (const VerifiedCounterset& result : results) {
    if (result.registry_error.has_value() != result.perflib_error.has_value())
      table.add({result.name, "", "", "only through one path", text_of(result.registry_error),
                 text_of(result.perflib_error)});
    for (const PathDifference& difference : result.comparison.differences)
      table.add({result.name, difference.instance, difference.counter, difference.what,
                 difference.registry, difference.perflib});
  }
  const Totals totals = totals_of(results);
  std::string out = table.empty() ? std::string() : table.text() + '\n';
  for (const VerifiedCounterset& result : results) {
    if (!result.registry_error || !result.perflib_error) continue;
    out += printable(result.name) +
           ": not compared, because neither path has data: " + describe(*result.perflib_error) +
           '\n';
  }
  return out + std::to_string(totals.delivered) + " of " +
         counted(totals.countersets, "counterset") +
         " compared: " + counted(totals.compared, "value") + ", of which " +
         std::to_string(totals.moving) + " changed too fast to compare; " +
         counted(totals.differences, "difference") + '\n';
}

std::string verification_json(std::span<const VerifiedCounterset> results) {
  nlohmann::ordered_json countersets = nlohmann::ordered_json::array();
  for (const VerifiedCounterset& result : results) {
    nlohmann::ordered_json differences = nlohmann::ordered_json::array();
    for (const PathDifference& difference : result.comparison.differences)
      differences.push_back({{"instance", difference.instance},
                             {"counter", difference.counter},
                             {"difference", difference.what},
                             {"registry", difference.registry},
                             {"perflib", difference.perflib}});
    countersets.push_back({{"counterset", result.name},
                           {"agrees", result.agrees()},
                           {"registry_error", json_of(result.registry_error)},
                           {"perflib_error", json_of(result.perflib_error)},
                           {"compared", result.comparison.compared},
                           {"moving", result.comparison.moving},
                           {"differences", std::move(differences)}});
  }
  return nlohmann::ordered_json{{"verified", verified(results)},
                                {"countersets", std::move(countersets)}}
             .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         '\n';
}

int verify_paths(const VerifyOptions& options) {
  const auto setup = open_or_complain(options.setup);
  if (!setup) return setup.error();
  if (setup->perflib == nullptr)
    return fail(setup->is_replay ? "a recording can't be verified: it was made through one path"
                                 : "there is only one path: " + setup->perflib_missing);
  const ClockSource clocks = system_clocks();
  CatalogKeeper catalog(*setup->source, name_language(setup->config), clocks.steady_now());
  PerflibConnection perflib(*setup->perflib, {}, perflib_limits(setup->config),
                            name_language(setup->config), clocks.steady_now());
  if (perflib.catalog_error()) return fail(describe(*perflib.catalog_error()));
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

}  // namespace

void add_verify(CLI::App& program, int& exit_code) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& command = *program.add_subcommand(
      "verify", "read countersets through the registry and PerfLib, and show where they differ");
  add_setup(command, options->setup);
  add_names(command, options->names, "COUNTERSET",
            "countersets by their English names; without any, every V2 counterset");
  command
      .add_option("--rounds", options->rounds,
                  "how many times in a row a difference must show before it is reported, 1 to 100")
      ->check(CLI::Range(1, 100).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_format(command, options->format);
  command.callback([options, &exit_code] { exit_code = verify_paths(*options); });
}

}  // namespace winperf

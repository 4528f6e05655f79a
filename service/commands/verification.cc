#include "service/commands/verification.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "service/console/text_columns.h"

namespace winperf {
namespace {

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

}  // namespace

bool verified(std::span<const VerifiedCounterset> results) {
  const Totals totals = totals_of(results);
  return totals.delivered != 0 && totals.differences == 0;
}

std::string verification_table(std::span<const VerifiedCounterset> results) {
  TextColumns table({"counterset", "instance", "counter", "difference", "registry", "perflib"});
  for (const VerifiedCounterset& result : results) {
    if (result.registry_error.has_value() != result.perflib_error.has_value())
      table.add({result.name, "", "", "only by one path", text_of(result.registry_error),
                 text_of(result.perflib_error)});
    for (const PathDifference& difference : result.comparison.differences)
      table.add({result.name, difference.instance, difference.counter, difference.what,
                 difference.registry, difference.perflib});
  }
  const Totals totals = totals_of(results);
  std::string out = table.empty() ? std::string() : table.text() + '\n';
  for (const VerifiedCounterset& result : results) {
    if (!result.registry_error || !result.perflib_error) continue;
    out += result.name +
           ": not compared, neither path has data: " + describe(*result.perflib_error) + '\n';
  }
  return out + std::to_string(totals.delivered) + " of " + std::to_string(totals.countersets) +
         " countersets compared, " + std::to_string(totals.compared) + " values, of which " +
         std::to_string(totals.moving) + " moved too much to tell; " +
         std::to_string(totals.differences) + " differences\n";
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

}  // namespace winperf

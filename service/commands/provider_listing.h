// The output of `providers`. Thread rule: any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "collectors/catalog/catalog.h"
#include "collectors/hosting/provider_host.h"
#include "collectors/provider/library_head.h"
#include "collectors/provider/registration.h"
#include "service/console/look.h"

namespace winperf {

struct ListedProvider {
  ProviderRegistration registration{};
  LibraryHead library{};
  LibraryOrigin origin{};
  bool is_left_out = false;  // by the configuration
  std::optional<ProviderTrial> trial{};
};

// "registered", "disabled", "left out", "32-bit", "library missing"; of one that was tried, "works"
// or the name of its error.
[[nodiscard]] std::string state_of(const ListedProvider& provider);

// `tries`: with what trials cost. No wider than `most_columns`, if that is possible.
[[nodiscard]] std::string providers_to_table(const std::vector<ListedProvider>& providers,
                                             const Catalog& catalog, bool tries,
                                             std::size_t most_columns = kUnlimitedColumns);
// A note on the service that Windows reads 32-bit providers through; empty without such providers.
[[nodiscard]] std::string perf_host_note(const std::vector<ListedProvider>& providers,
                                         std::optional<PerfHost> state);

// Every key is there; null: unknown, not registered, or not tried.
[[nodiscard]] nlohmann::ordered_json providers_to_json(const std::vector<ListedProvider>& providers,
                                                       const Catalog& catalog,
                                                       std::optional<PerfHost> state);

}  // namespace winperf

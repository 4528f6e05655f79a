#include <array>
#include <optional>
#include <string_view>

#include "exporter/text/own_metrics.h"

namespace winperf {
namespace {

using Number = std::optional<double>;

constexpr OwnFamily gauge(const char* name, const char* help, const char* further = nullptr) {
  return {.name = name, .help = help, .label_names = {"provider", further}};
}

constexpr OwnFamily counter(const char* name, const char* help, const char* further = nullptr) {
  OwnFamily family = gauge(name, help, further);
  family.type = prometheus::MetricType::Counter;
  return family;
}

constexpr OwnNumber<ProviderState> kNumbers[] = {
    {gauge("winperf_exporter_provider_quarantine_seconds",
           "For how long the provider will not be asked, because it was lost; otherwise 0."),
     [](const ProviderState& state) { return Number(state.quarantine_seconds); }},
    {gauge("winperf_exporter_provider_apart_seconds",
           "For how long the provider will be kept apart from the others for harm that it did; "
           "otherwise 0."),
     [](const ProviderState& state) { return Number(state.apart_seconds); }},
    {counter("winperf_exporter_provider_queries_total", "Queries for objects of the provider."),
     [](const ProviderState& state) { return Number(static_cast<double>(state.queries)); }},
    {counter("winperf_exporter_provider_failures_total",
             "Queries to which the provider gave nothing, also because it was in quarantine."),
     [](const ProviderState& state) { return Number(static_cast<double>(state.failures)); }},
    {gauge("winperf_exporter_provider_query_seconds",
           "How long the provider worked on its last query."),
     [](const ProviderState& state) { return Number(state.query_seconds); }},
    {gauge("winperf_exporter_provider_reply_bytes", "Size of the provider's last reply."),
     [](const ProviderState& state) {
       return state.reply_bytes ? Number(static_cast<double>(*state.reply_bytes)) : Number();
     }},
};

constexpr OwnFamily kState =
    gauge("winperf_exporter_provider_state",
          "Whether the provider is in this state: 1 for one of them, 0 for the others.", "state");
constexpr OwnFamily kError =
    gauge("winperf_exporter_provider_error_info",
          "Why the last query gave nothing, while that is so; the value is always 1.", "reason");
constexpr OwnFamily kHarm =
    counter("winperf_exporter_provider_harm_total",
            "How often the provider, in the DLL that is named, did harm to the process that ran "
            "it, as far as that is known.",
            "library");

// All of them, so that none is ever absent.
void add_standings(SeriesSink& sink, const ProviderState& state) {
  for (std::size_t i = 0; i < kProviderStandingCount; ++i) {
    const auto standing = static_cast<ProviderStanding>(i);
    sink.add(kState, {state.provider, name_of(standing)}, state.standing == standing ? 1 : 0);
  }
}

}  // namespace

OwnMetrics provider_metrics(const Sample& sample) {
  return OwnMetrics([&providers = sample.providers](SeriesSink& sink) {
    for (const ProviderState& state : providers) add_standings(sink, state);
    for (const ProviderState& state : providers)
      if (state.error) sink.add(kError, {state.provider, name_of(state.error->code)}, 1);
    for (const ProviderState& state : providers)
      if (state.harms != 0)
        sink.add(kHarm, {state.provider, state.library}, static_cast<double>(state.harms));
    add_numbers(sink, kNumbers, providers, [](const ProviderState& state) {
      return std::array<std::string_view, 1>{state.provider};
    });
  });
}

}  // namespace winperf

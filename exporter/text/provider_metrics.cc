#include "exporter/text/provider_metrics.h"

#include <optional>
#include <string>
#include <utility>

#include "exporter/text/own_families.h"

namespace winperf {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using Type = prometheus::MetricType;

constexpr const char* kLabel = "provider";

constexpr OwnDefinition<ProviderState> kDefinitions[] = {
    {.name = "winperf_exporter_provider_quarantine_seconds",
     .help = "For how long the provider will not be asked, because it was lost; otherwise 0.",
     .value = [](const ProviderState& state) { return std::optional(state.quarantine_seconds); }},
    {.name = "winperf_exporter_provider_apart_seconds",
     .help = "For how long the provider will be kept apart from the others for harm that it did; "
             "otherwise 0.",
     .value = [](const ProviderState& state) { return std::optional(state.apart_seconds); }},
    {.name = "winperf_exporter_provider_queries_total",
     .help = "Queries for objects of the provider.",
     .type = Type::Counter,
     .value =
         [](const ProviderState& state) {
           return std::optional(static_cast<double>(state.queries));
         }},
    {.name = "winperf_exporter_provider_failures_total",
     .help = "Queries to which the provider gave nothing, also because it was in quarantine.",
     .type = Type::Counter,
     .value =
         [](const ProviderState& state) {
           return std::optional(static_cast<double>(state.failures));
         }},
    {.name = "winperf_exporter_provider_query_seconds",
     .help = "How long the provider worked on its last query.",
     .value = [](const ProviderState& state) { return state.query_seconds; }},
    {.name = "winperf_exporter_provider_reply_bytes",
     .help = "Size of the provider's last reply.",
     .value =
         [](const ProviderState& state) {
           return state.reply_bytes ? std::optional(static_cast<double>(*state.reply_bytes))
                                    : std::nullopt;
         }},
};

constexpr const char* kState = "winperf_exporter_provider_state";
constexpr const char* kError = "winperf_exporter_provider_error_info";
constexpr const char* kHarm = "winperf_exporter_provider_harm_total";

// All states, so that none of them is ever absent.
MetricFamily standings(const Sample& sample) {
  MetricFamily result = own_family(
      kState, "Whether the provider is in this state: 1 for one of them, 0 for the others.",
      Type::Gauge);
  for (const ProviderState& state : sample.providers) {
    for (std::size_t i = 0; i < kProviderStandingCount; ++i) {
      const auto standing = static_cast<ProviderStanding>(i);
      ClientMetric one =
          own_metric(kLabel, state.provider, Type::Gauge, state.standing == standing ? 1 : 0);
      one.label.push_back({"state", std::string(name_of(standing))});
      result.metric.push_back(std::move(one));
    }
  }
  return result;
}

MetricFamily errors(const Sample& sample) {
  MetricFamily result = own_family(
      kError, "Why the last query gave nothing, while that is so; the value is always 1.",
      Type::Gauge);
  for (const ProviderState& state : sample.providers) {
    if (!state.error) continue;
    ClientMetric one = own_metric(kLabel, state.provider, Type::Gauge, 1);
    one.label.push_back({"reason", std::string(name_of(state.error->code))});
    result.metric.push_back(std::move(one));
  }
  return result;
}

MetricFamily harms(const Sample& sample) {
  MetricFamily result = own_family(
      kHarm,
      "How often the provider, in the DLL that is named, did harm to the process that ran it, as "
      "far as that is known.",
      Type::Counter);
  for (const ProviderState& state : sample.providers) {
    if (state.harms == 0) continue;
    ClientMetric one =
        own_metric(kLabel, state.provider, Type::Counter, static_cast<double>(state.harms));
    one.label.push_back({"library", state.library});
    result.metric.push_back(std::move(one));
  }
  return result;
}

}  // namespace

std::vector<MetricFamily> provider_metrics(const Sample& sample, const PageSelection& selection) {
  std::vector<MetricFamily> families;
  if (selection.has_name(kState)) families.push_back(standings(sample));
  if (selection.has_name(kError)) families.push_back(errors(sample));
  if (selection.has_name(kHarm)) families.push_back(harms(sample));
  add_own_families(families, selection, kDefinitions, sample.providers, kLabel,
                   &ProviderState::provider);
  return families;
}

}  // namespace winperf

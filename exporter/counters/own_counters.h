// The table of the exporter's own counters: both objects and, in exporter_rows.h and
// counterset_rows.h, their counters. Rows are only ever added at an object's end, so that what an
// older or a newer version publishes can be read.
// Thread rule: constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "exporter/counters/counter_row.h"
#include "exporter/counters/counterset_rows.h"
#include "exporter/counters/exporter_rows.h"

namespace winperf::own {

inline constexpr ObjectRow kExporterObject{
    .symbol = "EXPORTER",
    .has_instances = false,
    .default_counter = index_of(ExporterValue::kAttempts),
    .english = {"winperf_exporter",
                "The health of winperf_exporter, which serves performance counters to Prometheus. "
                "Absent while the service does not run."},
    .german = {"winperf_exporter",
               "Der Zustand von winperf_exporter, der Leistungsindikatoren für Prometheus "
               "bereitstellt. Fehlt, solange der Dienst nicht läuft."},
    .french = {"winperf_exporter",
               "L'état de winperf_exporter, qui fournit des compteurs de performance à Prometheus. "
               "Absent tant que le service est arrêté."},
    .counters = kExporterRows,
};

inline constexpr ObjectRow kCountersetObject{
    .symbol = "COUNTERSET",
    .has_instances = true,
    .default_counter = index_of(CountersetValue::kAttempts),
    .english = {"winperf_exporter counterset",
                "The countersets that winperf_exporter samples, by their names in its "
                "configuration."},
    .german = {"winperf_exporter-Indikatorensatz",
               "Die Indikatorensätze, die winperf_exporter abfragt, unter ihren Namen in seiner "
               "Konfiguration."},
    .french = {"Jeu de compteurs winperf_exporter",
               "Les jeux de compteurs que winperf_exporter interroge, sous le nom qu'ils ont dans "
               "sa configuration."},
    .counters = kCountersetRows,
};

// In the order of their symbols' offsets.
inline constexpr const ObjectRow* kObjects[] = {&kExporterObject, &kCountersetObject};

// The offset of an object's name from First Counter, and of its help from First Help; its counters
// follow in the order of their rows.
constexpr std::uint32_t title_offset(const ObjectRow& object) {
  return &object == &kExporterObject ? 0 : 2 * static_cast<std::uint32_t>(kExporterRows.size() + 1);
}
constexpr std::uint32_t title_offset(const ObjectRow& object, std::size_t row) {
  return title_offset(object) + 2 * static_cast<std::uint32_t>(row + 1);
}

// The row whose metric has this name, or null.
constexpr const CounterRow* row_of_metric(std::string_view metric) {
  for (const ObjectRow* const object : kObjects)
    for (const CounterRow& row : object->counters)
      if (row.metric != nullptr && metric == row.metric) return &row;
  return nullptr;
}

}  // namespace winperf::own

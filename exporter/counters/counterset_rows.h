// The counters of the object "winperf_exporter counterset", in the order of ids and titles, which
// is that of the values in the shared section. Thread rule: constants.
#pragma once

#include <array>
#include <cstddef>

#include "exporter/counters/counter_row.h"

namespace winperf::own {

enum class CountersetValue : std::size_t {
  kState,
  kSampledAt,
  kAttempts,
  kFailures,
  kFailuresBase,
  kDuration,
  kDurationBase,
  kBusy,
  kReplyBytes,
  kValues,
  kMissing,
  kProblems,
};
constexpr std::size_t index_of(CountersetValue value) { return static_cast<std::size_t>(value); }

inline constexpr std::array kCountersetRows{
    CounterRow{
        .symbol = "STATE",
        .type = OwnType::kRawCount,
        .bytes = 4,
        .scale = 1,
        .detail = Detail::kNovice,
        .english =
            {"State",
             "0: not sampled so far, 1: sampled, 2: the last attempt failed, 3: absent on this "
             "machine, 4: the sample is stale."},
        .german = {"Zustand",
                   "0: noch nicht abgefragt, 1: abgefragt, 2: letzter Versuch fehlgeschlagen, 3: "
                   "auf diesem Computer nicht vorhanden, 4: Werte veraltet."},
        .french = {"État",
                   "0 : pas encore interrogé, 1 : interrogé, 2 : dernière tentative échouée, 3 : "
                   "absent de cette machine, 4 : valeurs périmées."}},
    CounterRow{
        .symbol = "AGE",
        .type = OwnType::kElapsedTime,
        .bytes = 8,
        .scale = 0,
        .detail = Detail::kNovice,
        .english = {"Age",
                    "Time since the current sample was taken or, while there is none, since the "
                    "exporter started, in seconds."},
        .german = {"Alter",
                   "Zeit seit der aktuellen Abfrage oder, solange es keine gibt, seit dem Start "
                   "des Exporters, in Sekunden."},
        .french =
            {"Âge",
             "Temps écoulé depuis l'interrogation actuelle ou, tant qu'il n'y en a pas, depuis "
             "le démarrage de l'exportateur, en secondes."}},
    CounterRow{.symbol = "CS_SAMPLES",
               .type = OwnType::kBulkCount,
               .bytes = 8,
               .scale = 1,
               .detail = Detail::kNovice,
               .english = {"Samples/sec", "Attempts to sample the counterset."},
               .german = {"Abfragen/s", "Versuche, den Indikatorensatz abzufragen."},
               .french = {"Interrogations/s", "Tentatives d'interrogation du jeu de compteurs."}},
    CounterRow{.symbol = "CS_FAILED_SAMPLES",
               .type = OwnType::kSampleFraction,
               .bytes = 4,
               .scale = 0,
               .detail = Detail::kNovice,
               .english = {"% Failed Samples", "Failed attempts to sample the counterset."},
               .german = {"Fehlgeschlagene Abfragen (%)",
                          "Fehlgeschlagene Versuche, den Indikatorensatz abzufragen."},
               .french = {"% d'interrogations échouées",
                          "Tentatives échouées d'interrogation du jeu de compteurs."}},
    CounterRow{.symbol = "CS_FAILED_SAMPLES_BASE",
               .type = OwnType::kSampleBase,
               .bytes = 4,
               .scale = 0,
               .detail = Detail::kAdvanced,
               .english = {"% Failed Samples Base", "Base of % Failed Samples: attempts."},
               .german = {"Fehlgeschlagene Abfragen (%), Basis",
                          "Basis von „Fehlgeschlagene Abfragen (%)“: Versuche."},
               .french = {"Base de % d'interrogations échouées",
                          "Base de « % d'interrogations échouées » : tentatives."}},
    CounterRow{
        .symbol = "CS_DURATION",
        .type = OwnType::kAverageTimer,
        .bytes = 8,
        .scale = 3,
        .detail = Detail::kNovice,
        .english =
            {"Avg. Sample Duration",
             "Average duration of an attempt, with a query that several countersets share, in "
             "seconds."},
        .german = {"Mittlere Abfragedauer",
                   "Mittlere Dauer eines Versuchs, einschließlich einer Anfrage, die sich mehrere "
                   "Indikatorensätze teilen, in Sekunden."},
        .french = {"Durée moyenne d'interrogation",
                   "Durée moyenne d'une tentative, y compris une requête que plusieurs jeux de "
                   "compteurs partagent, en secondes."}},
    CounterRow{
        .symbol = "CS_DURATION_BASE",
        .type = OwnType::kAverageBase,
        .bytes = 4,
        .scale = 0,
        .detail = Detail::kAdvanced,
        .english = {"Avg. Sample Duration Base", "Base of Avg. Sample Duration: attempts."},
        .german = {"Mittlere Abfragedauer, Basis", "Basis von „Mittlere Abfragedauer“: Versuche."},
        .french = {"Base de Durée moyenne d'interrogation",
                   "Base de « Durée moyenne d'interrogation » : tentatives."}},
    CounterRow{.symbol = "CS_SAMPLING_TIME",
               .type = OwnType::kTimer100ns,
               .bytes = 8,
               .scale = 0,
               .detail = Detail::kAdvanced,
               .english = {"% Sampling Time",
                           "Share of the time in which the counterset was being sampled."},
               .german = {"Abfragezeit (%)",
                          "Anteil der Zeit, in der der Indikatorensatz abgefragt wurde."},
               .french = {"% temps d'interrogation",
                          "Part du temps pendant laquelle le jeu de compteurs était interrogé."}},
    CounterRow{
        .symbol = "CS_REPLY_BYTES",
        .type = OwnType::kLargeRawCount,
        .bytes = 8,
        .scale = -3,
        .detail = Detail::kNovice,
        .english =
            {"Reply Bytes",
             "Size of the last reply, or of the counterset's part of a shared one, in bytes."},
        .german = {"Größe der Antwort (Bytes)",
                   "Größe der letzten Antwort oder, wenn sie mehreren gemeinsam ist, des Anteils "
                   "dieses Indikatorensatzes, in Bytes."},
        .french =
            {"Octets de réponse",
             "Taille de la dernière réponse, ou de la part du jeu de compteurs dans une réponse "
             "partagée, en octets."},
        .metric = "winperf_exporter_counterset_sample_bytes"},
    CounterRow{.symbol = "CS_VALUES",
               .type = OwnType::kLargeRawCount,
               .bytes = 8,
               .scale = -1,
               .detail = Detail::kNovice,
               .english = {"Values", "Values in the current sample."},
               .german = {"Werte", "Werte der aktuellen Abfrage."},
               .french = {"Valeurs", "Valeurs de l'interrogation actuelle."}},
    CounterRow{
        .symbol = "CS_MISSING_VALUES",
        .type = OwnType::kLargeRawCount,
        .bytes = 8,
        .scale = 0,
        .detail = Detail::kAdvanced,
        .english = {"Missing Values", "Values of the current sample that could not be computed."},
        .german = {"Fehlende Werte",
                   "Werte der aktuellen Abfrage, die nicht berechnet werden konnten."},
        .french = {"Valeurs manquantes",
                   "Valeurs de l'interrogation actuelle qui n'ont pas pu être calculées."},
        .metric = "winperf_exporter_values_missing"},
    CounterRow{.symbol = "CS_PROBLEMS",
               .type = OwnType::kLargeDelta,
               .bytes = 8,
               .scale = 1,
               .detail = Detail::kNovice,
               .english = {"Problems", "Problems found in the system's data."},
               .german = {"Probleme", "In den Daten des Systems gefundene Probleme."},
               .french = {"Problèmes", "Problèmes trouvés dans les données du système."},
               .metric = "winperf_exporter_problems_total"},
};
static_assert(kCountersetRows.size() == index_of(CountersetValue::kProblems) + 1);

}  // namespace winperf::own

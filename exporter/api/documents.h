// Documents about the machine and the page, and the description of all documents. Thread rule: pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "collectors/facts/fact_state.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/history.h"
#include "exporter/text/own_metrics.h"

namespace winperf::api {

// GET /api/v1/machine: which machine this is, as far as its facts (docs/facts.md) and counters have
// it; what they don't have is null.
//   {"name", "domain", "os": {"product", "version", "edition", "installation_type"},
//    "exporter": {"version", "revision", "os", "arch"}, "time", "timezone", "utc_offset_seconds",
//    "boot_time", "uptime_seconds", "memory": {"physical_total_bytes", "physical_free_bytes",
//    "commit_limit_bytes", "commit_free_bytes"}, "logical_processors", "clocks": {"perf_time",
//    "perf_frequency", "time_100ns"}, "recorder": {"oldest", "bytes", "budget_bytes"}}
// clocks: of the newest values, as texts, because they have 64 bits. recorder: of what is
// remembered of the machine; null while nothing is.
struct MachineNow {
  SteadyTime steady;
  std::optional<Ticks100ns> wall;
};

// Null if there are none.
struct MachineData {
  const Sample* sample = nullptr;
  const FactSnapshot* facts = nullptr;
  const recorder::History* history = nullptr;
};

// `host`: of a target, which has no facts, and whose clock isn't read; else empty.
std::string machine_document(const MachineData& data, const BuildInfo& build, const MachineNow& now,
                             std::string_view host = {});

// GET /api/v1/families: the page of metrics as JSON.
//   {"families": [{"name": "winperf_memory_available_bytes", "type": "gauge", "unit": "bytes",
//                  "help": "...", "series": [{"name": "...", "labels": {}, "value": 123}]}]}
// A value is the number as the page has it, with all of its digits; "NaN", "+Inf" and "-Inf" are
// texts. unit is null if the name has none. The name of a series is there only if it isn't the
// family's ("x_bucket").
// `page`: in Prometheus' text format, as this program writes it.
std::string family_document(std::string_view page);

// Labels as the page has them, without braces, as an object of texts.
std::string label_object(std::string_view labels);

// GET /api/v1/openapi.json, and docs/openapi.json: the description of the API as OpenAPI 3.1, made
// of the routes (config/routes.inc), their parameters (parameters.inc) and the keys of their
// documents (fields.inc).
std::string openapi_document();

}  // namespace winperf::api

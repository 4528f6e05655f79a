// The option table as a JSON Schema (draft 7), with which editors complete and check a
// configuration while it is written.
#pragma once

#include <string>

namespace winperf {

// The text of winperf_exporter.schema.json, with a line end at its end.
std::string config_json_schema();

}  // namespace winperf

// The option table as a JSON Schema (draft 7), which editors use to complete and check a
// configuration as it is written. The program doesn't need it: config_files_test compares it with
// the file in config/, and writes that file when asked to.
#pragma once

#include <string>

namespace winperf {

// The text of winperf_exporter.schema.json, including the last line break.
std::string config_json_schema();

}  // namespace winperf

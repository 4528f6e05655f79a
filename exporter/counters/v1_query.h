// What a consumer requests of the extension DLL: the text that Collect receives.
//
// "Global", or no text, requests both objects, and a list of decimal title indices those that it
// names; words in it that aren't indices, and numbers above 32 bits, are ignored. "MetadataGlobal"
// requests the definitions alone. "Costly" and "MetadataCostly" (nothing here is), "Foreign ..."
// (another machine) request nothing, whatever follows. The prefix OLD_ leaves out V2 providers,
// which means nothing to a V1 provider. Case does not matter.
//
// Not validated: that the text ends with a NUL, which is the caller's part of the contract.
// Compiled into the DLL (counter_row.h). Thread rule: values.
// Source: Learn, PM_COLLECT_PROC, and "Using the Registry Functions to Consume Counter Data".
#pragma once

#include <cstdint>

namespace winperf::own {

struct V1Query {
  bool exporter = false;     // the object "winperf_exporter"
  bool countersets = false;  // the object "winperf_exporter counterset"
  bool metadata = false;     // of these, only the definitions

  bool wants_anything() const { return exporter || countersets; }
};

// `text` may be null. `first_counter`: the title index of the first object.
V1Query read_v1_query(const char16_t* text, std::uint32_t first_counter);

}  // namespace winperf::own

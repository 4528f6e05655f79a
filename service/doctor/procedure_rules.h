// Compares the functions that a V1 provider's registration names with those that its DLL exports.
// Windows looks a function up by exactly the registered name, and disables the provider if one of
// them is missing. Open and Close are optional. Internal to this room.
// Thread rule: any thread.
// Source: Learn, "Creating a Performance Extension DLL".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/diagnosis/facts.h"

namespace winperf {

// A function that is registered but not exported.
struct MissingProcedure {
  std::string_view value;  // "Open", "Collect" or "Close"
  std::string name;        // as registered
  // What the DLL exports instead, if it looks like the same function: the name as decorated by a
  // compiler, or with different upper and lower case.
  std::string decorated{};
  std::string other_case{};
};

// None if it is unknown what the DLL exports. If only some of its names are unknown, the functions
// that it exports in another form.
std::vector<MissingProcedure> missing_procedures(const ProviderFacts& provider);
// Why the exported names are unknown, all or some of them.
std::optional<Error> unknown_exports(const LibraryFile& file);

// `KEY: Open = "OpenThings", which the DLL exports as "_OpenThings@4"`.
std::string describe(const MissingProcedure& missing, const ProviderFacts& provider);

}  // namespace winperf

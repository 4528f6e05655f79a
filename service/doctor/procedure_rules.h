// The functions that a V1 provider's registration names, held against those that its DLL exports.
// The system finds a function by exactly the registered name; where it finds one of them not, it
// disables the provider. Open and Close need not be registered. Internal to this room.
// Thread rule: any thread.
// Source: Learn, "Creating a Performance Extension DLL".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/diagnosis/facts.h"

namespace winperf {

// A function that is registered and not exported.
struct MissingProcedure {
  std::string_view value;  // "Open", "Collect" or "Close"
  std::string name;        // as registered
  // What the DLL exports instead, where it looks like the same function: the name as a compiler has
  // decorated it, or in other upper and lower case.
  std::string decorated{};
  std::string other_case{};
};

// None where it is not known what the DLL exports; where some of its names are not, only those of
// which it exports another form.
std::vector<MissingProcedure> missing_procedures(const ProviderFacts& provider);
// Why it is not known, or not of all names.
std::optional<Error> unknown_exports(const LibraryFile& file);

// `KEY: Open = "OpenThings", which the DLL exports as "_OpenThings@4"`.
std::string describe(const MissingProcedure& missing, const ProviderFacts& provider);

}  // namespace winperf

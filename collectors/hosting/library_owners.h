// Which providers a module on a stack belongs to, by the name of its file.
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectors/provider/registration.h"

namespace winperf {

// The file that a registration's library is, without its folder: "perfos.dll". In lower case.
[[nodiscard]] std::string library_file(const ProviderRegistration& provider);

// Those whose library is the outermost module that is anybody's, which the system has called;
// several may have the same library. `modules`: file names, the innermost first.
[[nodiscard]] std::vector<const ProviderRegistration*> owners_of(
    const std::vector<std::string>& modules, const std::vector<ProviderRegistration>& providers);

}  // namespace winperf

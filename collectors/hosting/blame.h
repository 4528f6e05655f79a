// Whose fault it is: what an error and the modules on a stack say about that.
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/provider/registration.h"

namespace winperf {

// An error as it is said of a provider. `name`: the provider's, static text. Places in its own work
// are said; how it was asked is known from its name.
[[nodiscard]] Error named_after(Error error, const char* name);

// The file that a registration's library is, without its folder: "perfos.dll". In lower case.
[[nodiscard]] std::string library_file(const ProviderRegistration& provider);

// Those whose library is the outermost module that is anybody's, which the system has called;
// several may have the same library. `modules`: file names, the innermost first.
[[nodiscard]] std::vector<const ProviderRegistration*> owners_of(
    const std::vector<std::string>& modules, const std::vector<ProviderRegistration>& providers);

}  // namespace winperf

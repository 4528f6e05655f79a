// Loads a provider's DLL and finds its functions. Thread rule: one thread.
// Source: winperf.h, PM_OPEN_PROC, PM_COLLECT_PROC, PM_CLOSE_PROC.
#pragma once

#include <expected>
#include <memory>

#include "collectors/model/error.h"
#include "collectors/provider/provider_machine.h"

namespace winperf {

// Errors: those of ProviderMachine::load().
[[nodiscard]] std::expected<std::unique_ptr<ProviderLibrary>, Error> load_provider_library(
    const ProviderRegistration& provider);

}  // namespace winperf

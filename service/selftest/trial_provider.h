// The trial provider as a machine's only providers: a service for each harm (trial/trial_words.h),
// all in the one DLL beside the program. The registry doesn't know them.
//
// Workers named kTrialWorker and a service's name host them as they host a registered provider.
// Errors: as for ProviderMachine. Thread rule: one thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "collectors/provider/provider_machine.h"
#include "service/selftest/trial/trial_words.h"

namespace winperf::selftest {

inline constexpr char kTrialWorker[] = "trial:";  // before a service's name
inline constexpr char kTrialLibrary[] = "winperf_exporter_trial.dll";

// "none", "crash", ...: as services are called, after "trial_".
std::string word_of(trial::Harm harm);
std::string trial_service(trial::Harm harm);

// `folder`: of the program. `machine`: what loads libraries; null: nothing can be loaded.
std::unique_ptr<ProviderMachine> trial_machine(const std::filesystem::path& folder,
                                               std::unique_ptr<ProviderMachine> machine);

}  // namespace winperf::selftest

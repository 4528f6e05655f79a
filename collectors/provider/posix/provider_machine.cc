#include "collectors/provider/provider_machine.h"

namespace winperf {

std::unique_ptr<ProviderMachine> make_provider_machine() { return nullptr; }

}  // namespace winperf

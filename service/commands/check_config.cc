#include <iostream>

#include "service/commands/commands.h"
#include "service/commands/common.h"
#include "service/exit_code.h"

namespace winperf {

int check_config(const CheckConfigOptions& options) {
  const auto config = load_config(options.file);
  if (!config) return kExitUsage;
  std::cout << options.file << ": valid\n"
            << "listen " << config->listen.address << " port " << config->listen.port << '\n';
  for (const CountersetConfig& counterset : config->countersets) {
    std::cout << "every " << counterset.interval.count() << " ms: ";
    for (std::size_t i = 0; i < counterset.names.size(); ++i)
      std::cout << (i == 0 ? "" : " or ") << counterset.names[i];
    std::cout << '\n';
  }
  return kExitOk;
}

}  // namespace winperf

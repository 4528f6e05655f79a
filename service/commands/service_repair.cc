#include "service/commands/service_repair.h"

#include "collectors/base/os_code.h"
#include "collectors/base/printable.h"
#include "service/run/start_diagnosis.h"
#include "service/scm/service_control.h"

namespace winperf {
std::expected<ServiceRequest, std::string> request_to_repair(ServiceManager& manager,
                                                             const std::string& name) {
  const auto facts = manager.facts(name);
  if (facts && !is_own_command_line(facts->command_line))
    return std::unexpected(name +
                           ": not repaired: the service of this name runs another program: " +
                           printable(facts->command_line));
  if (facts)
    return ServiceRequest{.name = name,
                          .config_file = config_file_in(split_command_line(facts->command_line)),
                          .account = facts->account,
                          .start = facts->start};
  if (facts.error().code != value_of(OsCode::kServiceDoesNotExist))
    return std::unexpected(name + ": not repaired: " + explain(facts.error()));
  const auto remembered = manager.remembered();
  if (!remembered)
    return std::unexpected(name +
                           ": not repaired: there is no such service, and no installer remembers "
                           "one: use \"service install\"");
  return ServiceRequest{
      .name = name, .config_file = remembered->config_file, .account = remembered->account};
}

}  // namespace winperf

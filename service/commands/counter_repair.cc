#include "service/commands/counter_repair.h"

#include <iostream>
#include <string>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "config/config.h"
#include "service/commands/command.h"
#include "service/commands/counter_road.h"
#include "service/console/hidden_line.h"
#include "service/scm/counter_registration.h"
#include "service/scm/service_control.h"
#include "service/scm/service_definition.h"

namespace winperf {
namespace {

bool is_agreed() {
  std::cout << "Continue? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return equal_names(answer, "y") || equal_names(answer, "yes");
}

void say_intention(const CounterFacts& facts, CounterRoad road, const std::string& executable) {
  std::cout << printable("own counters now: " + registration_text(facts)) << '\n';
  if (road == CounterRoad::kNone)
    std::cout << "Windows will remove them (unlodctr), because own_counters is none.\n";
  else
    std::cout << printable(
                     "Windows will remove them (unlodctr) and register them again (lodctr) by " +
                     std::string(name_of(road)) + ", from the files beside " + executable)
              << ".\n";
}

}  // namespace

int repair_counters(bool is_confirmed) {
  const auto manager = open_service_manager();
  if (!manager) return fail(manager.error());
  const auto registrar = open_counter_registrar();
  if (!registrar) return fail(registrar.error());
  const InstalledProgram program = installed_program(**manager);
  if (!program.is_installed)
    return fail("the service " + std::string(kServiceName) +
                " is not installed, so there are no counters to register; what an earlier one has "
                "left is removed by \"service uninstall\"");
  const auto config = load_or_complain(program.config_file);
  if (!config) return config.error();
  const auto facts = (*registrar)->facts();
  if (!facts) return fail("the registration cannot be read: " + explain(facts.error()));
  const CounterRoad road = road_of(*config);
  say_intention(*facts, road, program.executable);
  if (!is_confirmed && !is_typed())
    return fail("nothing was changed; confirm it with --yes", kExitUsage);
  if (!is_confirmed && !is_agreed()) return fail("nothing was changed");
  const int code = register_counters(**registrar,
                                     {.service = kServiceName,
                                      .road = road,
                                      .executable = program.executable,
                                      .is_explicit = true,
                                      .anew = true},
                                     {.out = std::cout, .err = std::cerr});
  return code == kExitOk ? kExitOk : kExitFailure;
}

}  // namespace winperf

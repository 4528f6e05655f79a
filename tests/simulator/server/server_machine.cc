#include "tests/simulator/server/server_machine.h"

#include <cstdlib>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulator/server/more_rows.h"
#include "tests/simulator/server/parse.h"
#include "tests/simulator/server/server_provider.h"
#include "tests/simulator/server/texts.h"

namespace winperf::simulator {
namespace {

// Title indices of what was installed later: above those of the system, below those that the
// machine gives to V2 countersets.
constexpr std::uint32_t kFirstTitle = 7000;

void complain(const std::string& error) {
  std::cerr << error << std::endl;
  std::exit(2);
}

// One for each name, as a product's symbols have it.
void number_titles(ServerProvider& provider, std::uint32_t& next) {
  std::map<std::string, std::uint32_t> titles;
  const auto title_of = [&](const std::string& name) {
    const auto [title, is_new] = titles.try_emplace(name, next);
    if (is_new) next += 2;
    return title->second;
  };
  for (ServerObject& object : provider.objects) {
    if (object.number == 0) object.number = title_of(object.name);
    for (ServerCounter& counter : object.counters)
      if (counter.number == 0) counter.number = title_of(counter.name);
  }
}

ServerData data_of(std::span<const ServerText> texts, Health health) {
  std::list<std::string> kept;
  std::vector<ServerText> in_that_health;
  for (const ServerText& text : texts)
    in_that_health.push_back(
        {text.file, kept.emplace_back(in_health(health, text.file, text.text))});
  auto data = parse_server(in_that_health);
  if (!data) complain(data.error());
  std::uint32_t next = kFirstTitle;
  for (ServerProvider& provider : data->providers)
    if (!provider.is_v2) number_titles(provider, next);
  return *std::move(data);
}

void add_providers(const SharedServer& server, Machine& machine) {
  std::set<std::uint32_t> named;
  for (const ServerProvider& provider : server->data->providers) {
    if (provider.is_v2) {
      machine.add(v2_provider(server, provider));
    } else {
      machine.add(v1_provider(server, provider, named));
    }
  }
}

}  // namespace

ServerData server_data(const ServerKind& kind) {
  ServerData data = data_of(server_texts(), kind.health);
  if (kind.has_hostile_names) add_hostile_names(data);
  if (kind.processes != 0) add_processes(data, kind.processes);
  return data;
}
ServerData usual_server_data() { return data_of(usual_server_texts(), Health::kWell); }

void furnish_server(Machine& machine, std::int64_t boot_100ns, const ServerKind& kind) {
  add_providers(std::make_shared<const ServerMachine>(
                    ServerMachine{.machine = machine,
                                  .data = std::make_shared<const ServerData>(server_data(kind)),
                                  .boot_100ns = boot_100ns}),
                machine);
}

void furnish_server(Machine& machine, std::shared_ptr<const ServerData> data) {
  add_providers(std::make_shared<const ServerMachine>(
                    ServerMachine{.machine = machine, .data = std::move(data), .boot_100ns = {}}),
                machine);
}

}  // namespace winperf::simulator

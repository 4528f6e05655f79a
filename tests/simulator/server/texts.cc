#include "tests/simulator/server/texts.h"

#include <array>

namespace winperf::simulator {

std::span<const ServerText> server_texts() {
  static const std::array texts{
      // Of the system.
      ServerText{"machine.counters", machine_counters()},
      ServerText{"system.counters", system_counters()},
      ServerText{"disks.counters", disks_counters()},
      ServerText{"network.counters", network_counters()},
      ServerText{"process.counters", process_counters()},
      // Of products.
      ServerText{"files.counters", files_counters()},
      ServerText{"remote_desktop.counters", remote_desktop_counters()},
      ServerText{"gpu.counters", gpu_counters()},
      ServerText{"iis.counters", iis_counters()},
      ServerText{"netframework.counters", netframework_counters()},
      ServerText{"mssql.counters", mssql_counters()},
      ServerText{"ad.counters", ad_counters()},
      ServerText{"dns_dhcp.counters", dns_dhcp_counters()},
      ServerText{"hyperv.counters", hyperv_counters()},
      ServerText{"hyperv_devices.counters", hyperv_devices_counters()},
      ServerText{"exchange.counters", exchange_counters()},
      ServerText{"services.counters", services_counters()},
  };
  return texts;
}

std::span<const ServerText> usual_server_texts() {
  constexpr std::size_t kOfSystem = 5;
  return server_texts().first(kOfSystem);
}

}  // namespace winperf::simulator

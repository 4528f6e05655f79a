// The files *.counters of this folder, as they were when the executable was built.
#pragma once

#include <span>
#include <string_view>

#include "tests/simulator/server/parse.h"

namespace winperf {

// Each is the text of a file; CMakeLists.txt makes these functions.
std::string_view machine_counters();
std::string_view system_counters();
std::string_view disks_counters();
std::string_view network_counters();
std::string_view process_counters();
std::string_view files_counters();
std::string_view remote_desktop_counters();
std::string_view gpu_counters();
std::string_view iis_counters();
std::string_view netframework_counters();
std::string_view mssql_counters();
std::string_view ad_counters();
std::string_view dns_dhcp_counters();
std::string_view hyperv_counters();
std::string_view hyperv_devices_counters();
std::string_view exchange_counters();
std::string_view services_counters();

namespace simulator {

// The tables first, which the others use.
std::span<const ServerText> server_texts();
// Those of the system itself, without the products.
std::span<const ServerText> usual_server_texts();

}  // namespace simulator
}  // namespace winperf

#include "exporter/http/host_names.h"

#include <windows.h>

#include <array>

#include "collectors/base/win/wide.h"
namespace winperf {

std::vector<std::string> names_of_this_machine() {
  std::vector<std::string> names;
  for (const COMPUTER_NAME_FORMAT format :
       {ComputerNameDnsHostname, ComputerNameDnsFullyQualified, ComputerNameNetBIOS}) {
    std::array<wchar_t, 512> name{};
    auto size = static_cast<DWORD>(name.size());
    if (GetComputerNameExW(format, name.data(), &size) != 0)
      names.push_back(to_utf8({name.data(), size}));
  }
  return names;
}

}  // namespace winperf

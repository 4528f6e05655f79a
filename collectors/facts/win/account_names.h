// Names of accounts, each of which is looked up once: a domain controller may have to be asked.
// Thread rule: one thread.
#pragma once

#include <windows.h>

#include <map>
#include <string>

namespace winperf {

class AccountNames {
 public:
  // "DOMAIN\account"; empty if nobody knows the name.
  const std::string& of(PSID sid);

 private:
  std::map<std::string, std::string> names_;  // by the bytes of the SID
};

}  // namespace winperf

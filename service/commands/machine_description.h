// What a capture says of the machine that it is made on, and what a scrubbed one must not say.
// Nothing here fails: what can't be found out is left out. Thread rule: any thread.
#pragma once

#include <string>
#include <vector>

namespace winperf {

struct MachineDescription {
  // "Windows 10.0.20348, locale en-US"; empty where it can't be told.
  std::string system;
  // Of the machine and its domain, the account that runs this program, and of those that have a
  // profile here. A capture names them where programs name instances after them.
  std::vector<std::u16string> names;
};

MachineDescription describe_this_machine();

}  // namespace winperf

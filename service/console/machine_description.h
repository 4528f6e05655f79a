// What a capture records about its machine, and names that a scrubbed one must not contain. Never
// fails: unknown values are empty. Thread rule: any thread.
#pragma once

#include <string>
#include <vector>

namespace winperf {

struct MachineDescription {
  // "Windows 10.0.20348, locale en-US"; empty if unknown.
  std::string system;
  // The machine, its domain, the account that runs this program, and the accounts with a profile
  // here. They appear in captures, because programs name instances after them.
  std::vector<std::u16string> names;
};

MachineDescription describe_this_machine();

}  // namespace winperf

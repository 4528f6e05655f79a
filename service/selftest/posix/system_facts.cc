#include "service/selftest/system_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "service/selftest/selftest.h"

namespace winperf::selftest {
namespace {

void add_system_number(FactGroup& group, const char* name, int what) {
  errno = 0;
  const long value = sysconf(what);
  if (value >= 0)
    group.add(name, static_cast<std::uint64_t>(value));
  else
    group.lacks(name,
                errno == 0 ? "the system does not say" : std::generic_category().message(errno));
}

FactGroup system_group() {
  FactGroup group{.name = "windows"};
  utsname names{};
  if (uname(&names) == 0) {
    group.add("product", std::string(names.sysname) + " (not Windows)");
    group.add("version", names.release);
  } else {
    group.lacks("product", std::generic_category().message(errno));
  }
  group.lacks("build", "this is not Windows");
  return group;
}

}  // namespace

SystemFacts read_system_facts() {
  SystemFacts facts;
  facts.groups.push_back(system_group());
  FactGroup processors{.name = "processors"};
  add_system_number(processors, "logical", _SC_NPROCESSORS_ONLN);
  facts.groups.push_back(std::move(processors));
  FactGroup memory{.name = "memory"};
  add_system_number(memory, "page bytes", _SC_PAGESIZE);
  add_system_number(memory, "pages", _SC_PHYS_PAGES);
  facts.groups.push_back(std::move(memory));
  FactGroup account{.name = "account"};
  account.add("elevated", is_elevated());
  facts.groups.push_back(std::move(account));
  return facts;
}

}  // namespace winperf::selftest

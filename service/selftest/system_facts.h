// Facts about this machine that decide what the program can do on it.
//
// A fact has a name, and either a value or the reason why there is none. read_system_facts() asks
// the system, and never fails as a whole; functions that not every Windows has are looked up at run
// time. What is interpreted is interpreted by pure functions below, on any system. Names of the
// machine and its users are not among the facts. Thread rule: any thread.
// Implemented in win/ and posix/, chosen by CMake.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/selftest/check.h"

namespace winperf::selftest {

struct SystemFact {
  std::string name;
  nlohmann::ordered_json value{};  // null: unknown
  std::string reason{};            // why; empty with a value
};

struct FactGroup {
  std::string name;
  std::vector<SystemFact> facts{};

  void add(std::string fact, nlohmann::ordered_json value) {
    facts.push_back({.name = std::move(fact), .value = std::move(value)});
  }
  void lacks(std::string fact, std::string reason) {
    facts.push_back({.name = std::move(fact), .reason = std::move(reason)});
  }
};

struct SystemFacts {
  std::vector<FactGroup> groups{};

  // Null if it is unknown.
  const nlohmann::ordered_json& value(std::string_view group, std::string_view fact) const;
};

SystemFacts read_system_facts();

// {"windows": {"build": 20348, "revision": null}, "not known": {"windows, revision": "..."}}
nlohmann::ordered_json json_of(const SystemFacts& facts);
// "Windows Server 2022 Datacenter 10.0.20348.1, 8 processors, virtual".
std::string summary_of(const SystemFacts& facts);
// Those by which the program can't do its work.
std::vector<Finding> judge_system(const SystemFacts& facts);

// What a machine's own texts, such as its manufacturer, say about who made it: "Hyper-V", "VMware"
// and so on; empty if they don't tell of a virtual machine.
std::string hypervisor_in(const std::vector<std::string>& texts);
// "low", "medium", "high", "system", or the number. Source: Learn, "Well-known SIDs" (S-1-16-*).
std::string integrity_level(std::uint32_t rid);
// Of the product type in the registry and whether a domain was joined: "workstation", "member
// server", "domain controller" and so on; empty for another type.
std::string machine_role(std::string_view product_type, bool is_in_domain);
// The bits of SYSTEM_CODEINTEGRITY_INFORMATION. Source: Learn, NtQuerySystemInformation.
std::vector<std::string> code_integrity_words(std::uint32_t options);
// What AppLocker does with rules of a kind: "enforced" or "audited", or the number.
std::string enforcement_word(std::uint32_t mode);
// Names of PROCESS_MITIGATION_POLICY; an empty one isn't asked for. Source: Learn, winnt.h.
inline constexpr std::uint32_t kMitigationPolicies = 19;
std::string_view mitigation_name(std::uint32_t policy);

}  // namespace winperf::selftest

#include "service/selftest/system_facts.h"

#include <algorithm>
#include <array>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"

namespace winperf::selftest {
namespace {

constexpr std::uint32_t kOldestBuild = 10'240;  // the first Windows 10
// Of the policies about child processes and signatures.
constexpr std::uint32_t kNoChildProcesses = 1;
constexpr std::uint32_t kMicrosoftOnly = 1;
constexpr std::uint32_t kDriverDisabled = 4;  // SERVICE_DISABLED

struct HypervisorWord {
  std::string_view word;
  std::string_view name;
};
constexpr std::array<HypervisorWord, 15> kHypervisorWords{{
    {"vmware", "VMware"},
    {"virtualbox", "VirtualBox"},
    {"vbox", "VirtualBox"},
    {"innotek", "VirtualBox"},
    {"parallels", "Parallels"},
    {"nutanix", "Nutanix"},
    {"google compute", "Google"},
    {"amazon ec2", "Amazon"},
    {"openstack", "OpenStack"},
    {"hvm domu", "Xen"},
    {"xen", "Xen"},
    {"kvm", "KVM"},
    {"qemu", "QEMU"},
    {"bochs", "Bochs"},
    {"virtual machine", "Hyper-V"},
}};

constexpr std::array<std::string_view, kMitigationPolicies> kMitigationNames{
    "DEP",
    "ASLR",
    "dynamic code",
    "strict handles",
    "system calls",
    "",  // a mask of what is possible
    "extension points",
    "control flow guard",
    "signature",
    "fonts",
    "image load",
    "",  // has no flags
    "payload restriction",
    "child processes",
    "side channels",
    "shadow stack",
    "redirection",
    "pointer authentication",
    "SEHOP"};

constexpr std::array<std::string_view, 14> kIntegrityWords{"code integrity",
                                                           "test signing",
                                                           "policy for programs (UMCI)",
                                                           "policy for programs audits only",
                                                           "excluded paths",
                                                           "test build",
                                                           "pre-production build",
                                                           "kernel debugger",
                                                           "flight build",
                                                           "flighting",
                                                           "HVCI",
                                                           "HVCI audits only",
                                                           "HVCI strict",
                                                           "HVCI of isolated programs"};

bool has_bit(const nlohmann::ordered_json& value, std::uint32_t bits) {
  return value.is_number_unsigned() && (value.get<std::uint64_t>() & bits) != 0;
}

std::string text_of_value(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? value.dump() : std::string();
}

Finding disabled_perflib() {
  return {.sentence = "performance counters are switched off on this machine",
          .details = {{"value",
                       "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib\\Disable "
                       "Performance Counters"},
                      {"repair", "delete the value, or set it to 0"}}};
}

void judge_windows(const SystemFacts& facts, std::vector<Finding>& findings) {
  const auto& build = facts.value("windows", "build");
  if (build.is_number_unsigned() && build.get<std::uint64_t>() < kOldestBuild)
    findings.push_back({.sentence = "this Windows is older than Windows 10 and Server 2016",
                        .details = {{"build", build.dump()}}});
  if (has_bit(facts.value("counters", "disabled"), ~0U)) findings.push_back(disabled_perflib());
  if (facts.value("counters", "kernel driver start") == kDriverDisabled)
    findings.push_back({.sentence = "the driver pcw, which counters of version 2 need, is disabled",
                        .details = {{"repair", "sc.exe config pcw start= boot, and restart"}}});
}

}  // namespace

const nlohmann::ordered_json& SystemFacts::value(std::string_view group,
                                                 std::string_view fact) const {
  static const nlohmann::ordered_json unknown;
  for (const FactGroup& each : groups) {
    if (each.name != group) continue;
    for (const SystemFact& one : each.facts)
      if (one.name == fact) return one.value;
  }
  return unknown;
}

nlohmann::ordered_json json_of(const SystemFacts& facts) {
  auto document = nlohmann::ordered_json::object();
  auto unknown = nlohmann::ordered_json::object();
  for (const FactGroup& group : facts.groups) {
    auto& members = document[group.name] = nlohmann::ordered_json::object();
    for (const SystemFact& fact : group.facts) {
      members[fact.name] = fact.value;
      if (fact.value.is_null()) unknown[group.name + ", " + fact.name] = fact.reason;
    }
  }
  document["not known"] = std::move(unknown);
  return document;
}

std::string summary_of(const SystemFacts& facts) {
  std::string text = text_of_value(facts.value("windows", "product"));
  if (text.empty()) text = "an unknown system";
  const auto add = [&](std::string_view before, std::string_view group, std::string_view fact) {
    if (const std::string value = text_of_value(facts.value(group, fact)); !value.empty())
      text += std::string(before) + value;
  };
  add(" ", "windows", "version");
  add(".", "windows", "revision");
  add(", ", "windows", "installation type");
  add(", ", "language", "system locale");
  if (const auto& count = facts.value("processors", "logical"); count.is_number_unsigned())
    text += ", " + counted(count.get<std::uint64_t>(), "processor");
  add(", ", "machine", "role");
  add(", virtual: ", "machine", "hypervisor");
  return text;
}

std::vector<Finding> judge_system(const SystemFacts& facts) {
  std::vector<Finding> findings;
  // Wine has neither policies nor Windows' own counters.
  if (facts.value("windows", "Wine").is_string()) return findings;
  judge_windows(facts, findings);
  if (has_bit(facts.value("mitigations of this process", "child processes"), kNoChildProcesses))
    findings.push_back({.sentence = "a policy forbids this program to start processes, so it has "
                                    "no workers and reads no counters"});
  if (has_bit(facts.value("mitigations of this process", "signature"), kMicrosoftOnly))
    findings.push_back({.sentence = "a policy lets this program load DLLs of Microsoft alone, so "
                                    "counters of other products are missing"});
  if (facts.value("policies", "services may log on") == false)
    findings.push_back(
        {.sentence = "the right \"Log on as a service\" lacks NT SERVICE\\ALL SERVICES, so the "
                     "service cannot start with its own account",
         .details = {{"repair", "add NT SERVICE\\ALL SERVICES to that policy"}}});
  return findings;
}

std::string hypervisor_in(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::string lower = ascii_lower(text);
    for (const HypervisorWord& each : kHypervisorWords)
      if (lower.find(each.word) != std::string::npos) return std::string(each.name);
  }
  return {};
}

std::string integrity_level(std::uint32_t rid) {
  constexpr std::uint32_t kStep = 0x1000;
  switch (rid) {
    case 0:
      return "untrusted";
    case kStep:
      return "low";
    case 2 * kStep:
      return "medium";
    case 2 * kStep + 0x100:
      return "medium plus";
    case 3 * kStep:
      return "high";
    case 4 * kStep:
      return "system";
    case 5 * kStep:
      return "protected";
    default:
      return std::to_string(rid);
  }
}

std::string machine_role(std::string_view product_type, bool is_in_domain) {
  if (equal_names(product_type, "LanmanNT")) return "domain controller";
  if (equal_names(product_type, "ServerNT"))
    return is_in_domain ? "member server" : "server of a workgroup";
  if (equal_names(product_type, "WinNT"))
    return is_in_domain ? "workstation of a domain" : "workstation";
  return {};
}

std::vector<std::string> code_integrity_words(std::uint32_t options) {
  std::vector<std::string> words;
  for (std::size_t bit = 0; bit < kIntegrityWords.size(); ++bit)
    if ((options >> bit & 1U) != 0) words.emplace_back(kIntegrityWords[bit]);
  return words;
}

std::string enforcement_word(std::uint32_t mode) {
  if (mode == 1) return "enforced";
  return mode == 0 ? "audited" : "mode " + std::to_string(mode);
}

std::string_view mitigation_name(std::uint32_t policy) {
  return policy < kMitigationNames.size() ? kMitigationNames[policy] : std::string_view();
}

}  // namespace winperf::selftest

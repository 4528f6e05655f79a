#include "service/selftest/system_facts.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace winperf::selftest {
namespace {

SystemFacts server() {
  SystemFacts facts;
  FactGroup windows{.name = "windows"};
  windows.add("product", "Windows Server 2022 Datacenter");
  windows.add("version", "10.0.20348");
  windows.add("build", 20'348U);
  windows.lacks("revision", "the registry has no such value");
  facts.groups.push_back(windows);
  FactGroup processors{.name = "processors"};
  processors.add("logical", 8U);
  facts.groups.push_back(processors);
  return facts;
}

void add(SystemFacts& facts, const char* group, const char* fact, nlohmann::ordered_json value) {
  FactGroup one{.name = group};
  one.add(fact, std::move(value));
  facts.groups.push_back(one);
}

TEST(SystemFacts, WithoutAValueHaveAReason) {
  const auto json = json_of(server());
  EXPECT_EQ(json["windows"]["build"], 20'348);
  EXPECT_TRUE(json["windows"].contains("revision"));
  EXPECT_TRUE(json["windows"]["revision"].is_null());
  EXPECT_EQ(json["not known"]["windows, revision"], "the registry has no such value");
  EXPECT_EQ(json["not known"].size(), 1U);
}

TEST(SystemFacts, HaveASummary) {
  SystemFacts facts = server();
  add(facts, "machine", "role", "domain controller");
  EXPECT_EQ(summary_of(facts),
            "Windows Server 2022 Datacenter 10.0.20348, 8 processors, domain controller");
  EXPECT_EQ(summary_of({}), "an unknown system");
}

TEST(SystemFacts, OfThisMachineAreThere) {
  const SystemFacts facts = read_system_facts();
  EXPECT_TRUE(facts.value("processors", "logical").is_number());
  EXPECT_TRUE(facts.value("account", "elevated").is_boolean());
  for (const FactGroup& group : facts.groups)
    for (const SystemFact& fact : group.facts)
      EXPECT_EQ(fact.value.is_null(), !fact.reason.empty()) << group.name << ", " << fact.name;
}

TEST(SystemFacts, ThatAreFineAreNoFindings) {
  SystemFacts facts = server();
  EXPECT_TRUE(judge_system(facts).empty());
  add(facts, "counters", "disabled", 0U);
  add(facts, "mitigations of this process", "child processes", 0U);
  add(facts, "policies", "services may log on", true);
  EXPECT_TRUE(judge_system(facts).empty());
  // What is unknown is not wrong.
  add(facts, "mitigations of this process", "signature", nullptr);
  EXPECT_TRUE(judge_system(facts).empty());
}

TEST(SystemFacts, ThatStopTheProgramAreFindings) {
  const std::vector<std::tuple<const char*, const char*, nlohmann::ordered_json, const char*>>
      cases{{"counters", "disabled", 1U, "performance counters are switched off"},
            {"counters", "kernel driver start", 4U, "pcw"},
            {"mitigations of this process", "child processes", 1U, "no workers"},
            {"mitigations of this process", "signature", 1U, "Microsoft alone"},
            {"policies", "services may log on", false, "Log on as a service"}};
  for (const auto& [group, fact, value, words] : cases) {
    SystemFacts facts = server();
    add(facts, group, fact, value);
    const auto findings = judge_system(facts);
    ASSERT_EQ(findings.size(), 1U) << fact;
    EXPECT_NE(findings[0].sentence.find(words), std::string::npos) << findings[0].sentence;
  }
  SystemFacts wine = server();
  add(wine, "windows", "Wine", "8.0");
  add(wine, "policies", "services may log on", false);
  EXPECT_TRUE(judge_system(wine).empty());
  SystemFacts old;
  add(old, "windows", "build", 9'600U);
  EXPECT_EQ(judge_system(old).size(), 1U);
}

TEST(SystemFacts, KnowVirtualMachinesByTheirTexts) {
  EXPECT_EQ(hypervisor_in({"Microsoft Corporation", "Virtual Machine"}), "Hyper-V");
  EXPECT_EQ(hypervisor_in({"VMware, Inc.", "VMware7,1"}), "VMware");
  EXPECT_EQ(hypervisor_in({"QEMU", "Standard PC"}), "QEMU");
  EXPECT_EQ(hypervisor_in({"Xen", "HVM domU"}), "Xen");
  EXPECT_EQ(hypervisor_in({"Dell Inc.", "PowerEdge R750"}), "");
  EXPECT_EQ(hypervisor_in({}), "");
}

TEST(SystemFacts, KnowIntegrityLevelsAndRoles) {
  EXPECT_EQ(integrity_level(0x3000), "high");
  EXPECT_EQ(integrity_level(0x2000), "medium");
  EXPECT_EQ(integrity_level(0x4000), "system");
  EXPECT_EQ(integrity_level(0x2500), "9472");
  EXPECT_EQ(machine_role("LanmanNT", true), "domain controller");
  EXPECT_EQ(machine_role("servernt", true), "member server");
  EXPECT_EQ(machine_role("ServerNT", false), "server of a workgroup");
  EXPECT_EQ(machine_role("WinNT", false), "workstation");
  EXPECT_EQ(machine_role("", false), "");
}

TEST(SystemFacts, NameTheBitsOfCodeIntegrity) {
  EXPECT_EQ(code_integrity_words(0), std::vector<std::string>{});
  EXPECT_EQ(code_integrity_words(0x405),
            (std::vector<std::string>{"code integrity", "policy for programs (UMCI)", "HVCI"}));
  EXPECT_EQ(code_integrity_words(~0U).size(), 14U);
  EXPECT_EQ(enforcement_word(1), "enforced");
  EXPECT_EQ(enforcement_word(0), "audited");
}

TEST(SystemFacts, NameEachMitigationOnce) {
  std::set<std::string_view> names;
  for (std::uint32_t policy = 0; policy < kMitigationPolicies; ++policy)
    if (const auto name = mitigation_name(policy); !name.empty()) {
      EXPECT_TRUE(names.insert(name).second) << name;
    }
  EXPECT_EQ(names.size(), 17U);
  EXPECT_EQ(mitigation_name(kMitigationPolicies), "");
}

}  // namespace
}  // namespace winperf::selftest

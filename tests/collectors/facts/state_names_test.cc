#include "collectors/facts/machine_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace winperf {
namespace {

using Names = std::vector<std::string>;

// What the numbers from 0 are called, one too many.
Names names_of(auto name, std::uint32_t last) {
  Names names;
  for (std::uint32_t number = 0; number <= last + 1; ++number) names.emplace_back(name(number));
  return names;
}

TEST(StateNamesTest, Services) {
  EXPECT_EQ(names_of(service_state_name, 7),
            (Names{"", "stopped", "start pending", "stop pending", "running", "continue pending",
                   "pause pending", "paused", ""}));
  EXPECT_EQ(names_of(service_start_name, 4),
            (Names{"boot", "system", "auto", "manual", "disabled", ""}));
}

TEST(StateNamesTest, Logons) {
  EXPECT_EQ(names_of(logon_type_name, 13),
            (Names{"system", "", "interactive", "network", "batch", "service", "proxy", "unlock",
                   "network_clear_text", "new_credentials", "remote_interactive",
                   "cached_interactive", "cached_remote_interactive", "cached_unlock", ""}));
}

TEST(StateNamesTest, DhcpScopes) {
  EXPECT_EQ(names_of(dhcp_scope_state_name, 4), (Names{"Enabled", "Disabled", "EnabledSwitched",
                                                       "DisabledSwitched", "InvalidState", ""}));
}

TEST(StateNamesTest, Sessions) {
  EXPECT_EQ(names_of(session_state_name, 9),
            (Names{"active", "connected", "connect_query", "shadow", "disconnected", "idle",
                   "listen", "reset", "down", "init", ""}));
}

TEST(StateNamesTest, TasksAndPrinters) {
  EXPECT_EQ(names_of(task_state_name, 4),
            (Names{"unknown", "disabled", "queued", "ready", "running", ""}));
  EXPECT_EQ(names_of(printer_status_name, 7), (Names{"", "Other", "Unknown", "Idle", "Printing",
                                                     "Warmup", "Stopped Printing", "Offline", ""}));
}

TEST(StateNamesTest, Adapters) {
  EXPECT_EQ(names_of(adapter_status_name, 7),
            (Names{"", "up", "down", "testing", "unknown", "dormant", "not present",
                   "lower layer down", ""}));
}

TEST(StateNamesTest, Licenses) {
  EXPECT_EQ(names_of(license_state_name, 4),
            (Names{"genuine", "invalid_license", "tampered", "offline", "last", ""}));
}

TEST(StateNamesTest, HugeNumber_HasNoName) {
  EXPECT_EQ(service_state_name(0xFFFFFFFF), "");
  EXPECT_EQ(session_state_name(0x80000000), "");
}

}  // namespace
}  // namespace winperf

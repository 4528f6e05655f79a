// The source of another machine's registry, with the system's own RegConnectRegistry. Wine 8 knows
// one machine: its own name leads to the local keys, and every other name to error 53, without
// anything being sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <windows.h>

#include "collectors/base/win/wide.h"
#include "collectors/sources/platform.h"
#include "tests/collectors/sources/win/block_walk.h"
#include "tests/collectors/sources/win/test_provider.h"

namespace winperf {
namespace {

std::string own_name() {
  wchar_t name[MAX_COMPUTERNAME_LENGTH + 1];
  DWORD size = std::size(name);
  return GetComputerNameW(name, &size) != 0 ? to_utf8({name, size}) : std::string();
}

TEST(RemoteMachine, OneThatDoesNotExistIsABadNetworkPath) {
  const auto source = make_remote_source("no-such-machine.invalid").value();
  const auto reply = source->query("2", {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kOsError);
  EXPECT_STREQ(reply.error().where, kConnecting);
  EXPECT_EQ(reply.error().os_code, DWORD{ERROR_BAD_NETPATH});
  EXPECT_EQ(source->provider_generation(), 0U);
  EXPECT_FALSE(source->supports_metadata());
}

TEST(RemoteMachine, TheOwnNameGivesTheLocalCounters) {
  ASSERT_FALSE(own_name().empty());
  for (const std::string& name : {own_name(), "\\\\" + own_name()}) {
    const auto source = make_remote_source(name).value();
    testing::walk_reply(source->query("2 238", {}));
    source->release();
    testing::walk_reply(source->query("2 238", {}));
  }
}

TEST(RemoteMachine, TheOwnNameGivesTheLocalNames) {
  const auto remote = make_remote_source(own_name()).value();
  const auto local = make_registry_source().value();
  const auto tables = remote->text_tables(TextTable::kCounter, Language::kEnglish);
  const auto local_tables = local->text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_EQ(tables.size(), 2U);
  ASSERT_TRUE(tables[0]) << describe(tables[0].error());
  EXPECT_EQ(*tables[0], local_tables.at(0).value());
  EXPECT_EQ(remote->provider_generation(), local->provider_generation());
  EXPECT_EQ(remote->supports_metadata(), local->supports_metadata());
}

}  // namespace
}  // namespace winperf

#include "collectors/facts/win/tasks.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include "tests/collectors/facts/win/fake_tasks.h"

namespace winperf {
namespace {

FakeTask& add(FakeFolder& folder, std::wstring path) {
  FakeTask& task = folder.tasks.items.emplace_back();
  task.path = std::move(path);
  return task;
}

TEST(TaskWalkTest, TaskThatHasRun_HasItsResult) {
  FakeFolder root;
  FakeTask& task = add(root, L"\\B\u00e4ckup");
  task.state = TASK_STATE_RUNNING;
  task.last_result = static_cast<LONG>(0x80070002);
  task.missed_runs = 3;
  FactTable table;
  ASSERT_EQ(walk_tasks(root, table), S_OK);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0].text_of("task"),
            "/B\xC3\xA4"
            "ckup");
  EXPECT_EQ(table.rows[0].text_of("state"), "running");
  EXPECT_EQ(table.rows[0].text_of("last_result"), "2147942402");
  EXPECT_EQ(table.rows[0].text_of("missed_runs"), "3");
  EXPECT_EQ(table.rows[0].find("next_run"), nullptr);  // none is planned
  EXPECT_EQ(root.flags_for_tasks, TASK_ENUM_HIDDEN);
  EXPECT_EQ(root.held(), 0u);
}

TEST(TaskWalkTest, TaskThatHasNotRun_HasNoResult) {
  FakeFolder root;
  FakeTask& task = add(root, L"\\new");
  task.last_result = 0x41303;
  task.last_run = 36'494;  // 30 November 1999
  FactTable table;
  ASSERT_EQ(walk_tasks(root, table), S_OK);
  EXPECT_EQ(table.rows.at(0).text_of("state"), "ready");
  EXPECT_EQ(table.rows.at(0).fields().size(), 2u);
}

// The scheduler's dates are made here as it makes them: from a time, in this machine's zone.
TEST(TaskWalkTest, Times_AreInUtc) {
  constexpr std::uint64_t kTime = 133'536'836'960'000'000;  // 2024-02-29 12:34:56 UTC
  const auto utc = std::bit_cast<FILETIME>(kTime);
  SYSTEMTIME fields{};
  SYSTEMTIME local{};
  DATE date = 0;
  ASSERT_TRUE(FileTimeToSystemTime(&utc, &fields));
  ASSERT_TRUE(SystemTimeToTzSpecificLocalTime(nullptr, &fields, &local));
  ASSERT_TRUE(SystemTimeToVariantTime(&local, &date));
  FakeFolder root;
  FakeTask& task = add(root, L"\\t");
  task.last_run = date;
  task.next_run = date + 1;
  FactTable table;
  ASSERT_EQ(walk_tasks(root, table), S_OK);
  EXPECT_EQ(table.rows.at(0).text_of("last_run"), "1709210096");
  EXPECT_EQ(table.rows.at(0).text_of("next_run"), "1709296496");
}

TEST(TaskWalkTest, FoldersInFolders_AreRead) {
  FakeFolder root;
  add(root, L"\\a");
  FakeFolder& inner = root.folders.items.emplace_back().folders.items.emplace_back();
  add(inner, L"\\Microsoft\\Windows\\b");
  add(root.folders.items.emplace_back(), L"\\Other\\c");
  FactTable table;
  ASSERT_EQ(walk_tasks(root, table), S_OK);
  std::string tasks;
  for (const FactRow& row : table.rows) tasks += row.text_of("task") + ' ';
  EXPECT_EQ(tasks, "/a /Microsoft/Windows/b /Other/c ");
  EXPECT_EQ(root.held(), 0u);
}

TEST(TaskWalkTest, WhatRefuses_CostsOnlyItself) {
  FakeFolder root;
  root.folders.items.emplace_back().refusal = E_ACCESSDENIED;
  add(root.folders.items.emplace_back(), L"\\f\\a");
  add(root, L"").refusal = E_ACCESSDENIED;
  add(root, L"").refusal = E_ACCESSDENIED;
  add(root, L"").refusal = HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND);  // removed meanwhile
  add(root, L"\\b");
  FactTable table;
  ASSERT_EQ(walk_tasks(root, table), S_OK);
  EXPECT_EQ(table.rows.size(), 2u);
  ASSERT_EQ(table.problems.size(), 2u);
  EXPECT_TRUE(table.problems[0].starts_with("2 scheduled tasks cannot be read"))
      << table.problems[0];
  EXPECT_TRUE(table.problems[0].ends_with("(Windows error 5)")) << table.problems[0];
  EXPECT_TRUE(table.problems[1].starts_with("1 folders of")) << table.problems[1];
}

TEST(TaskWalkTest, RootThatRefuses_IsTheResult) {
  FakeFolder root;
  root.refusal = E_ACCESSDENIED;
  FactTable table;
  EXPECT_EQ(walk_tasks(root, table), E_ACCESSDENIED);
  EXPECT_EQ(root.held(), 0u);
}

TEST(TaskWalkTest, CollectionThatCannotCount_IsNoEmptyOne) {
  FakeFolder root;
  root.tasks.refusal = E_NOTIMPL;
  FactTable table;
  EXPECT_EQ(walk_tasks(root, table), E_NOTIMPL);
  root.tasks.refusal = S_OK;
  root.folders.refusal = E_ACCESSDENIED;
  EXPECT_EQ(walk_tasks(root, table), E_ACCESSDENIED);
  EXPECT_EQ(root.held(), 0u);
}

TEST(TaskWalkTest, FoldersWithoutEnd_AreLeftOut) {
  FakeFolder root;
  FakeFolder* at = &root;
  for (int depth = 0; depth <= kMaxTaskFolderDepth + 5; ++depth) {
    add(*at, L"\\t");
    at = &at->folders.items.emplace_back();
  }
  FactTable table;
  ASSERT_EQ(walk_tasks(root, table), S_OK);
  EXPECT_EQ(table.rows.size(), static_cast<std::size_t>(kMaxTaskFolderDepth) + 1);
  ASSERT_EQ(table.problems.size(), 1u);
  EXPECT_TRUE(table.problems[0].starts_with("1 folders of tasks are left out"));
}

}  // namespace
}  // namespace winperf

#include "exporter/mapping/instance_labels.h"

#include <gmock/gmock.h>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kWhole[] = {"{name}"};
constexpr std::string_view kNumber[] = {"{disk:first} {}", "{disk}"};
constexpr std::string_view kPool[] = {"{pid:number}_{app}"};
constexpr std::string_view kServices[] = {"services"};

ProfileBlock block_with(std::span<const std::string_view> instances) {
  ProfileBlock block{};
  block.instances = instances;
  return block;
}

// "row: name=value", in their order.
std::vector<std::string> texts(const ProfileRows& rows) {
  std::vector<std::string> list;
  for (const ProfileRows::Row& row : rows.rows) {
    std::string text = std::to_string(row.row) + ':';
    for (const LabelPart& label : row.labels) text += ' ' + label.name + '=' + label.value;
    list.push_back(text);
  }
  return list;
}

ProfileRows rows_of(std::vector<std::string> names, const ProfileBlock& block,
                    const std::string& name = "Thing") {
  InstanceSet set;
  for (std::string& one : names)
    set.instances.push_back(
        instance(std::move(one), static_cast<std::uint32_t>(set.instances.size())));
  return label_rows(object(name, {}, true), &set, block);
}

TEST(ProfileLabels, AnObjectWithoutInstancesHasOneRow) {
  EXPECT_THAT(texts(label_rows(object("Memory", {}), nullptr, block_with(kWhole))),
              ElementsAre("0:"));
}

TEST(ProfileLabels, TheRowsAreSortedByTheirLabels) {
  EXPECT_THAT(texts(rows_of({"b", "a", "_Total", "0,_Total"}, block_with(kWhole))),
              ElementsAre("1: name=a", "0: name=b"));
}

TEST(ProfileLabels, ANameThatEndsAsTotalsDoIsOneLikeOthers) {
  const ProfileRows rows = rows_of(
      {"Orders_Total", "_Total", "0,_total", "worker_Total", "a,b,_Total"}, block_with(kWhole));
  EXPECT_THAT(texts(rows),
              ElementsAre("0: name=Orders_Total", "4: name=a,b,_Total", "3: name=worker_Total"));
  EXPECT_EQ(rows.unplaced, 0U);
  ProfileBlock first{};
  EXPECT_THAT(texts(rows_of({"_Total", "App_Total"}, first)), ElementsAre("1:"));
}

TEST(ProfileLabels, ThreadsOfTheTotalAreTotals) {
  InstanceSet set{{instance("0", 0), instance("_Total", 1), instance("0", 2)}};
  set.instances[0].parent = "cmd";
  set.instances[1].parent = set.instances[2].parent = "_Total";
  EXPECT_THAT(texts(label_rows(object("Thread", {}, true), &set, block_with(kWhole))),
              ElementsAre("0: name=0"));
}

// What the tables don't leave out by name is counted.
TEST(ProfileLabels, WhatHasNoSeriesIsCounted) {
  ProfileBlock first{};
  for (const char* only : {"first", ""}) {
    first.only = only;
    EXPECT_EQ(rows_of({"_Total", "b", "a", "c_Total"}, first).unplaced, 2U) << only;
    EXPECT_EQ(rows_of({"_Total", "b"}, first).unplaced, 0U) << only;
  }
  first.only = "b";
  EXPECT_EQ(rows_of({"_Total", "b", "a"}, first).unplaced, 0U) << "the table names it";
  ProfileBlock processes = block_with(kWhole);
  processes.process_id = true;
  InstanceSet set{{instance("Idle", 0), instance("ended", 1), instance("_Total", 2)}};
  for (InstanceSchema& process : set.instances) process.process_id = 0;
  EXPECT_EQ(label_rows(object("Process", {}, true), &set, processes).unplaced, 1U);
}

TEST(ProfileLabels, TheFirstTemplateThatFitsCounts) {
  EXPECT_THAT(texts(rows_of({"0 C: D:", "1"}, block_with(kNumber))),
              ElementsAre("0: disk=0", "1: disk=1"));
}

TEST(ProfileLabels, InstancesWithoutAPlaceAreCounted) {
  const ProfileRows rows = rows_of({"12_Pool", "Pool"}, block_with(kPool));
  EXPECT_THAT(texts(rows), ElementsAre("0: pid=12 app=Pool"));
  EXPECT_EQ(rows.unplaced, 1U);
  const ProfileRows taken = rows_of({"0 C:", "0 D:"}, block_with(kNumber));
  EXPECT_THAT(texts(taken), ElementsAre("0: disk=0"));
  EXPECT_EQ(taken.unplaced, 1U) << "another instance has the same labels";
}

TEST(ProfileLabels, SkippedInstancesAreNotCounted) {
  ProfileBlock block = block_with(kWhole);
  block.skipped = kServices;
  const ProfileRows rows = rows_of({"Services", "", "RDP 1"}, block);
  EXPECT_THAT(texts(rows), ElementsAre("2: name=RDP 1"));
  EXPECT_EQ(rows.unplaced, 0U);
}

TEST(ProfileLabels, OnlyOneInstanceMayCount) {
  ProfileBlock block{};
  for (const char* first : {"first", ""}) {
    block.only = first;
    EXPECT_THAT(texts(rows_of({"_Total", "b", "a"}, block)), ElementsAre("1:")) << first;
  }
  block.only = "_total";
  EXPECT_THAT(texts(rows_of({"a", "_Total"}, block)), ElementsAre("1:"));
  EXPECT_THAT(texts(rows_of({"a"}, block)), IsEmpty());
  EXPECT_THAT(texts(rows_of({}, block)), IsEmpty());
}

TEST(ProfileLabels, EqualNamesAreNumberedAsPdhNumbersThem) {
  const InstanceSet set{{instance("nic", 0), instance("nic", 1, 1)}};
  EXPECT_THAT(texts(label_rows(object("Thing", {}, true), &set, block_with(kWhole))),
              ElementsAre("0: name=nic", "1: name=nic#1"));
}

TEST(ProfileLabels, ProcessesHaveTheirIdAndNoneIsOverYet) {
  ProfileBlock block = block_with(kWhole);
  block.process_id = true;
  InstanceSet set{{instance("Idle", 0), instance("svchost", 1), instance("svchost", 2, 1),
                   instance("ended", 3)}};
  const std::uint64_t ids[] = {0, 4, 8, 0};
  for (std::size_t i = 0; i < 4; ++i) set.instances[i].process_id = ids[i];
  EXPECT_THAT(texts(label_rows(object("Process", {}, true), &set, block)),
              ElementsAre("0: name=Idle process_id=0", "1: name=svchost process_id=4",
                          "2: name=svchost process_id=8"));
}

// The configuration's labels are for this program's own names.
TEST(ProfileLabels, AreNotThoseOfTheConfiguration) {
  InstanceSet set{{instance("C:", 0)}};
  set.instances[0].labels = {{"volume", "mine"}, {"more", "x"}};
  EXPECT_THAT(texts(label_rows(object("LogicalDisk", {}, true), &set, block_with(kWhole))),
              ElementsAre("0: name=C:"));
}

TEST(ProfileLabels, TellTheirNames) {
  ProfileBlock block = block_with(kPool);
  block.process_id = true;
  EXPECT_THAT(instance_labels(block), ElementsAre("pid", "app", "process_id"));
}

}  // namespace
}  // namespace winperf

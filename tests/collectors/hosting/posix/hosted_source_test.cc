// Hosts with real processes: the executable with the simulated machine, one of whose providers does
// there what a file says.
#include "collectors/hosting/hosted_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "collectors/hosting/provider_host.h"
#include "collectors/provider/provider_source.h"
#include "collectors/wire/block_view.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/simulator/provider_machine.h"
#include "tests/simulator/scenario.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr milliseconds kNever{600'000};
constexpr ObjectIndex kFaulty{3000};
constexpr ObjectIndex kFaultyParts{3006};

std::vector<std::uint32_t> objects_in(const Reply& reply) {
  std::vector<std::uint32_t> objects;
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next()) objects.push_back(value_of((*object)->index()));
  }
  return objects;
}

class HostedSourceTest : public ::testing::Test {
 protected:
  HostedSourceTest() {
    std::filesystem::create_directories(folder_);
    setenv(simulator::kScenarioVariable, "faulty", 1);
    setenv(simulator::kFaultFileVariable, fault_file_.c_str(), 1);
    machine_ = simulator::make_scenario("faulty").value();
  }
  ~HostedSourceTest() override { std::filesystem::remove_all(folder_); }

  void fault(const std::string& word) const { std::ofstream(fault_file_) << word; }
  static worker::WorkerOptions options(const std::string& name, milliseconds longest) {
    return {.name = name,
            .executable = WINPERF_SIMULATED,
            .words = {"worker"},
            .limits = {.shortest_timeout = longest, .longest_timeout = longest}};
  }
  HostedSource source(Isolation isolation, milliseconds longest = kNever) {
    return {
        std::make_unique<worker::WorkerSource>(std::make_unique<testing::FakeSource>(),
                                               options("registry", longest)),
        std::make_unique<simulator::SimulatedProviders>(*machine_),
        isolation,
        {.host =
             [longest](const ProviderRegistration* provider) {
               const std::string name = provider == nullptr ? "rest" : provider->service;
               return std::make_unique<ProviderHost>(
                   "provider \"" + name + '"',
                   options(provider == nullptr ? name : "provider:" + name, longest));
             },
         .shared =
             [longest] { return std::make_unique<SharedProviders>(options("shared", longest)); }},
        {},
        [this] { return std::chrono::steady_clock::now() + passed_; }};
  }
  // All of them in hosts. `change`: what is different about the process of a provider.
  HostedSource isolated(const auto& change) {
    return {std::make_unique<worker::WorkerSource>(std::make_unique<testing::FakeSource>(),
                                                   options("registry", kNever)),
            std::make_unique<simulator::SimulatedProviders>(*machine_),
            Isolation::kHosts,
            {.host =
                 [change](const ProviderRegistration* provider) {
                   auto host = options("provider:" + provider->service, kNever);
                   change(*provider, host);
                   return std::make_unique<ProviderHost>(title_of(*provider), host);
                 },
             .shared = {}}};
  }
  static std::vector<std::string> names(HostedSource& source) {
    std::vector<std::string> all;
    for (WorkerView* const worker : source.workers()) all.push_back(worker->state().name);
    return all;
  }
  // A host that nobody knows yet may take longer to start than its first query waits for it.
  static std::expected<Reply, Error> ask(HostedSource& source, std::string_view value_name) {
    for (;;) {
      auto reply = source.query(value_name, {});
      const bool is_pending = !reply && reply.error().code == ErrorCode::kPending;
      if (!is_pending && (!reply || std::ranges::none_of(reply->missing, [](const auto& missing) {
            return missing.reason.code == ErrorCode::kPending;
          })))
        return reply;
    }
  }

  // Of a block with the faulty provider's object.
  std::size_t objects_bytes() {
    ProviderSource alone(std::make_unique<simulator::SimulatedProviders>(*machine_), "Faulty", {},
                         system_clocks());
    return alone.query("Global", {})->blocks.front().size();
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("winperf_hosts_" + std::to_string(getpid()));
  const std::string fault_file_ = folder_ / "fault";
  std::unique_ptr<simulator::Machine> machine_;
  std::chrono::minutes passed_{};  // more time than really has
};

TEST_F(HostedSourceTest, WhileAllIsWell_ThereIsOneWorker) {
  HostedSource all = source(Isolation::kAuto);
  const auto reply = all.query("2 3000", {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->blocks, SizeIs(1));
  EXPECT_THAT(names(all), ElementsAre("registry"));
}

TEST_F(HostedSourceTest, WhoDoesHarm_LosesItsOwnObjectsAlone) {
  HostedSource all = source(Isolation::kAuto);
  ASSERT_TRUE(all.query("2 3000", {}));
  fault("terminate_collect");
  const auto reply = ask(all, "2 3000");
  ASSERT_TRUE(reply);
  EXPECT_THAT(objects_in(*reply), ElementsAre(2U));
  ASSERT_THAT(reply->missing, SizeIs(1));
  EXPECT_EQ(reply->missing[0].object, kFaulty);
  EXPECT_EQ(describe(reply->missing[0].reason),
            "provider \"Faulty\" crashed its worker process (signal 9)");
  EXPECT_THAT(names(all), ElementsAre("registry", "provider:Faulty", "provider:PerfOS"));
}

TEST_F(HostedSourceTest, ThatIsTheRegistrysFaultIfItMayNotPartThem) {
  HostedSource all = source(Isolation::kRegistry);
  fault("terminate_collect");
  const auto reply = all.query("2 3000", {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kWorkerCrashed);
  EXPECT_THAT(names(all), ElementsAre("registry"));
}

TEST_F(HostedSourceTest, AnErrorOfTheQueryIsNoHarm) {
  HostedSource all = source(Isolation::kAuto);
  EXPECT_FALSE(all.query("no such name", {}));
  EXPECT_THAT(names(all), ElementsAre("registry"));
}

TEST_F(HostedSourceTest, EachObjectComesFromItsOwnProvider) {
  HostedSource all = source(Isolation::kHosts);
  const auto reply = ask(all, "2 3000 2");
  ASSERT_TRUE(reply);
  EXPECT_THAT(objects_in(*reply), UnorderedElementsAre(2U, 3000U));
  EXPECT_THAT(reply->missing, IsEmpty());
  EXPECT_THAT(names(all), ElementsAre("registry", "provider:Faulty", "provider:PerfOS"));
}

TEST_F(HostedSourceTest, WhatNobodyHasRegistered_IsAskedOfAllTogether) {
  HostedSource all = source(Isolation::kHosts);
  const auto reply = ask(all, "99999");
  ASSERT_TRUE(reply);
  EXPECT_THAT(objects_in(*reply), IsEmpty());
  EXPECT_THAT(names(all), ElementsAre("registry", "rest"));
}

TEST_F(HostedSourceTest, AListingAsksEveryProvider) {
  HostedSource all = source(Isolation::kHosts);
  const auto reply = ask(all, "OLD_Global");
  ASSERT_TRUE(reply);
  EXPECT_THAT(objects_in(*reply), UnorderedElementsAre(2U, 2000U, 3000U, 3006U));
}

TEST_F(HostedSourceTest, AListingHasWhatTheSystemTranslatesFromV2) {
  HostedSource all = source(Isolation::kHosts);
  std::vector<std::uint32_t> objects{2, 2000, 3000, 3006};
  for (const auto& provider : machine_->v2())
    for (const auto& counterset : provider->countersets())
      objects.push_back(machine_->title_of(counterset.guid));
  ASSERT_THAT(objects, SizeIs(::testing::Gt(4U)));
  for (const char* const name : {"Global", "MetadataGlobal", "Global"}) {
    const auto reply = ask(all, name);
    ASSERT_TRUE(reply);
    // The workers' machines have a driver, too, of which a process has but one.
    EXPECT_THAT(objects_in(*reply), IsSupersetOf(objects)) << name;
    EXPECT_THAT(reply->missing, IsEmpty());
  }
}

TEST_F(HostedSourceTest, ADisabledProviderIsNotAsked) {
  for (const auto& provider : machine_->v1()) provider->key.disabled = true;
  HostedSource all = source(Isolation::kHosts);
  EXPECT_TRUE(all.query("OLD_Global", {}));
  EXPECT_THAT(names(all), ElementsAre("registry"));
}

// Nobody else waits for it: the query is over long before the deadline, which never comes here.
TEST_F(HostedSourceTest, OnProbation_NobodyWaitsForIt) {
  HostedSource all = source(Isolation::kHosts);
  ASSERT_TRUE(ask(all, "2 3000"));
  fault("terminate_collect");
  ASSERT_TRUE(ask(all, "2 3000"));
  fault("hang_collect");
  std::optional<Error> reason;
  while (!reason || reason->code != ErrorCode::kPending) {
    const auto reply = all.query("2 3000", {});
    ASSERT_TRUE(reply);
    EXPECT_THAT(objects_in(*reply), ElementsAre(2U));
    ASSERT_THAT(reply->missing, SizeIs(1));
    reason = reply->missing[0].reason;  // at first that of its rest
  }
  EXPECT_THAT(describe(*reason), StartsWith("provider \"Faulty\" has not answered yet: "));
  EXPECT_EQ(all.query("3000", {}).error().code, ErrorCode::kPending);
}

// Each process waits in a shell until a line has come for it.
TEST_F(HostedSourceTest, HostsStartAtTheSameTimeAndNoneIsBlamedForIt) {
  const std::string gate = folder_ / "gate";
  ASSERT_EQ(mkfifo(gate.c_str(), 0600), 0);
  std::fstream lines(gate, std::ios::in | std::ios::out);
  const std::string script =
      "read -r line <'" + gate + "'; exec " WINPERF_SIMULATED " worker \"$0\"";
  HostedSource all =
      isolated([&](const ProviderRegistration& /*provider*/, worker::WorkerOptions& host) {
        host.executable = "/bin/sh";
        host.words = {"-c", script};
      });
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(all.query("2 3000", {}).error().code, ErrorCode::kPending);
    for (const ProviderState& state : all.provider_states())
      EXPECT_EQ(state.standing, ProviderStanding::kNew);
  }
  lines << "go\ngo\n" << std::flush;
  const auto reply = ask(all, "2 3000");
  ASSERT_TRUE(reply);
  EXPECT_THAT(objects_in(*reply), UnorderedElementsAre(2U, 3000U));
  for (WorkerView* const worker : all.workers()) {
    EXPECT_LE(worker->state().starts, 1U);
    EXPECT_THAT(worker->state().ends, Each(0));
  }
}

// One waits in a shell for a line that never comes. The other one's crash isn't its reason.
TEST_F(HostedSourceTest, WhereOneCrashesAndAnotherHasNotStarted_EachHasItsOwnReason) {
  const std::string gate = folder_ / "gate";
  ASSERT_EQ(mkfifo(gate.c_str(), 0600), 0);
  HostedSource all =
      isolated([&](const ProviderRegistration& provider, worker::WorkerOptions& host) {
        if (provider.service == "Faulty") return;
        host.executable = "/bin/sh";
        host.words = {"-c", "exec cat <'" + gate + "'"};
      });
  fault("terminate_collect");
  auto reply = all.query("2 3000", {});
  for (; !reply; reply = all.query("2 3000", {}))
    ASSERT_EQ(reply.error().code, ErrorCode::kPending) << "neither has started";
  EXPECT_THAT(objects_in(*reply), IsEmpty());
  std::map<ObjectIndex, ErrorCode> reasons;
  for (const MissingObject& missing : reply->missing) reasons[missing.object] = missing.reason.code;
  EXPECT_THAT(reasons, ElementsAre(Pair(ObjectIndex{2}, ErrorCode::kPending),
                                   Pair(kFaulty, ErrorCode::kWorkerCrashed)));
}

TEST_F(HostedSourceTest, AfterItsReleaseItIsOpenedAgain) {
  HostedSource all = source(Isolation::kHosts);
  ASSERT_TRUE(ask(all, "3000"));
  const auto starts = [&] { return all.workers().back()->state().starts; };
  EXPECT_EQ(starts(), 1U);
  all.release();
  ASSERT_TRUE(ask(all, "3000"));
  EXPECT_EQ(starts(), 2U);
}

TEST_F(HostedSourceTest, AfterAnHour_ThoseThatDidNoHarmShareAProcess) {
  HostedSource all = source(Isolation::kAuto);
  ASSERT_TRUE(all.query("2 3000", {}));
  fault("terminate_collect");
  const auto first = ask(all, "2 3000");
  ASSERT_TRUE(first) << describe(first.error());
  EXPECT_THAT(names(all), ElementsAre("registry", "provider:Faulty", "provider:PerfOS"));
  // It does harm again later, so that the hour of the others is over before its own.
  passed_ = std::chrono::minutes(30);
  while (objects_in(all.query("2 3000", {}).value()).size() < 2) fault("");
  fault("terminate_collect");
  while (ask(all, "2 3000").value().missing.empty()) continue;
  passed_ = std::chrono::minutes(70);
  fault("");
  while (objects_in(ask(all, "2 3000").value()).size() < 2) continue;
  EXPECT_THAT(names(all), ElementsAre("registry", "shared", "provider:Faulty"));
  passed_ = std::chrono::hours(2);
  EXPECT_THAT(objects_in(ask(all, "2 3000").value()), UnorderedElementsAre(2U, 3000U));
  EXPECT_THAT(names(all), ElementsAre("registry"));
}

TEST_F(HostedSourceTest, AStopEndsTheWait) {
  HostedSource all = source(Isolation::kHosts);
  ASSERT_TRUE(ask(all, "2 3000"));
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(all.query("2 3000", stop.token()).error().code, ErrorCode::kCancelled);
}

TEST_F(HostedSourceTest, ATrialListsObjectsAndWhatTheyCost) {
  ProviderHost host("provider \"Faulty\"", options("provider:Faulty", kNever), true);
  const ProviderTrial trial = try_provider(host);
  EXPECT_EQ(trial.error, std::nullopt);
  EXPECT_THAT(trial.objects, ElementsAre(kFaulty, kFaultyParts));
  EXPECT_EQ(trial.bytes, host.workers().size() * objects_bytes());
  EXPECT_GT(trial.first.count(), 0);
  ASSERT_TRUE(trial.second);
  EXPECT_EQ(host.workers().front()->state().queries, 2U);
}

TEST_F(HostedSourceTest, ATrialThatFailsSaysWhy) {
  fault("exit_open");
  ProviderHost host("provider \"Faulty\"", options("provider:Faulty", kNever), true);
  const ProviderTrial trial = try_provider(host);
  ASSERT_TRUE(trial.error);
  EXPECT_EQ(describe(*trial.error), "provider \"Faulty\" ended its worker process (exit code 3)");
  EXPECT_THAT(trial.objects, IsEmpty());
  EXPECT_EQ(trial.bytes, 0U);
  EXPECT_FALSE(trial.second);
}

TEST_F(HostedSourceTest, ATrialOfWhatIsNotRegisteredSaysSo) {
  ProviderHost host("provider \"Nobody\"", options("provider:Nobody", kNever), true);
  EXPECT_EQ(try_provider(host).error->code, ErrorCode::kNotRegistered);
}

}  // namespace
}  // namespace winperf

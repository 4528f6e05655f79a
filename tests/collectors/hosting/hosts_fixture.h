// Providers of a fake machine with hosts in simulated time. Each host answers with its name and
// what it was asked for; the process that several share also with the provider. Thread rule: one
// thread.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/hosting/hosted_source.h"
#include "collectors/worker/frame.h"
#include "tests/collectors/provider/fake_machine.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf {

inline Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline std::vector<std::string> texts(const Reply& reply) {
  std::vector<std::string> all;
  for (const Bytes& block : reply.blocks)
    all.emplace_back(reinterpret_cast<const char*>(block.data()), block.size());
  return all;
}

inline std::vector<std::uint32_t> objects(const std::vector<MissingObject>& missing) {
  std::vector<std::uint32_t> all;
  for (const MissingObject& one : missing) all.push_back(value_of(one.object));
  return all;
}

inline ProviderRegistration registration(std::string service, std::vector<ObjectIndex> objects) {
  return {.service = std::move(service), .objects = std::move(objects)};
}

class HostsTest : public ::testing::Test {
 protected:
  HostsTest() {
    machine_.provider = [this](worker::FakeProcess& process, const worker::Request& request) {
      const std::string& name = machine_.started[process.id() - 101].words.back();
      if (failing_.contains(name)) return process.reply({std::unexpected(kFailure)});
      if (request.operation == worker::Operation::kRelease) return close(process, name);
      const std::string& provider = request.whose;
      const std::string who = provider.empty() ? name : name + '/' + provider;
      if (crashing_.contains(who)) {
        process.begin(request.operation, request.text);
        worker::TraceWriter trace(process.shared());
        for (const std::string& module : modules_of_crash_) trace.add(module);
        trace.finish();
        return process.crash(11);
      }
      if (const auto block = blocks_.find(std::string(request.text)); block != blocks_.end())
        return process.reply({block->second}, answers_after_);
      if (!hanging_.contains(who))
        process.reply({bytes_of(who + ": " + request.text)}, answers_after_);
    };
  }

  // "A" has the objects 2 and 4, "B" has 6.
  HostedSource source(Isolation isolation, std::vector<std::string> left_out = {}) {
    auto whole = std::make_unique<testing::FakeSource>();
    auto registry = std::make_unique<testing::FakeMachine>();
    whole_ = whole.get();
    registry_ = registry.get();
    registry_->all = {registration("A", {ObjectIndex{2}, ObjectIndex{4}}),
                      registration("B", {ObjectIndex{6}})};
    registry_->all[0].library = R"(C:\Program Files\A\A.DLL)";
    registry_->all[1].library = "b";
    whole_->views = views_;
    whole_->every_reply = every_reply_;
    return {std::move(whole),
            std::move(registry),
            isolation,
            {.host =
                 [this](const ProviderRegistration* provider) {
                   const auto options = made(provider == nullptr ? "rest" : provider->service);
                   return std::make_unique<ProviderHost>("provider " + options.name, options);
                 },
             .shared = [this] { return std::make_unique<SharedProviders>(made("shared")); }},
            std::move(left_out),
            // What lies between two looks at the clock is a query of all together.
            [this] {
              const auto now = machine_.now;
              machine_.now += takes_;
              return now;
            }};
  }
  void close(worker::FakeProcess& process, const std::string& name) {
    if (!crashing_in_close_.contains(name)) return process.reply({}, closes_after_);
    process.begin(worker::Operation::kRelease, "");
    process.crash(11);
  }
  worker::WorkerOptions made(const std::string& name) {
    worker::WorkerOptions options = machine_.options();
    options.name = name;
    options.limits.max_reply_bytes = 1U << 16;  // room for a list of thousands of objects, too
    made_.push_back(name);
    return options;
  }
  // So many of them, each with the object of its number.
  void register_many(unsigned count) {
    registry_->all.clear();
    for (unsigned i = 1; i <= count; ++i)
      registry_->all.push_back(registration("P" + std::to_string(i), {ObjectIndex{i}}));
  }
  static std::string list(unsigned count) {
    std::string all = "1";
    for (unsigned i = 2; i <= count; ++i) all += ' ' + std::to_string(i);
    return all;
  }
  // Whether what all providers together reply parts them.
  bool is_harm(const std::expected<Bytes, Error>& reply) {
    made_.clear();
    HostedSource all = source(Isolation::kAuto);
    whole_->replies["2"] = {reply};
    const auto answer = all.query("2", {});
    EXPECT_EQ(whole_->releases, made_.empty() ? 0 : 1);
    if (made_.empty()) {
      EXPECT_EQ(answer.has_value(), reply.has_value());
      return false;
    }
    EXPECT_THAT(texts(answer.value()), ::testing::ElementsAre("A: 2")) << "they are asked at once";
    return true;
  }

  static std::vector<std::string> news(HostedSource& source) {
    std::vector<std::string> all;
    for (const SharingNews& one : source.take_sharing_news()) {
      const bool is_harm = one.change == SharingChange::kHarm;
      all.push_back((is_harm                                  ? one.provider
                     : one.change == SharingChange::kIsolated ? "parted"
                                                              : "together") +
                    ": " + one.text);
    }
    return all;
  }

  static constexpr Error kCrash{
      .code = ErrorCode::kWorkerCrashed, .where = "registry.query", .os_code = 11};
  static constexpr Error kFailure{.code = ErrorCode::kOsError, .where = "provider.open"};

  worker::FakeMachine machine_;
  testing::FakeSource* whole_ = nullptr;
  testing::FakeMachine* registry_ = nullptr;
  std::set<std::string> failing_;              // processes
  std::set<std::string> hanging_, crashing_;   // who answers with that name
  std::map<std::string, Bytes> blocks_;        // what is answered to a value name instead
  std::vector<std::string> modules_of_crash_;  // the innermost first
  std::set<std::string> crashing_in_close_;
  std::chrono::milliseconds answers_after_{90};
  std::chrono::milliseconds closes_after_{};
  std::chrono::milliseconds takes_{};
  std::vector<WorkerView*> views_;    // of the worker of all together
  std::optional<Reply> every_reply_;  // and what it answers
  std::vector<std::string> made_;
};

}  // namespace winperf

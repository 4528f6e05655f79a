// Worker processes that a test acts out, in simulated time: nothing is started, and a wait is over
// at once. Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/worker/worker.h"

namespace winperf::worker {

inline std::vector<std::byte> bytes(std::size_t size, int first = 1) {
  std::vector<std::byte> all(size);
  for (std::size_t i = 0; i < size; ++i)
    all[i] = static_cast<std::byte>(static_cast<std::size_t>(first) + i);
  return all;
}

class FakeProcess;

// The machine on which the processes run: its time, and what has happened on it.
struct FakeMachine {
  using Time = std::chrono::steady_clock::time_point;

  Time now{std::chrono::hours(1'000)};
  // What a process does with a request; kEnd ends it.
  std::function<void(FakeProcess&, const Request&)> provider;
  std::function<void(FakeProcess&)> at_end;  // instead, if there is such a function
  std::function<void()> during_a_look = [] {};
  ProcessUse use;
  std::optional<Error> no_start;
  std::chrono::nanoseconds start_takes{};      // until a process is up
  std::function<void(FakeProcess&)> at_start;  // instead, if there is such a function
  std::chrono::nanoseconds stands_still{};     // during the next wait, at its end

  std::vector<WorkerCommand> started;
  FakeProcess* running = nullptr;
  std::vector<Request> asked;  // without kEnd
  std::vector<Request> end_requests;
  std::vector<std::chrono::nanoseconds> waits;  // how long each wait would have waited
  int looks = 0;

  WorkerOptions options();
  std::vector<std::string> asked_texts() const {
    std::vector<std::string> texts;
    for (const Request& request : asked) texts.push_back(request.text);
    return texts;
  }
};

class FakeProcess final : public WorkerProcess {
 public:
  FakeProcess(FakeMachine& machine, std::uint64_t id, std::size_t shared_bytes)
      : machine_(machine), id_(id), memory_(shared_bytes) {
    machine_.running = this;
    if (machine_.at_start) {
      machine_.at_start(*this);
    } else {
      come_up(machine_.start_takes);
    }
  }
  ~FakeProcess() override {
    if (machine_.running == this) machine_.running = nullptr;
  }

  // What the process does. Each comes `after` that time.
  void reply(std::initializer_list<std::expected<std::vector<std::byte>, Error>> parts,
             std::chrono::nanoseconds after = {}) {
    reply_with(0, parts, after);
  }
  void reply_with(std::uint64_t number,
                  std::initializer_list<std::expected<std::vector<std::byte>, Error>> parts,
                  std::chrono::nanoseconds after = {}) {
    ReplyWriter writer(memory_, sequence_);
    for (const auto& part : parts) {
      if (part) {
        writer.add(*part);
      } else {
        writer.add(part.error());
      }
    }
    writer.finish(number);
    write_time(memory_, after);
    then(Wake::kReply, after);
  }
  void come_up(std::chrono::nanoseconds after) { up_at_ = machine_.now + after; }
  void begin(Operation operation, std::string_view text) {
    write_marker(memory_, {.operation = operation, .text = std::string(text)}, {});
  }
  // Without a status it has lost its connection, but runs.
  void end_as(std::optional<EndStatus> status, std::chrono::nanoseconds after = {}) {
    status_ = status;
    then(Wake::kEnded, after);
  }
  void crash(std::uint32_t code, std::chrono::nanoseconds after = {}) {
    end_as(EndStatus{.crashed = true, .code = code}, after);
  }
  void then(Wake wake, std::chrono::nanoseconds after = {}) {
    next_ = {machine_.now + after, wake};
  }

  std::span<std::byte> shared() override { return memory_; }
  std::uint64_t id() const override { return id_; }
  void wake() override {
    Request request = read_request(memory_).value();
    sequence_ = request.sequence;
    if (request.operation == Operation::kEnd) {
      machine_.end_requests.push_back(std::move(request));
      return machine_.at_end ? machine_.at_end(*this) : then(Wake::kEnded);
    }
    machine_.asked.push_back(request);
    machine_.provider(*this, request);
  }
  Wake wait(FakeMachine::Time until) override {
    if (comes_up(until)) return Wake::kReply;
    constexpr std::size_t kTooMany = 10'000;
    if (machine_.waits.size() == kTooMany) throw std::runtime_error("waits for ever");
    machine_.waits.push_back(until - machine_.now);
    if (std::exchange(interrupted_, false)) return Wake::kInterrupted;
    // What has come is there, however little is waited for.
    const bool comes = next_ && next_->first <= std::max(machine_.now, until);
    machine_.now = std::max(machine_.now, comes ? next_->first : until) +
                   std::exchange(machine_.stands_still, {});
    if (!comes) return Wake::kTimeOver;
    const Wake wake = next_->second;
    if (wake != Wake::kEnded) next_.reset();
    return wake;
  }
  void interrupt() override { interrupted_ = true; }
  std::optional<EndStatus> end() override { return status_; }
  ProcessUse use() const override {
    ++machine_.looks;
    machine_.during_a_look();
    return machine_.use;
  }

 private:
  bool comes_up(FakeMachine::Time until) {
    if (!up_at_ || *up_at_ > std::max(machine_.now, until)) return false;
    machine_.now = std::max(machine_.now, *up_at_);
    up_at_.reset();
    write_up(memory_);
    return true;
  }

  FakeMachine& machine_;
  const std::uint64_t id_;
  std::vector<std::byte> memory_;
  std::optional<FakeMachine::Time> up_at_;
  std::uint64_t sequence_ = 0;
  bool interrupted_ = false;
  std::optional<EndStatus> status_;
  std::optional<std::pair<FakeMachine::Time, Wake>> next_;
};

// Processes have the numbers 101, 102 and so on.
inline WorkerOptions FakeMachine::options() {
  constexpr std::uint64_t kFirst = 101;
  WorkerOptions options;
  options.name = "registry";
  options.executable = "exporter";
  options.words = {"worker"};
  options.limits.shortest_timeout = std::chrono::milliseconds(1'000);
  options.limits.longest_timeout = std::chrono::milliseconds(10'000);
  options.limits.max_reply_bytes = 1'000;
  options.now = [this] { return now; };
  options.start =
      [this](const WorkerCommand& command) -> std::expected<std::unique_ptr<WorkerProcess>, Error> {
    started.push_back(command);
    if (no_start) return std::unexpected(*no_start);
    return std::make_unique<FakeProcess>(*this, kFirst + started.size() - 1, command.shared_bytes);
  };
  return options;
}

// A worker on such a machine, whose provider answers with three bytes at once.
class FakeWorkerTest : public ::testing::Test {
 protected:
  using Milliseconds = std::chrono::milliseconds;

  FakeWorkerTest() { answer(); }

  void answer(std::chrono::nanoseconds after = {}) {
    machine_.provider = [after](FakeProcess& process, const Request&) {
      process.reply({bytes(3)}, after);
    };
  }
  void hang() {
    machine_.provider = [](FakeProcess& process, const Request& request) {
      process.begin(request.operation, request.text);
    };
  }
  // During the call.
  void crash(std::uint32_t code = 11, std::chrono::nanoseconds after = {}) {
    machine_.provider = [code, after](FakeProcess& process, const Request& request) {
      process.begin(request.operation, request.text);
      process.crash(code, after);
    };
  }
  void pass(std::chrono::nanoseconds time) { machine_.now += time; }

  static std::expected<Reply, Error> ask(Worker& worker, std::string_view name = "2",
                                         const StopToken& stop = {}) {
    return worker.call({.operation = Operation::kQuery, .text = std::string(name)}, name, stop);
  }
  static std::uint64_t ends(const Worker& worker, WorkerEnd end) {
    return worker.state().ends.at(static_cast<std::size_t>(end));
  }
  std::uint64_t last_time_ms() const { return machine_.asked.back().time_ms; }
  std::uint64_t last_sequence() const { return machine_.asked.back().sequence; }

  FakeMachine machine_;
};

}  // namespace winperf::worker

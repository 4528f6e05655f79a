#include "tests/service/targets/fake_network.h"

#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <utility>

#include "collectors/sources/perflib_client.h"
#include "collectors/sources/platform.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::testing {
namespace {

std::unique_ptr<simulator::Machine> furnished() {
  auto machine = std::make_unique<simulator::Machine>();
  simulator::furnish(*machine);
  return machine;
}

}  // namespace

class NetworkSource final : public CounterSource {
 public:
  NetworkSource(FakeNetwork& network, std::string host, std::shared_ptr<worker::Worker> worker,
                std::shared_ptr<worker::WorkerLink> link)
      : network_(network),
        host_(std::move(host)),
        worker_(std::move(worker)),
        link_(std::move(link)) {}

  bool is_live() const override { return true; }
  std::expected<Reply, Error> query(std::string_view value_name, StopToken stop) override {
    switch (network_.ask(host_, *worker_)) {
      case FakeNetwork::Conduct::kFails:
        return std::unexpected(
            Error{.code = ErrorCode::kOsError, .where = kConnecting, .os_code = 53});
      case FakeNetwork::Conduct::kHangs: {
        // The worker waits in vain, and loses its process.
        const auto lost = link_->call(
            {.operation = worker::Operation::kQuery, .text = std::string(value_name)}, "", stop);
        network_.clock().advance(FakeNetwork::kHanging);
        return std::unexpected(lost.error());
      }
      case FakeNetwork::Conduct::kAnswers:
        break;
    }
    return source_.query(value_name, std::move(stop));
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                       Language language) override {
    return source_.text_tables(table, language);
  }
  bool supports_metadata() override { return source_.supports_metadata(); }
  std::uint64_t provider_generation() override { return source_.provider_generation(); }
  void set_stop(StopToken) override { link_->begin_round(); }
  void release() override {
    const std::lock_guard lock(network_.mutex_);
    network_.released_.push_back(host_);
  }

 private:
  FakeNetwork& network_;
  const std::string host_;
  const std::shared_ptr<worker::Worker> worker_;
  const std::shared_ptr<worker::WorkerLink> link_;
  const std::unique_ptr<simulator::Machine> machine_ = furnished();
  simulator::RegistrySource source_{*machine_, {}};
};

FakeNetwork::Conduct FakeNetwork::ask(const std::string& host, const worker::Worker& worker) {
  std::unique_lock lock(mutex_);
  released_again_.wait(lock, [&] { return !is_held_; });
  const auto since = std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - began_);
  asked_[host].push_back(static_cast<long>(since.count()));
  auto& workers = workers_of_[host];
  const std::string& name = worker.state().name;
  if (std::ranges::find(workers, name) == workers.end()) workers.push_back(name);
  const auto conduct = conducts_.find(host);
  return conduct == conducts_.end() ? Conduct::kAnswers : conduct->second;
}

TargetTools FakeNetwork::tools() {
  const auto make_worker = [this](const Config&, const std::string& number) {
    const std::lock_guard lock(mutex_);
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    // Nobody answers: it is only asked by what hangs.
    worker.machine.provider = [](worker::FakeProcess&, const worker::Request&) {};
    auto options = worker.machine.options();
    options.name = number;
    return std::make_shared<worker::Worker>(std::move(options));
  };
  const auto connect = [this](const std::shared_ptr<worker::Worker>& worker,
                              const std::string& host) {
    // Its face isn't used: PerfLib isn't asked where the registry is all that is wanted.
    static const auto nothing = furnished();
    const auto link = std::make_shared<worker::WorkerLink>(worker, host);
    return worker::RemoteMachine{
        .source = std::make_unique<NetworkSource>(*this, host, worker, link),
        .perflib = std::make_unique<PerflibClient>(
            std::make_unique<simulator::PerflibFace>(*nothing), PerflibLimits{}),
        .registry_link = link,
        .perflib_link = std::make_shared<worker::WorkerLink>(worker, host)};
  };
  return {.make_worker = make_worker,
          .connect = connect,
          .clocks = clock_.source(),
          .logger = std::make_shared<Log>(
              LogLines{.sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(log_)}, nullptr)};
}

void FakeNetwork::set(const std::string& host, Conduct conduct) {
  const std::lock_guard lock(mutex_);
  conducts_[host] = conduct;
}

std::vector<long> FakeNetwork::asked(const std::string& host) const {
  const std::lock_guard lock(mutex_);
  const auto found = asked_.find(host);
  return found == asked_.end() ? std::vector<long>() : found->second;
}

std::vector<std::string> FakeNetwork::workers_of(const std::string& host) const {
  const std::lock_guard lock(mutex_);
  const auto found = workers_of_.find(host);
  return found == workers_of_.end() ? std::vector<std::string>() : found->second;
}

std::size_t FakeNetwork::workers() const {
  const std::lock_guard lock(mutex_);
  return workers_.size();
}

std::vector<std::string> FakeNetwork::released() const {
  const std::lock_guard lock(mutex_);
  return released_;
}

std::shared_ptr<void> FakeNetwork::hold() {
  const std::lock_guard lock(mutex_);
  is_held_ = true;
  return {this, [](FakeNetwork* network) {
            const std::lock_guard releasing(network->mutex_);
            network->is_held_ = false;
            network->released_again_.notify_all();
          }};
}

void FakeNetwork::forget() {
  const std::lock_guard lock(mutex_);
  asked_.clear();
  workers_of_.clear();
}

Config config_with_targets(const std::string& targets, const std::string& more) {
  const auto config =
      parse_config("{countersets: [\"2\"], targets: " + targets + more + "}", "test");
  EXPECT_TRUE(config) << describe(config.error().front());
  return config.value_or(Config{});
}

}  // namespace winperf::testing

// Whatever a command has opened by asking for counters is closed when it returns, not when the
// process ends: closing the key while Windows unloads DLLs is what must not happen. The commands
// are the program's own, on a simulated machine whose provider counts its calls.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "collectors/sources/platform.h"
#include "service/commands/command_line.h"
#include "tests/simulator/fact_source.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/provider_machine.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/standard_machine.h"

namespace winperf {
namespace {

simulator::Machine* current = nullptr;

}  // namespace

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  return std::make_unique<simulator::RegistrySource>(*current, limits);
}

std::expected<std::unique_ptr<CounterSource>, SourceError> make_remote_source(const std::string&,
                                                                              const QueryLimits&) {
  return std::unexpected(SourceError{ErrorCode::kUnsupported, "there is no other machine"});
}

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  return std::make_unique<simulator::PerflibFace>(*current);
}

std::unique_ptr<FactSource> make_fact_source() { return simulator::make_no_facts(); }

std::unique_ptr<ProviderMachine> make_provider_machine() {
  return std::make_unique<simulator::SimulatedProviders>(*current);
}

namespace simulator {
namespace {

class KeyClosed : public ::testing::Test {
 protected:
  KeyClosed() : things_(thing_provider(machine_)) {
    std::filesystem::create_directory(folder_);
    std::ofstream(config_) << "countersets: [Thing]\n";
    machine_.add(things_);
    current = &machine_;
  }
  ~KeyClosed() override {
    current = nullptr;
    std::filesystem::remove_all(folder_);
  }

  Machine machine_;
  std::shared_ptr<ObjectProvider> things_;
  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      ("winperf-key-" +
       std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  const std::string config_ = (folder_ / "config.yaml").string();
};

TEST_F(KeyClosed, WhenACommandReturns) {
  const std::string capture = (folder_ / "capture").string();
  const std::vector<std::string> commands[] = {
      {"list", "Thing", "--config", config_},
      {"query", "Thing", "--config", config_},
      {"verify", "Thing", "--config", config_},
      {"doctor", "Thing", "--config", config_},
      {"check-config", config_},
      {"capture", "--samples", "1", "--out", capture, "--config", config_},
  };
  for (const std::vector<std::string>& command : commands) {
    SCOPED_TRACE(command.front());
    things_->opened = things_->closed = 0;
    ::testing::internal::CaptureStdout();
    run_command_line(command);
    ::testing::internal::GetCapturedStdout();
    EXPECT_GE(things_->opened, 1);
    EXPECT_EQ(things_->closed, things_->opened);
  }
}

}  // namespace
}  // namespace simulator
}  // namespace winperf

#include "tests/service/commands/service_machine.h"

#include "service/commands/command_line.h"

namespace winperf {
namespace {

testing::FakeServiceManager* the_manager = nullptr;
testing::FakeCounterRegistrar* the_registrar = nullptr;

// What a command gets that opens the service manager: all calls go to the test's.
class SharedManager final : public ServiceManager {
 public:
  explicit SharedManager(testing::FakeServiceManager& manager) : manager_(manager) {}
  ServiceResult<bool> put(const ServiceDefinition& definition) override {
    return manager_.put(definition);
  }
  ServiceResult<std::string> set(ServicePart part, const ServiceDefinition& definition) override {
    return manager_.set(part, definition);
  }
  ServiceResult<void> clear(ServicePart part, const std::string& name) override {
    return manager_.clear(part, name);
  }
  ServiceResult<void> remove_empty_folders(const std::string& name) override {
    return manager_.remove_empty_folders(name);
  }
  std::optional<std::string> message_file(const std::string& name) override {
    return manager_.message_file(name);
  }
  ServiceResult<void> remove_logs(const std::string& name) override {
    return manager_.remove_logs(name);
  }
  ServiceResult<ServiceFacts> facts(const std::string& name) override {
    return manager_.facts(name);
  }
  ServiceResult<void> set_start(const std::string& name, StartKind start) override {
    return manager_.set_start(name, start);
  }
  ServiceResult<std::string> data_folder(const std::string& name) override {
    return manager_.data_folder(name);
  }
  ServiceResult<void> start(const std::string& name) override { return manager_.start(name); }
  ServiceResult<void> request_stop(const std::string& name) override {
    return manager_.request_stop(name);
  }
  ServiceResult<void> request_reload(const std::string& name) override {
    return manager_.request_reload(name);
  }
  ServiceResult<void> remove(const std::string& name) override { return manager_.remove(name); }
  ServiceResult<std::string> make_data_folder(const std::string& name) override {
    return manager_.make_data_folder(name);
  }
  ServiceResult<RememberedService> remembered() override { return manager_.remembered(); }
  std::optional<std::string> why_others_may_change(const std::string& file) override {
    return manager_.why_others_may_change(file);
  }
  void pause(std::chrono::milliseconds time) override { manager_.pause(time); }
  std::string executable() override { return manager_.executable(); }

 private:
  testing::FakeServiceManager& manager_;
};

// The same for the counters' registrar.
class SharedRegistrar final : public CounterRegistrar {
 public:
  explicit SharedRegistrar(testing::FakeCounterRegistrar& registrar) : registrar_(registrar) {}
  ServiceResult<CounterFacts> facts() override { return registrar_.facts(); }
  bool has_file(const std::string& path) override { return registrar_.has_file(path); }
  std::string system_program(const std::string& name) override {
    return registrar_.system_program(name);
  }
  ServiceResult<void> put_key(const CounterKey& key) override { return registrar_.put_key(key); }
  ServiceResult<void> remove_key() override { return registrar_.remove_key(); }
  ServiceResult<void> put_event_source(const std::string& message_file) override {
    return registrar_.put_event_source(message_file);
  }
  ServiceResult<void> remove_event_source() override { return registrar_.remove_event_source(); }
  ServiceResult<void> load_titles(const std::string& command_line) override {
    return registrar_.load_titles(command_line);
  }
  ServiceResult<void> unload_titles(const std::string& command_line) override {
    return registrar_.unload_titles(command_line);
  }
  ServiceResult<void> run(const std::string& command_line) override {
    return registrar_.run(command_line);
  }

 private:
  testing::FakeCounterRegistrar& registrar_;
};

}  // namespace

std::expected<std::unique_ptr<ServiceManager>, std::string> open_service_manager() {
  return std::make_unique<SharedManager>(*the_manager);
}

std::expected<std::unique_ptr<CounterRegistrar>, std::string> open_counter_registrar() {
  return std::make_unique<SharedRegistrar>(*the_registrar);
}

namespace testing {

void ServiceCommandTest::SetUp() {
  the_manager = &manager_;
  the_registrar = &registrar_;
}

void ServiceCommandTest::TearDown() {
  the_manager = nullptr;
  the_registrar = nullptr;
}

int ServiceCommandTest::service(std::vector<std::string> words) {
  words.insert(words.begin(), "service");
  return command(words);
}

int ServiceCommandTest::command(const std::vector<std::string>& words) {
  ::testing::internal::CaptureStdout();
  const int exit_code = run_command_line(words);
  output_ = ::testing::internal::GetCapturedStdout();
  return exit_code;
}

}  // namespace testing
}  // namespace winperf

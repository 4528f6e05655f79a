#include "tests/service/run/fake_platform.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "collectors/base/stop.h"
#include "collectors/facts/fact_source.h"
#include "collectors/provider/provider_machine.h"
#include "collectors/sources/platform.h"
#include "tests/collectors/sampling/fake_source.h"

namespace winperf {
namespace {

// What all registry sources have in common.
struct Registries {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t opened = 0;
  std::map<std::size_t, QueryLimits> limits;
  std::set<std::pair<std::size_t, std::string>> asked;
  bool hang = false;
  bool missing = false;
};

Registries& registries() {
  static Registries all;
  return all;
}

class NotingRegistry final : public CounterSource {
 public:
  explicit NotingRegistry(std::size_t number) : number_(number) {}

  std::expected<Reply, Error> query(std::string_view value_name, StopToken stop) override {
    {
      Registries& all = registries();
      std::unique_lock lock(all.mutex);
      all.asked.emplace(number_, value_name);
      all.changed.notify_all();
      all.changed.wait(lock, [&] { return !all.hang; });
    }
    return knows_nothing_.query(value_name, std::move(stop));
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                       Language language) override {
    return knows_nothing_.text_tables(table, language);
  }
  bool supports_metadata() override { return knows_nothing_.supports_metadata(); }
  std::uint64_t provider_generation() override { return knows_nothing_.provider_generation(); }
  void release() override {}

 private:
  const std::size_t number_;
  testing::FakeSource knows_nothing_;
};

void set_hang(bool hang) {
  const std::lock_guard lock(registries().mutex);
  registries().hang = hang;
  registries().changed.notify_all();
}

void set_missing(bool missing) {
  const std::lock_guard lock(registries().mutex);
  registries().missing = missing;
}

class NoProviders final : public ProviderMachine {
 public:
  std::vector<ProviderRegistration> registrations() override { return {}; }
  std::expected<std::unique_ptr<ProviderLibrary>, Error> load(
      const ProviderRegistration&) override {
    return std::unexpected(Error{.code = ErrorCode::kNotRegistered});
  }
  LibraryHead library_head(const ProviderRegistration&) override { return {}; }
  LibraryOrigin library_origin(const LibraryHead&) override { return {}; }
  std::optional<PerfHost> perf_host() override { return std::nullopt; }
  BlockMoment now() override { return {}; }
  std::u16string computer_name() override { return {}; }
};

bool has_providers = false;

class NoFacts final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest&, const StopToken&) override {
    return std::unexpected(Error{.code = ErrorCode::kUnsupported});
  }
};

}  // namespace

testing::ProvidersHere::ProvidersHere() { has_providers = true; }
testing::ProvidersHere::~ProvidersHere() { has_providers = false; }

std::unique_ptr<ProviderMachine> make_provider_machine() {
  if (!has_providers) return nullptr;
  return std::make_unique<NoProviders>();
}

QueryLimits testing::registry_limits() {
  const std::lock_guard lock(registries().mutex);
  return registries().limits.at(registries().opened);
}

std::size_t testing::opened_registries() {
  const std::lock_guard lock(registries().mutex);
  return registries().opened;
}

bool testing::is_asked(std::size_t registry, const std::string& value_name) {
  Registries& all = registries();
  std::unique_lock lock(all.mutex);
  return all.changed.wait_for(lock, std::chrono::minutes(1),
                              [&] { return all.asked.contains({registry, value_name}); });
}

std::size_t testing::asked_registry(std::size_t opened, const std::string& value_name) {
  Registries& all = registries();
  std::unique_lock lock(all.mutex);
  std::size_t found = 0;
  all.changed.wait_for(lock, std::chrono::minutes(1), [&] {
    for (const auto& [number, asked] : all.asked)
      if (number > opened && asked == value_name) found = number;
    return found != 0;
  });
  return found;
}

QueryLimits testing::limits_of(std::size_t registry) {
  const std::lock_guard lock(registries().mutex);
  return registries().limits.at(registry);
}

testing::HangingRegistries::HangingRegistries() { set_hang(true); }
testing::HangingRegistries::~HangingRegistries() { set_hang(false); }

testing::MissingRegistry::MissingRegistry() { set_missing(true); }
testing::MissingRegistry::~MissingRegistry() { set_missing(false); }

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  const std::lock_guard lock(registries().mutex);
  if (registries().missing)
    return std::unexpected(SourceError{.code = {}, .text = "there is no registry here"});
  const std::size_t number = ++registries().opened;
  registries().limits[number] = limits;
  return std::make_unique<NotingRegistry>(number);
}

std::unique_ptr<FactSource> make_fact_source() { return std::make_unique<NoFacts>(); }

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  return std::unexpected(SourceError{.code = {}, .text = "there is no PerfLib here"});
}

}  // namespace winperf

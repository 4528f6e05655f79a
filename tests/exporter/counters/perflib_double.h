// A double of PerfLib's functions for providers: records the calls, keeps the values of each
// instance, and fails as it is told. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exporter/counters/v2_provider.h"
#include "tests/support/narrowed.h"

namespace winperf::own::testing {

class PerfLibDouble {
 public:
  struct Made {
    const ObjectRow* object = nullptr;
    std::u16string name;
    std::uint32_t id = 0;
    std::map<std::uint32_t, std::uint64_t> values{};  // without unknown ones
    std::map<std::uint32_t, std::uint32_t> bytes{};   // as they were set
  };

  // What OwnProvider gets; this object has to outlive it.
  std::unique_ptr<ProviderFunctions> functions() { return std::make_unique<Functions>(*this); }

  // "start", "describe EXPORTER", "create NAME ID", "remove NAME", "stop"; values aren't in it.
  std::vector<std::string> take_calls() {
    const std::lock_guard lock(mutex_);
    return std::exchange(calls_, {});
  }
  // The instances of an object by their names.
  std::map<std::u16string, Made> instances(const ObjectRow& object) const {
    const std::lock_guard lock(mutex_);
    std::map<std::u16string, Made> found;
    for (const auto& [instance, made] : made_)
      if (made->object == &object) found.emplace(made->name, *made);
    return found;
  }
  // Calls that begin with this text, such as "create Disk", fail from now on; 0: succeed again.
  void fail(const std::string& call, std::uint32_t code) {
    const std::lock_guard lock(mutex_);
    failures_[call] = code;
  }
  // Called before a call is carried out, without a lock.
  void before_each(std::function<void(const std::string&)> hook) { before_ = std::move(hook); }

 private:
  class Functions final : public ProviderFunctions {
   public:
    explicit Functions(PerfLibDouble& owner) : owner_(owner) {}

    std::uint32_t start(const ProviderGuid&, Control) override { return owner_.call("start"); }
    std::uint32_t describe(const ProviderGuid& counterset, const ObjectRow& object) override {
      const bool fits = &counterset == &guid_of(object);
      return fits ? owner_.call(std::string("describe ") + object.symbol) : 87;
    }
    std::expected<Instance, std::uint32_t> create(const ProviderGuid& counterset,
                                                  const std::u16string& name,
                                                  std::uint32_t id) override {
      const std::string text = winperf::testing::narrowed(name);
      if (const auto code = owner_.call("create " + text + ' ' + std::to_string(id)); code != 0)
        return std::unexpected(code);
      const ObjectRow* const object =
          &counterset == &guid_of(kExporterObject) ? &kExporterObject : &kCountersetObject;
      auto made = std::make_unique<Made>(Made{.object = object, .name = name, .id = id});
      const std::lock_guard lock(owner_.mutex_);
      Instance const instance = made.get();
      owner_.made_.emplace(instance, std::move(made));
      return instance;
    }
    std::uint32_t set(Instance instance, std::uint32_t counter, std::uint32_t bytes,
                      std::uint64_t value) override {
      const std::lock_guard lock(owner_.mutex_);
      Made& made = *owner_.made_.at(instance);
      if (const auto code = owner_.failure("set " + std::to_string(counter)); code != 0)
        return code;
      made.values[counter] = value;
      made.bytes[counter] = bytes;
      return 0;
    }
    std::uint32_t set_unknown(Instance instance, std::uint32_t counter) override {
      const std::lock_guard lock(owner_.mutex_);
      Made& made = *owner_.made_.at(instance);
      if (!is_by_reference(*made.object, made.object->counters[counter])) return 87;
      made.values.erase(counter);
      return 0;
    }
    std::uint32_t remove(Instance instance) override {
      std::u16string name;
      {
        const std::lock_guard lock(owner_.mutex_);
        name = owner_.made_.at(instance)->name;
      }
      if (const auto code = owner_.call("remove " + winperf::testing::narrowed(name)); code != 0)
        return code;
      const std::lock_guard lock(owner_.mutex_);
      owner_.made_.erase(instance);
      return 0;
    }
    void stop() override { owner_.call("stop"); }

   private:
    PerfLibDouble& owner_;
  };

  std::uint32_t call(const std::string& text) {
    if (before_) before_(text);
    const std::lock_guard lock(mutex_);
    calls_.push_back(text);
    return failure(text);
  }
  std::uint32_t failure(const std::string& text) const {
    for (const auto& [beginning, code] : failures_)
      if (text.starts_with(beginning)) return code;
    return 0;
  }

  mutable std::mutex mutex_;
  std::vector<std::string> calls_;
  std::map<ProviderFunctions::Instance, std::unique_ptr<Made>> made_;
  std::map<std::string, std::uint32_t> failures_;
  std::function<void(const std::string&)> before_;
};

}  // namespace winperf::own::testing

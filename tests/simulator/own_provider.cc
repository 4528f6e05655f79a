#include "tests/simulator/own_provider.h"

#include <algorithm>
#include <chrono>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "collectors/wire/text.h"
#include "exporter/counters/own_counters.h"
#include "exporter/counters/v2_layout.h"
#include "exporter/counters/v2_provider.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/own_section.h"
#include "tests/simulator/user_provider.h"

namespace winperf::simulator {
namespace {

using own::CounterRow;
using own::ObjectRow;
using own::OwnText;

// Of the objects and their counters, each with its title index.
V1Provider::Names texts_of(std::uint32_t first, OwnText CounterRow::* of_counter,
                           OwnText ObjectRow::* of_object, const char* OwnText::* text) {
  V1Provider::Names texts;
  for (const ObjectRow* const object : own::kObjects) {
    texts.emplace_back(first + own::title_offset(*object), to_utf16(object->*of_object.*text));
    for (std::size_t row = 0; row < object->counters.size(); ++row)
      texts.emplace_back(first + own::title_offset(*object, row),
                         to_utf16(object->counters[row].*of_counter.*text));
  }
  return texts;
}

std::uint32_t title_count() {
  std::uint32_t count = 0;
  for (const ObjectRow* const object : own::kObjects)
    count += 1 + static_cast<std::uint32_t>(object->counters.size());
  return count;
}

}  // namespace

OwnExtension::OwnExtension(std::filesystem::path section, own::TitleIndices titles, OwnClock now)
    : V1Provider(PerformanceKey{.service = u"winperf_exporter",
                                .open = "OpenWinperfExporter",
                                .collect = "CollectWinperfExporter",
                                .close = "CloseWinperfExporter",
                                .supports_metadata = true}),
      section_(std::move(section)),
      titles_(titles),
      now_(std::move(now)),
      extension_(surroundings_of(this)) {
  exports = {key.open, key.collect, key.close};
  for (const ObjectRow* const object : own::kObjects)
    key.object_list.push_back(titles.first_counter + own::title_offset(*object));
}

own::Surroundings OwnExtension::surroundings_of(OwnExtension* provider) {
  return {.read_indices =
              [](void* context, own::TitleIndices& indices) {
                indices = static_cast<OwnExtension*>(context)->titles_;
                return kSuccess;
              },
          .with_section =
              [](void* context, UseSection use, void* of_use) {
                return with_section_file(static_cast<OwnExtension*>(context)->section_, use,
                                         of_use);
              },
          .now = [](void* context) { return static_cast<OwnExtension*>(context)->now_(); },
          .tick =
              [](void*) {
                const auto since = std::chrono::steady_clock::now().time_since_epoch();
                return static_cast<std::uint64_t>(
                    std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
              },
          .report =
              [](void* context, own::Trouble trouble, std::uint32_t detail) {
                static_cast<OwnExtension*>(context)->reports_.push_back({trouble, detail});
              },
          .context = provider};
}

std::uint32_t OwnExtension::open(const char16_t*) { return extension_.open(); }
std::uint32_t OwnExtension::close() { return extension_.close(); }

std::uint32_t OwnExtension::collect(std::u16string_view query, std::byte*& data,
                                    std::uint32_t& bytes, std::uint32_t& object_types) {
  const std::u16string text(query);
  void* place = data;
  const std::uint32_t code = extension_.collect(text.c_str(), &place, &bytes, &object_types);
  data = static_cast<std::byte*>(place);
  return code;
}

V1Provider::Names OwnExtension::names() const {
  return texts_of(titles_.first_counter, &CounterRow::english, &ObjectRow::english, &OwnText::name);
}
V1Provider::Names OwnExtension::local_names() const {
  return texts_of(titles_.first_counter, &CounterRow::german, &ObjectRow::german, &OwnText::name);
}
V1Provider::Names OwnExtension::helps() const {
  return texts_of(titles_.first_help, &CounterRow::english, &ObjectRow::english, &OwnText::help);
}

namespace {

Guid own_guid(const own::ProviderGuid& guid) {
  Guid result;
  std::size_t at = 0;
  const auto put = [&](std::uint32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      result.bytes[at++] = static_cast<std::uint8_t>(value >> (8 * i) & 0xFF);
  };
  put(guid.data1, 4);
  put(guid.data2, 2);
  put(guid.data3, 2);
  for (const std::uint8_t byte : guid.data4) put(byte, 1);
  return result;
}

CountersetDefinition definition_of(const ObjectRow& object) {
  CountersetDefinition set{.guid = own_guid(own::guid_of(object)),
                           .name = to_utf16(object.english.name),
                           .help = to_utf16(object.english.help),
                           .local_name = to_utf16(object.german.name),
                           .instance_type = object.has_instances ? v2::InstanceType::kMultiple
                                                                 : v2::InstanceType::kSingle};
  for (const own::V2Counter& counter : own::v2_counters(object)) {
    CounterDefinition& added = set.counters.emplace_back();
    added.id = counter.id;
    added.type = static_cast<std::uint32_t>(counter.type);
    added.attributes = counter.attributes;
    added.default_scale = counter.scale;
    added.bytes = 8;
    if (counter.id >= object.counters.size()) continue;  // the clock and its frequency
    const CounterRow& row = object.counters[counter.id];
    added.name = to_utf16(row.english.name);
    added.help = to_utf16(row.english.help);
    added.local_name = to_utf16(row.german.name);
    added.bytes = static_cast<std::uint8_t>(row.bytes);
    if (counter.id + 1 < object.counters.size() &&
        own::is_base(object.counters[counter.id + 1].type))
      added.base_id = counter.id + 1;
    if (row.type == own::OwnType::kElapsedTime) {
      added.perf_time_id = own::kTimeId;
      added.perf_freq_id = own::kFrequencyId;
    }
  }
  return set;
}

// PerfLib's functions for the product's provider. Thread rule: one thread at a time.
class OwnFunctions final : public own::ProviderFunctions {
 public:
  // Both outlive this object. `control`: where the system finds the callback.
  OwnFunctions(UserProvider& provider, Control& control) : provider_(provider), control_(control) {}

  std::uint32_t start(const own::ProviderGuid& provider, Control control) override {
    if (own_guid(provider) != provider_.guid()) return kGuidNotFound;
    control_ = std::move(control);
    provider_.start();
    return kSuccess;
  }
  std::uint32_t describe(const own::ProviderGuid& counterset, const ObjectRow& object) override {
    const auto definitions = provider_.countersets();
    const bool is_registered = std::ranges::any_of(definitions, [&](const auto& definition) {
      return definition.guid == own_guid(counterset) &&
             definition.counters.size() == own::v2_counters(object).size();
    });
    return is_registered ? kSuccess : kInvalidRegistration;
  }
  std::expected<Instance, std::uint32_t> create(const own::ProviderGuid& counterset,
                                                const std::u16string& name,
                                                std::uint32_t id) override {
    const Guid guid = own_guid(counterset);
    const bool has_name = guid != own_guid(own::kExporterGuid);  // that consumers see
    auto key = std::make_unique<UserProvider::InstanceKey>(
        UserProvider::InstanceKey{guid, has_name ? name : std::u16string(), id});
    if (const std::uint32_t code = provider_.create_instance(*key); code != kSuccess)
      return std::unexpected(code);
    return keys_.emplace_back(std::move(key)).get();
  }
  std::uint32_t set(Instance instance, std::uint32_t counter, std::uint32_t,
                    std::uint64_t value) override {
    return provider_.set_value(key_of(instance), counter, value);
  }
  std::uint32_t set_unknown(Instance instance, std::uint32_t counter) override {
    return provider_.set_reference(key_of(instance), counter, nullptr);
  }
  std::uint32_t remove(Instance instance) override {
    const std::uint32_t code = provider_.delete_instance(key_of(instance));
    std::erase_if(keys_, [instance](const auto& key) { return key.get() == instance; });
    return code;
  }
  void stop() override {
    provider_.stop();
    control_ = {};
  }

 private:
  static const UserProvider::InstanceKey& key_of(Instance instance) {
    return *static_cast<const UserProvider::InstanceKey*>(instance);
  }

  UserProvider& provider_;
  Control& control_;
  std::vector<std::unique_ptr<UserProvider::InstanceKey>> keys_;
};

// The product's provider, which gets the section's newest state whenever a consumer asks, and runs
// for as long as there is one.
class OwnV2Provider final : public V2Provider {
 public:
  OwnV2Provider(std::filesystem::path section, OwnClock now)
      : section_(std::move(section)), now_(std::move(now)) {
    user_.stop();  // registered, but not started
  }

  Guid guid() const override { return user_.guid(); }
  std::u16string name() const override { return user_.name(); }
  std::vector<CountersetDefinition> countersets() const override { return user_.countersets(); }

  std::uint32_t add_counter(const CountersetDefinition& counterset, const Mask& mask) override {
    const std::lock_guard lock(mutex_);
    return user_.add_counter(counterset, mask);
  }
  void remove_counter(const CountersetDefinition& counterset, const Mask& mask) override {
    const std::lock_guard lock(mutex_);
    user_.remove_counter(counterset, mask);
  }
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) override {
    const std::lock_guard lock(mutex_);
    if (!feed()) return std::unexpected(kInvalidRegistration);
    return user_.enumerate(counterset, mask);
  }
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(
      const CountersetDefinition& counterset, const Mask& mask) override {
    const std::lock_guard lock(mutex_);
    if (!feed()) return std::unexpected(kInvalidRegistration);
    return user_.collect(counterset, mask);
  }

 private:
  // False if the provider reports a problem.
  bool feed() {
    const auto state = state_in(section_, now_());
    if (!state) {
      provider_.reset();
      return true;
    }
    if (provider_ == nullptr) {
      provider_ = std::make_unique<own::OwnProvider>(
          std::make_unique<OwnFunctions>(user_, control_),
          ClockSource{.steady_now = std::chrono::steady_clock::now,
                      .wall_now = [this] { return Ticks100ns{now_()}; }});
      if (!provider_->start()) return false;
    }
    return provider_->show(*state).empty();
  }
  std::uint32_t call(ControlRequest request) {
    if (!control_ || request == ControlRequest::kFilter) return kSuccess;
    return control_(static_cast<own::ControlRequest>(request));
  }

  const std::filesystem::path section_;
  const OwnClock now_;
  std::mutex mutex_;
  own::ProviderFunctions::Control control_;
  UserProvider user_{own_guid(own::kProviderGuid), u"winperf_exporter", own_definitions(),
                     [this](ControlRequest request, const Guid&) { return call(request); }};
  std::unique_ptr<own::OwnProvider> provider_;
};

}  // namespace

std::vector<CountersetDefinition> own_definitions() {
  return {definition_of(own::kExporterObject), definition_of(own::kCountersetObject)};
}

std::shared_ptr<V2Provider> own_v2_provider(std::filesystem::path section, OwnClock now) {
  return std::make_shared<OwnV2Provider>(std::move(section), std::move(now));
}

void add_own_counters(Machine& machine, const std::filesystem::path& section, const OwnClock& now) {
  const std::uint32_t first = machine.assign_titles(title_count());
  machine.add(std::make_shared<OwnExtension>(
      section, own::TitleIndices{.first_counter = first, .first_help = first + 1}, now));
  machine.add(own_v2_provider(section, now));
}

}  // namespace winperf::simulator

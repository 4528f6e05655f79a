#include "tests/simulator/own_provider.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "collectors/wire/text.h"
#include "exporter/counters/own_counters.h"
#include "exporter/counters/v2_provider.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/own_section.h"

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

constexpr std::uint32_t kOwnClockType = 0x00010100;  // PERF_COUNTER_LARGE_RAWCOUNT

Guid guid_of(const own::ProviderGuid& guid) {
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

CountersetDefinition definition_of(const ObjectRow& object, const own::ProviderGuid& guid) {
  CountersetDefinition set{.guid = guid_of(guid),
                           .name = to_utf16(object.english.name),
                           .help = to_utf16(object.english.help),
                           .local_name = to_utf16(object.german.name),
                           .instance_type = object.has_instances ? v2::InstanceType::kMultiple
                                                                 : v2::InstanceType::kSingle};
  for (std::size_t row = 0; row < object.counters.size(); ++row) {
    const CounterRow& counter = object.counters[row];
    CounterDefinition& added = set.counters.emplace_back(
        CounterDefinition{.id = static_cast<std::uint32_t>(row),
                          .name = to_utf16(counter.english.name),
                          .type = static_cast<std::uint32_t>(counter.type),
                          .bytes = static_cast<std::uint8_t>(counter.bytes),
                          .default_scale = counter.scale,
                          .help = to_utf16(counter.english.help),
                          .local_name = to_utf16(counter.german.name)});
    if (own::is_base(counter.type)) added.attributes = v2::kAttribNotDisplayed;
    if (row + 1 < object.counters.size() && own::is_base(object.counters[row + 1].type))
      added.base_id = added.id + 1;
    if (counter.type == own::OwnType::kElapsedTime) {
      added.perf_time_id = own::kTimeId;
      added.perf_freq_id = own::kFrequencyId;
    }
  }
  for (const std::uint32_t id : {own::kTimeId, own::kFrequencyId})
    set.counters.push_back(
        {.id = id, .type = kOwnClockType, .bytes = 8, .attributes = v2::kAttribNotDisplayed});
  return set;
}

// Answers with the state that the section has, as PerfLib does while the exporter runs.
class OwnV2Provider final : public V2Provider {
 public:
  OwnV2Provider(std::filesystem::path section, OwnClock now)
      : section_(std::move(section)), now_(std::move(now)) {}

  Guid guid() const override { return guid_of(own::kProviderGuid); }
  std::u16string name() const override { return u"winperf_exporter"; }
  std::vector<CountersetDefinition> countersets() const override { return definitions_; }
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) override {
    return collect(counterset, mask);
  }
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(
      const CountersetDefinition& counterset, const Mask&) override {
    const std::int64_t now = now_();
    const auto state = state_in(section_, now);
    if (!state) return std::unexpected(kInstanceNotFound);
    std::vector<InstanceValues> instances;
    if (counterset.guid == guid_of(own::kExporterGuid)) {
      std::vector<std::uint64_t> values;
      for (const auto& value : state->exporter) {
        if (!value) return std::unexpected(kNoData);
        values.push_back(*value);
      }
      instances.push_back({.values = std::move(values)});
    } else {
      for (const own::CountersetRow& row : state->countersets)
        instances.push_back({.name = row.name,
                             .id = static_cast<std::uint32_t>(instances.size()),
                             .values = {row.values.begin(), row.values.end()}});
    }
    for (InstanceValues& instance : instances) {
      instance.values.push_back(static_cast<std::uint64_t>(now));
      instance.values.push_back(10'000'000);
    }
    return instances;
  }

 private:
  const std::filesystem::path section_;
  const OwnClock now_;
  const std::vector<CountersetDefinition> definitions_ = own_definitions();
};

}  // namespace

std::vector<CountersetDefinition> own_definitions() {
  return {definition_of(own::kExporterObject, own::kExporterGuid),
          definition_of(own::kCountersetObject, own::kCountersetGuid)};
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

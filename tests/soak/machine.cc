#include "tests/soak/machine.h"

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "tests/providers/faulty/harm.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/faulty_provider.h"

namespace winperf::soak {
namespace {

using simulator::CounterDefinition;
using simulator::CountersetDefinition;
using simulator::InstanceValues;
using simulator::Machine;
using simulator::Mask;
using simulator::ObjectProvider;
using testing::ObjectBuilder;

constexpr std::uint32_t kCounter = 0x10410400;
constexpr std::uint32_t kBulkCount = 0x10410500;
constexpr std::uint32_t kRawCount = 0x00010000;
constexpr std::int64_t kSecond = 10'000'000;  // in ticks of the machine's clocks

constexpr std::uint32_t kClockwork = 1990;
constexpr std::uint32_t kVisitors = 2000;
constexpr std::uint32_t kRestarter = 2100;
constexpr std::uint64_t kGuests = 20;  // visitors, and callers, at a time

std::uint64_t beats(const Machine& machine) {
  return static_cast<std::uint64_t>((machine.now().perf_time - simulator::Now{}.perf_time) /
                                    kSecond);
}

std::u16string widened(const std::string& text) { return {text.begin(), text.end()}; }

// Calls `add` with the number of each one that is there.
void for_each_guest(const Machine& machine, const std::function<void(std::uint64_t)>& add) {
  const std::uint64_t newest = beats(machine) / 60 + kGuests;
  for (std::uint64_t number = newest - kGuests + 1; number <= newest; ++number) add(number);
}

// A provider with one object of that index, whose counters have the indices after it.
std::shared_ptr<ObjectProvider> provider_of(
    const std::u16string& name, std::uint32_t index,
    const std::vector<std::pair<std::u16string, testing::CounterSpec>>& counters,
    const std::function<void(ObjectBuilder&, bool metadata)>& fill) {
  std::vector<std::pair<std::uint32_t, std::u16string>> names{{index, name}};
  std::vector<testing::CounterSpec> specs;
  for (const auto& [title, spec] : counters) {
    specs.push_back(spec);
    specs.back().index = index + 2 * static_cast<std::uint32_t>(specs.size());
    names.emplace_back(specs.back().index, title);
  }
  const auto build = [=](bool metadata) {
    ObjectBuilder object(index);
    for (const testing::CounterSpec& spec : specs) object.counter(spec);
    fill(object, metadata);
    return object;
  };
  return std::make_shared<ObjectProvider>(
      simulator::PerformanceKey{.service = name, .object_list = {index}, .supports_metadata = true},
      std::vector<ObjectProvider::Object>{{.index = index, .build = build}}, names);
}

void add_v1(Machine& machine, const Board& board) {
  machine.add(provider_of(
      u"Clockwork", kClockwork,
      {{u"Ticks/sec", {.type = kCounter}}, {u"Beats/sec", {.type = kBulkCount, .size = 8}}},
      [&](ObjectBuilder& object, bool metadata) {
        if (metadata)
          object.metadata();
        else
          object.single({kTicksPerBeat * beats(machine) & 0xFFFFFFFF, beats(machine)});
      }));
  machine.add(
      provider_of(u"Visitors", kVisitors,
                  {{u"Steps/sec", {.type = kBulkCount, .size = 8}}, {u"Seat", {.type = kRawCount}}},
                  [&](ObjectBuilder& object, bool metadata) {
                    object.multi_instance();
                    if (metadata) return void(object.metadata());
                    for_each_guest(machine, [&](std::uint64_t number) {
                      object.instance({.name = u"visitor " + widened(std::to_string(number)),
                                       .values = {10 * beats(machine) + number, number % kGuests}});
                    });
                  }));
  machine.add(
      provider_of(u"Restarter", kRestarter, {{u"Requests/sec", {.type = kBulkCount, .size = 8}}},
                  [&](ObjectBuilder& object, bool metadata) {
                    const std::int64_t alive = board.elapsed_100ns - board.restarted_at_100ns;
                    if (metadata)
                      object.metadata();
                    else
                      object.single({static_cast<std::uint64_t>(alive / kSecond)});
                  }));
}

// What a worker's process gets is in the process's own hands: the board says what goes wrong.
class Troublemaker final : public simulator::V1Provider {
 public:
  Troublemaker(const Machine& machine, const Board& board)
      : V1Provider({.service = u"Faulty",
                    .object_list = {simulator::kFaultyObject},
                    .supports_metadata = true}),
        honest_(machine, {}),
        board_(board) {}

  std::uint32_t open(const char16_t* devices) override { return honest_.open(devices); }
  std::uint32_t close() override { return honest_.close(); }
  std::vector<std::pair<std::uint32_t, std::u16string>> names() const override {
    return honest_.names();
  }
  std::uint32_t collect(std::u16string_view query, std::byte*& data, std::uint32_t& bytes,
                        std::uint32_t& object_types) override {
    const Trouble trouble = board_.provider;
    if (trouble == Trouble::kHarm) faulty::perform(faulty::words().at(board_.harm), data + bytes);
    std::byte* const begin = data;
    const std::uint32_t code = honest_.collect(query, data, bytes, object_types);
    if (trouble == Trouble::kGarbage && bytes != 0) spoil({begin, bytes}, object_types);
    return code;
  }

 private:
  void spoil(std::span<std::byte> reply, std::uint32_t& object_types) const {
    // Its title: with another one it would pass for somebody else.
    constexpr std::size_t kTitle = 12;
    std::mt19937_64 random(static_cast<std::uint64_t>(board_.elapsed_100ns));
    for (std::size_t i = 0; i < 1 + reply.size() / 20; ++i) {
      const std::size_t place = random() % reply.size();
      if (place < kTitle || place >= kTitle + 4) reply[place] = static_cast<std::byte>(random());
    }
    if (random() % 4 == 0) ++object_types;
  }

  simulator::FaultyProvider honest_;
  const Board& board_;
};

// A V2 provider with one counterset, both as functions say. It was there when it was added.
class LivingProvider final : public simulator::V2Provider {
 public:
  using Definition = std::function<CountersetDefinition()>;
  using Rows = std::function<std::vector<InstanceValues>()>;
  LivingProvider(Definition definition, Rows rows, std::function<bool()> is_there)
      : definition_(std::move(definition)),
        rows_(std::move(rows)),
        is_there_(std::move(is_there)) {}

  Guid guid() const override { return definition_().guid; }
  std::u16string name() const override { return definition_().name + u" Provider"; }
  std::vector<CountersetDefinition> countersets() const override {
    if (is_added && !is_there_()) return {};
    return {definition_()};
  }
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) override {
    return collect(counterset, mask);
  }
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(const CountersetDefinition&,
                                                                    const Mask&) override {
    return rows_();
  }

  bool is_added = false;

 private:
  Definition definition_;
  Rows rows_;
  std::function<bool()> is_there_;
};

void add_living(
    Machine& machine, LivingProvider::Definition definition, LivingProvider::Rows rows,
    std::function<bool()> is_there = [] { return true; }) {
  const auto provider =
      std::make_shared<LivingProvider>(std::move(definition), std::move(rows), std::move(is_there));
  machine.add(provider);
  provider->is_added = true;
}

std::vector<InstanceValues> callers(const Machine& machine) {
  std::vector<InstanceValues> rows;
  for_each_guest(machine, [&](std::uint64_t number) {
    rows.push_back({.name = u"caller " + widened(std::to_string(number)),
                    .id = static_cast<std::uint32_t>(number),
                    .values = {10 * beats(machine) + number, number % kGuests}});
  });
  return rows;
}

std::vector<InstanceValues> waves(const Machine& machine) {
  constexpr std::uint32_t kWaves = 8;
  const std::uint64_t count = beats(machine);
  std::vector<InstanceValues> rows;
  for (std::uint32_t id = 0; id < kWaves; ++id)
    rows.push_back({.name = u"wave " + widened(std::to_string(id)),
                    .id = id,
                    .values = {kTicksPerBeat * count & 0xFFFFFFFF, count}});
  return rows;
}

void add_v2(Machine& machine, const Board& board) {
  const CounterDefinition beats_counter{
      .id = 2, .name = u"Beats/sec", .type = kBulkCount, .bytes = 8};
  add_living(
      machine,
      [=] {
        return CountersetDefinition{
            .guid = *parse_guid("5eed0000-2a0f-4c57-9e55-000000000001"),
            .name = u"Waves",
            .counters = {{.id = 1, .name = u"Ticks/sec", .type = kCounter}, beats_counter}};
      },
      [&] { return waves(machine); });
  add_living(
      machine,
      [=] {
        return CountersetDefinition{.guid = *parse_guid("5eed0000-2a0f-4c57-9e55-000000000002"),
                                    .name = u"Callers",
                                    .counters = {beats_counter, {.id = 3, .name = u"Line"}}};
      },
      [&] { return callers(machine); });
  add_living(
      machine,
      [&] {
        const std::u16string visit = widened(std::to_string(board.installations));
        return CountersetDefinition{.guid = *parse_guid("5eed0000-2a0f-4c57-9e55-000000000003"),
                                    .name = u"Guest",
                                    .instance_type = v2::InstanceType::kSingle,
                                    .counters = {{.id = 1, .name = u"Stay " + visit}}};
      },
      [] { return std::vector{InstanceValues{.values = {7}}}; },
      [&] { return board.installations % 2 == 1; });
}

// PerfLib's calls have the board's trouble.
class BoardSpoiler final : public simulator::Spoiler {
 public:
  BoardSpoiler(const Board& board, simulator::Faults& faults) : board_(board), faults_(faults) {}

  void before_perflib_data() override {
    const Trouble trouble = board_.perflib;
    if (trouble == Trouble::kHarm) faulty::perform(faulty::words().at(board_.harm));
    if (trouble == Trouble::kRefuse) faults_.fail(simulator::Point::kData, simulator::kBusy);
  }

 private:
  const Board& board_;
  simulator::Faults& faults_;
};

std::unique_ptr<Machine> furnished(const Board& board) {
  auto machine = std::make_unique<Machine>([&board] { return now_of(board); });
  add_v1(*machine, board);
  machine->add(std::make_shared<Troublemaker>(*machine, board));
  add_v2(*machine, board);
  machine->spoiler = std::make_unique<BoardSpoiler>(board, machine->faults);
  return machine;
}

}  // namespace

const Board& board() {
  static const Board& board = open_board();
  return board;
}

Machine& machine() {
  static const auto machine = furnished(board());
  return *machine;
}

}  // namespace winperf::soak

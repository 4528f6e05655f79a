#include "tests/simulator/server/counter_text.h"

#include <algorithm>

#include "collectors/base/decimal.h"
#include "tests/simulator/server/movement_text.h"

namespace winperf::simulator {
namespace {

constexpr CounterType kAverageTimer{0x30020400};
constexpr CounterType kSampleBase{0x40030401};
constexpr CounterType kAverageBase{0x40030402};
constexpr CounterType kRawBase{0x40030403};
constexpr CounterType kLargeRawBase{0x40030500};

CounterTypeInfo type_named(const std::string& name) {
  const auto types = known_counter_types();
  const auto found = std::ranges::find(types, name, &CounterTypeInfo::name);
  if (found == types.end() || found->is_base || found->raw_bytes == 0)
    throw Misunderstood{"counters have no type \"" + name + '"'};
  return *found;
}

// As in real replies, where averages of time are wider than their type says.
std::uint8_t bytes_of(const CounterTypeInfo& type) {
  return type.type == kAverageTimer ? std::uint8_t{8} : type.raw_bytes;
}

CounterType base_type(const CounterTypeInfo& type) {
  if (type.base == BaseKind::kSample) return kSampleBase;
  if (type.base == BaseKind::kAverage) return kAverageBase;
  return type.raw_bytes == 8 ? kLargeRawBase : kRawBase;
}

std::uint32_t next_id(const ServerObject& object) {
  std::uint32_t id = 0;
  for (const ServerCounter& counter : object.counters) id = std::max(id, counter.number);
  return id + 1;
}

class Adder {
 public:
  Adder(ServerObject& object, const ServerTable* table, bool is_v2)
      : object_(object), table_(table), is_v2_(is_v2) {}

  void add(const std::vector<std::string>& cells);
  std::vector<UnfinishedSum> unfinished;

 private:
  void add_base(const CounterTypeInfo& type, std::string text);
  void add_same_base(std::string_view name);
  void push(ServerCounter counter, std::optional<std::uint32_t> number, std::string_view movement);

  ServerObject& object_;
  const ServerTable* const table_;
  const bool is_v2_;
};

void Adder::push(ServerCounter counter, std::optional<std::uint32_t> number,
                 std::string_view movement) {
  counter.movement = movement_in(movement, table_);
  if (counter.movement.motion == Motion::kSum)
    unfinished.push_back({object_.counters.size(), std::string(movement)});
  counter.number = number ? *number : is_v2_ ? next_id(object_) : 0;
  object_.counters.push_back(std::move(counter));
}

void Adder::add(const std::vector<std::string>& cells) {
  if (cells.size() < 3 || cells.size() > 4)
    throw Misunderstood{"\"counter\" needs a name, a type, a movement, and perhaps a base"};
  ServerCounter counter{.name = cells[0]};
  const auto number = take_number(counter.name);
  const CounterTypeInfo type = type_named(cells[1]);
  counter.type = type.type;
  counter.bytes = bytes_of(type);
  push(std::move(counter), number, cells[2]);
  const bool elapsed = object_.counters.back().movement.motion == Motion::kStarted;
  if (elapsed != (type.formula == Formula::kElapsed))
    throw Misunderstood{"\"started\" and PERF_ELAPSED_TIME go together"};
  const std::string base = cells.size() == 4 ? cells[3] : "";
  if (base.starts_with("base of ")) {
    add_same_base(trimmed(std::string_view(base).substr(8)));
  } else if (base.starts_with("base ")) {
    add_base(type, base.substr(5));
  } else if (!base.empty()) {
    throw Misunderstood{'"' + base + "\" is no base"};
  } else if (type.formula == Formula::kPrecision) {
    add_base(type, "");
  } else if (type.base != BaseKind::kNone) {
    throw Misunderstood{std::string(type.name) + " needs a base"};
  }
}

// An empty text: the machine's time.
void Adder::add_base(const CounterTypeInfo& type, std::string text) {
  if (type.base == BaseKind::kNone || type.base == BaseKind::kMulti)
    throw Misunderstood{std::string(type.name) + " has no base here"};
  const ServerCounter& user = object_.counters.back();
  ServerCounter base{.name = is_v2_ ? user.name + " Base" : user.name, .is_hidden = true};
  auto number = take_number(text);
  if (!is_v2_) number = user.number;
  base.type = base_type(type);
  base.bytes = describe(base.type).raw_bytes;
  // The types of some bases say that they have no size.
  if (base.bytes == 0) base.bytes = 4;
  const std::size_t place = object_.counters.size();
  push(std::move(base), number, text.empty() ? "constant 0" : text);
  if (text.empty()) object_.counters.back().movement.motion = Motion::kTime;
  object_.counters[place - 1].base = place;
}

void Adder::add_same_base(std::string_view name) {
  const auto base = object_.counters[counter_named(object_, name)].base;
  if (!base) throw Misunderstood{'"' + std::string(name) + "\" has no base"};
  if (!is_v2_) throw Misunderstood{"only counters of V2 countersets share a base"};
  object_.counters.back().base = *base;
}

}  // namespace

std::vector<UnfinishedSum> add_counter(ServerObject& object, const std::vector<std::string>& cells,
                                       const ServerTable* table, bool is_v2) {
  Adder adder(object, table, is_v2);
  adder.add(cells);
  return std::move(adder.unfinished);
}

std::optional<std::uint32_t> take_number(std::string& text) {
  const std::size_t end = text.find(' ');
  const auto number = whole_decimal<std::uint32_t>(std::string_view(text).substr(0, end));
  if (!number) return std::nullopt;
  text = end == std::string::npos ? "" : trimmed(std::string_view(text).substr(end));
  return number;
}

}  // namespace winperf::simulator

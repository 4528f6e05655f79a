#include "tests/bench/moving_machine.h"

#include <algorithm>
#include <utility>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/simulator/v2_bytes.h"

namespace winperf::testing {
namespace {

constexpr std::int64_t kStart100ns = 133'716'612'800'000'000;
constexpr std::int64_t kPerfFrequency = 10'000'000;

std::u16string utf16(std::string_view ascii) { return {ascii.begin(), ascii.end()}; }

std::uint32_t counter_index(const ObjectShape& object, std::size_t column) {
  return object.index + 2 * (static_cast<std::uint32_t>(column) + 1);
}

simulator::CountersetDefinition definition_of(const ObjectShape& shape) {
  simulator::CountersetDefinition set;
  set.name = utf16(shape.name);
  set.instance_type =
      shape.instances == 0 ? v2::InstanceType::kSingle : v2::InstanceType::kMultiple;
  for (std::uint32_t i = 0; i < shape.counters.size(); ++i) {
    const CounterShape& counter = shape.counters[i];
    simulator::CounterDefinition& made = set.counters.emplace_back();
    made.id = i + 1;
    made.name = utf16(counter.name);
    made.type = counter.type;
    made.bytes = static_cast<std::uint8_t>(bytes_of(counter));
    if (i + 1 < shape.counters.size() && is_base(shape.counters[i + 1])) made.base_id = i + 2;
  }
  return set;
}

}  // namespace

MovingMachine::MovingMachine(Shape shape, unsigned churn)
    : shape_(std::move(shape)), churn_(churn) {
  for (const ObjectShape& object : shape_) {
    Object& made = objects_.emplace_back();
    made.definition = definition_of(object);
    for (std::size_t i = 0; i < std::max<std::size_t>(object.instances, 1); ++i)
      made.rows.push_back(new_row(object, i));
  }
}

simulator::InstanceValues MovingMachine::new_row(const ObjectShape& shape, std::size_t place) {
  constexpr std::uint64_t kFirstValue = 1'000'000;
  simulator::InstanceValues row;
  const std::uint32_t id = ++last_id_;
  row.name = utf16("service" + std::to_string(id));
  row.id = static_cast<std::uint32_t>(place);
  for (std::size_t column = 0; column < shape.counters.size(); ++column)
    row.values.push_back(kFirstValue + 100 * id + column);
  return row;
}

void MovingMachine::replace(const ObjectShape& shape, Object& object) {
  if (churn_ == 0 || shape.instances == 0) return;
  const std::size_t number = std::max<std::size_t>(shape.instances * churn_ / 100, 1);
  for (std::size_t i = 0; i < number; ++i) {
    const std::size_t place = object.next_replaced++ % object.rows.size();
    object.rows[place] = new_row(shape, place);
  }
}

void MovingMachine::move(const ObjectShape& shape, Object& object) const {
  constexpr std::uint64_t kStep = 1'000;
  for (std::size_t row = 0; row < object.rows.size(); ++row)
    for (std::size_t column = 0; column < shape.counters.size(); ++column)
      if ((row + column + second_) % 2 == 0 && !shape.counters[column].is_still)
        object.rows[row].values[column] += kStep + column;
}

void MovingMachine::advance() {
  ++second_;
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    move(shape_[i], objects_[i]);
    replace(shape_[i], objects_[i]);
  }
}

Catalog MovingMachine::catalog() const {
  FakeSource source;
  for (const ObjectShape& object : shape_) {
    source.names.emplace_back(object.index, utf16(object.name));
    for (std::size_t i = 0; i < object.counters.size(); ++i)
      source.names.emplace_back(counter_index(object, i), utf16(object.counters[i].name));
  }
  return Catalog::load(source, Language::kEnglish);
}

BuiltBlock MovingMachine::block() const {
  BlockBuilder block;
  block.time_100ns(clocks().time_100ns).perf_time(clocks().perf_time, {kPerfFrequency});
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    const ObjectShape& shape = shape_[i];
    ObjectBuilder object(shape.index);
    object.clock({clocks().time_100ns.ticks}, {kPerfFrequency});
    for (std::size_t column = 0; column < shape.counters.size(); ++column)
      object.counter({.index = counter_index(shape, column),
                      .type = shape.counters[column].type,
                      .size = bytes_of(shape.counters[column])});
    if (shape.instances == 0) object.single(objects_[i].rows.front().values);
    for (std::size_t row = 0; row < shape.instances; ++row)
      object.instance({.name = objects_[i].rows[row].name, .values = objects_[i].rows[row].values});
    block.add(object);
  }
  return block.build();
}

std::vector<std::shared_ptr<const V2Counterset>> MovingMachine::countersets() const {
  std::vector<std::shared_ptr<const V2Counterset>> all;
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    auto set = std::make_shared<V2Counterset>();
    set->registration =
        v2::parse_counterset(simulator::counterset_info(objects_[i].definition)).value();
    set->name = shape_[i].name;
    for (std::uint32_t column = 0; column < shape_[i].counters.size(); ++column)
      set->counter_names[column + 1] = shape_[i].counters[column].name;
    all.push_back(std::move(set));
  }
  return all;
}

std::vector<ByteVector> MovingMachine::results() const {
  std::vector<ByteVector> all;
  for (const Object& object : objects_) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < object.definition.counters.size(); ++i) columns.push_back(i);
    all.push_back(simulator::table_result(
        {.counterset = object.definition,
         .columns = columns,
         .rows = object.rows,
         .has_instances = object.definition.instance_type != v2::InstanceType::kSingle}));
  }
  return all;
}

Clocks MovingMachine::clocks() const {
  constexpr std::int64_t k100nsPerSecond = 10'000'000;
  return {.perf_time = {(second_ + 1) * kPerfFrequency},
          .perf_frequency = {kPerfFrequency},
          .time_100ns = {kStart100ns + second_ * k100nsPerSecond}};
}

}  // namespace winperf::testing

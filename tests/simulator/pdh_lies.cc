#include "tests/simulator/pdh_lies.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <ranges>

#include "collectors/pdh/pdh_status.h"

namespace winperf::simulator {
namespace {

// What a lie about values may change: an item of a counter, in a collection.
struct Told {
  PdhValues& values;
  std::size_t place = 0;    // of the instance in `values`
  const PdhValues& before;  // the same counter the last time
  const PdhValues& other;   // another counter, now
  std::size_t time = 0;     // 0: the first collection since the query was opened

  PdhRawItem& item() const { return values.raw.at(place); }
  PdhRaw& raw() const { return item().raw; }
  PdhNumber& number() const { return values.numbers.at(place).number; }
  std::size_t next() const { return (place + 1) % values.raw.size(); }
};

struct ValueWay {
  std::string_view name;
  void (*tell)(const Told&);
};

constexpr auto kNan = std::numeric_limits<double>::quiet_NaN();
constexpr auto kInfinite = std::numeric_limits<double>::infinity();

void swap_bytes(std::int64_t& value) {
  std::uint64_t turned = 0;
  for (auto left = static_cast<std::uint64_t>(value), i = std::uint64_t{0}; i < 8; ++i, left >>= 8U)
    turned = (turned << 8U) | (left & 0xFFU);
  value = static_cast<std::int64_t>(turned);
}

// Named for what is wrong.
constexpr std::array kValueWays{
    ValueWay{"value_more", [](const Told& t) { t.raw().first += 100'000'000'000; }},
    ValueWay{"value_less", [](const Told& t) { t.raw().first -= 1'000'000; }},
    ValueWay{"value_twice", [](const Told& t) { t.raw().first *= 2; }},
    ValueWay{"value_zero", [](const Told& t) { t.raw().first = 0; }},
    ValueWay{"value_negative", [](const Told& t) { t.raw().first = -t.raw().first; }},
    ValueWay{"value_half_width", [](const Told& t) { t.raw().first &= 0xFFFF; }},
    ValueWay{"value_extended", [](const Told& t) { t.raw().first |= std::int64_t{-1} << 32U; }},
    ValueWay{"value_bytes_swapped", [](const Told& t) { swap_bytes(t.raw().first); }},
    ValueWay{"value_stale",
             [](const Told& t) {
               if (t.time != 0) t.raw().first = t.before.raw.at(t.place).raw.first;
             }},
    ValueWay{"value_wrong_first",
             [](const Told& t) {
               if (t.time == 0) t.raw().first -= 5000;
             }},
    ValueWay{"value_wrong_second",
             [](const Told& t) {
               if (t.time != 0) t.raw().first += 200'000'000;
             }},
    ValueWay{"instances_swapped",
             [](const Told& t) { std::swap(t.raw(), t.values.raw.at(t.next()).raw); }},
    ValueWay{"counters_swapped",
             [](const Told& t) { t.raw().first = t.other.raw.at(t.place).raw.first; }},
    ValueWay{"raw_stale",
             [](const Told& t) {
               if (t.time != 0) t.raw() = t.before.raw.at(t.place).raw;
             }},
    ValueWay{"base_more", [](const Told& t) { t.raw().second += 100'000'000; }},
    ValueWay{"base_less", [](const Told& t) { t.raw().second -= 100'000'000; }},
    ValueWay{"base_zero", [](const Told& t) { t.raw().second = 0; }},
    ValueWay{"base_negative", [](const Told& t) { t.raw().second = -t.raw().second; }},
    ValueWay{"base_is_value", [](const Told& t) { t.raw().second = t.raw().first; }},
    ValueWay{"base_stale",
             [](const Told& t) {
               if (t.time != 0) t.raw().second = t.before.raw.at(t.place).raw.second;
             }},
    ValueWay{"values_exchanged", [](const Told& t) { std::swap(t.raw().first, t.raw().second); }},
    ValueWay{"multi_more", [](const Told& t) { ++t.raw().multi_count; }},
    ValueWay{"multi_one", [](const Told& t) { t.raw().multi_count = 1; }},
    ValueWay{"multi_zero", [](const Told& t) { t.raw().multi_count = 0; }},
    ValueWay{"stamp_zero", [](const Told& t) { t.raw().local_time = 0; }},
    ValueWay{"stamp_late", [](const Told& t) { t.raw().local_time += 70'000'000; }},
    ValueWay{"stamp_stale",
             [](const Told& t) {
               if (t.time != 0) t.raw().local_time = t.before.raw.at(t.place).raw.local_time;
             }},
    ValueWay{"status_invalid", [](const Told& t) { t.raw().status = kPdhInvalidData; }},
    ValueWay{"status_no_instance", [](const Told& t) { t.raw().status = kPdhNoInstance; }},
    ValueWay{"status_invalid_second",
             [](const Told& t) {
               if (t.time != 0) t.raw().status = kPdhNoData;
             }},
    ValueWay{"instance_missing",
             [](const Told& t) {
               t.values.numbers.erase(t.values.numbers.begin() +
                                      static_cast<std::ptrdiff_t>(t.place));
               t.values.raw.erase(t.values.raw.begin() + static_cast<std::ptrdiff_t>(t.place));
             }},
    ValueWay{"instance_doubled",
             [](const Told& t) {
               t.values.raw.push_back(t.item());
               t.values.numbers.push_back(t.values.numbers.at(t.place));
             }},
    ValueWay{"instance_renamed", [](const Told& t) { t.item().instance += "x"; }},
    ValueWay{"instance_in_other_case", [](const Told& t) { t.item().instance[0] ^= 0x20; }},
    ValueWay{"instance_more", [](const Told& t) { t.values.raw.push_back({"stranger", t.raw()}); }},
    ValueWay{"instances_none", [](const Told& t) { t.values.raw.clear(); }},
    ValueWay{"number_capped",
             [](const Told& t) { t.number().value = std::min(100.0, t.number().value); }},
    ValueWay{"number_nan", [](const Told& t) { t.number() = {.status = 0, .value = kNan}; }},
    ValueWay{"number_infinite",
             [](const Told& t) { t.number() = {.status = 0, .value = -kInfinite}; }},
    ValueWay{"number_scaled", [](const Told& t) { t.number().value *= 0.1; }},
    ValueWay{"number_in_thousands", [](const Told& t) { t.number().value *= 1000; }},
    ValueWay{"number_negative", [](const Told& t) { t.number().value *= -1; }},
    ValueWay{"number_whole",
             [](const Told& t) { t.number().value = std::floor(t.number().value); }},
    ValueWay{"number_a_bit_off", [](const Told& t) { t.number().value *= 1 + 1e-7; }},
    ValueWay{"number_zero", [](const Told& t) { t.number().value = 0; }},
    ValueWay{"number_not_inverted",
             [](const Told& t) { t.number().value = 100 - t.number().value; }},
    ValueWay{"number_is_raw",
             [](const Told& t) { t.number().value = static_cast<double>(t.raw().first); }},
    ValueWay{"number_as_float",
             [](const Told& t) {
               t.number().value = static_cast<double>(static_cast<float>(t.number().value));
             }},
    ValueWay{"number_of_other_instance",
             [](const Told& t) { t.number() = t.values.numbers.at(t.next()).number; }},
    ValueWay{"number_too_early",
             [](const Told& t) {
               if (t.time == 0) t.number() = {.status = 0, .value = 1};
             }},
    ValueWay{"number_missing_first",
             [](const Told& t) {
               if (t.time == 0) t.values.numbers.clear();
             }},
    ValueWay{"number_invalid", [](const Told& t) { t.number().status = kPdhInvalidData; }},
    ValueWay{"number_missing",
             [](const Told& t) {
               t.values.numbers.erase(t.values.numbers.begin() +
                                      static_cast<std::ptrdiff_t>(t.place));
             }},
    ValueWay{"raw_refused", [](const Told& t) { t.values.raw_status = kPdhNoData; }},
    ValueWay{"number_refused", [](const Told& t) { t.values.number_status = kPdhNegativeValue; }},
    ValueWay{"counter_not_collected", [](const Told& t) { t.values.name = "Stranger"; }},
};

struct DefinitionWay {
  std::string_view name;
  void (*tell)(PdhDefinition&);
};

constexpr std::array kDefinitionWays{
    DefinitionWay{"type_other",
                  [](PdhDefinition& d) {
                    d.type =
                        CounterType{value_of(d.type) == 0x10410400 ? 0x10410500U : 0x10410400U};
                  }},
    DefinitionWay{"type_wider",
                  [](PdhDefinition& d) { d.type = CounterType{value_of(d.type) ^ 0x100U}; }},
    DefinitionWay{"type_unknown", [](PdhDefinition& d) { d.type = CounterType{0xFFFFFFFF}; }},
    DefinitionWay{"scale_more", [](PdhDefinition& d) { ++d.default_scale; }},
    DefinitionWay{"scale_opposite",
                  [](PdhDefinition& d) { d.default_scale = -d.default_scale - 7; }},
    DefinitionWay{"time_base_tenfold", [](PdhDefinition& d) { d.time_base *= 10; }},
    DefinitionWay{"time_base_zero", [](PdhDefinition& d) { d.time_base = 0; }},
    DefinitionWay{"time_base_negative", [](PdhDefinition& d) { d.time_base = -d.time_base; }},
    DefinitionWay{"time_base_refused",
                  [](PdhDefinition& d) { d.time_base_status = kPdhInvalidData; }},
    DefinitionWay{"definition_refused", [](PdhDefinition& d) { d.info_status = kPdhInvalidData; }},
    DefinitionWay{"counter_not_added", [](PdhDefinition& d) { d.add_status = kPdhNoCounter; }},
};

// What concerns a counter as a whole has its own place in the functions below.
constexpr std::array<std::string_view, 4> kOtherWays{"counter_not_listed", "counter_more",
                                                     "counter_twice", "counter_collected_twice"};

template <class Ways>
const typename Ways::value_type* way_called(const Ways& ways, std::string_view name) {
  const auto found = std::ranges::find(ways, name, &Ways::value_type::name);
  return found == ways.end() ? nullptr : &*found;
}

std::size_t place_of(const PdhValues& values, const std::optional<std::string>& instance) {
  if (!instance) return 0;
  const auto found = std::ranges::find(values.raw, *instance, &PdhRawItem::instance);
  return static_cast<std::size_t>(found - values.raw.begin());
}

// The counter whose first value is furthest away, of those with as many instances.
const PdhValues& other_than(const PdhCollection& collection, const PdhValues& values) {
  const auto distance = [&values](const PdhValues& other) {
    if (other.raw.size() != values.raw.size()) return 0.0;
    return std::abs(static_cast<double>(other.raw.front().raw.first) -
                    static_cast<double>(values.raw.front().raw.first));
  };
  return *std::ranges::max_element(collection.counters, {}, distance);
}

void tell_about_values(const PdhLie& lie, PdhCollection& collection, const PdhCollection& before,
                       std::size_t time) {
  const auto values = std::ranges::find(collection.counters, lie.counter, &PdhValues::name);
  if (values == collection.counters.end() || values->raw.empty()) return;
  if (lie.way == "counter_collected_twice") {
    const PdhValues again = *values;
    collection.counters.push_back(again);
    return;
  }
  const ValueWay* const way = way_called(kValueWays, lie.way);
  const auto last = std::ranges::find(before.counters, lie.counter, &PdhValues::name);
  if (way == nullptr || (time != 0 && last == before.counters.end())) return;
  const std::size_t place = place_of(*values, lie.instance);
  if (place >= values->raw.size()) return;
  const PdhCollection honest = collection;
  const auto own = static_cast<std::size_t>(values - collection.counters.begin());
  way->tell({.values = *values,
             .place = place,
             .before = time != 0 ? *last : *values,
             .other = other_than(honest, honest.counters[own]),
             .time = time});
}

}  // namespace

std::vector<std::string_view> pdh_ways() {
  std::vector<std::string_view> names(kOtherWays.begin(), kOtherWays.end());
  for (const ValueWay& way : kValueWays) names.push_back(way.name);
  for (const DefinitionWay& way : kDefinitionWays) names.push_back(way.name);
  return names;
}

std::expected<std::vector<PdhLie>, std::string> parse_pdh_lies(std::string_view text) {
  constexpr std::size_t kFewest = 3;
  std::vector<PdhLie> lies;
  for (const auto statement : std::views::split(text, ';')) {
    std::vector<std::string> words;
    for (const auto word : std::views::split(statement, '|'))
      words.emplace_back(word.begin(), word.end());
    if (words.size() == 1 && words[0].empty()) continue;
    if (words.size() < kFewest || words.size() > kFewest + 1)
      return std::unexpected("write COUNTERSET|COUNTER|WAY[|INSTANCE], not \"" + words[0] + "\"");
    PdhLie lie{.counterset = words[0], .counter = words[1], .way = words[2]};
    if (words.size() > kFewest) lie.instance = words[kFewest];
    const auto ways = pdh_ways();
    if (std::ranges::find(ways, lie.way) == ways.end())
      return std::unexpected("there is no way \"" + lie.way + "\"");
    lies.push_back(std::move(lie));
  }
  return lies;
}

std::expected<PdhItems, Error> LyingPdh::items(const PdhObject& object) {
  auto items = honest_->items(object);
  if (!items) return items;
  for (const PdhLie& lie : lies_) {
    if (lie.counterset != object.name) continue;
    if (lie.way == "counter_not_listed") std::erase(items->counters, lie.counter);
    if (lie.way == "counter_more") items->counters.push_back(lie.counter + " Stranger");
  }
  return items;
}

std::expected<std::vector<PdhDefinition>, Error> LyingPdh::open(const PdhQuery& query) {
  object_ = query.object.name;
  collected_ = 0;
  auto definitions = honest_->open(query);
  if (!definitions) return definitions;
  for (const PdhLie& lie : lies_) {
    const auto one = std::ranges::find(*definitions, lie.counter, &PdhDefinition::name);
    if (lie.counterset != object_ || one == definitions->end()) continue;
    if (const DefinitionWay* const way = way_called(kDefinitionWays, lie.way)) way->tell(*one);
    if (lie.way != "counter_twice") continue;
    const PdhDefinition again = *one;
    definitions->push_back(again);
  }
  return definitions;
}

std::expected<PdhCollection, Error> LyingPdh::collect() {
  auto collection = honest_->collect();
  if (!collection) return collection;
  PdhCollection honest = *collection;
  for (const PdhLie& lie : lies_)
    if (lie.counterset == object_) tell_about_values(lie, *collection, before_, collected_);
  before_ = std::move(honest);
  ++collected_;
  return collection;
}

std::unique_ptr<PdhApi> lying_as_environment_says(std::unique_ptr<PdhApi> honest) {
  const char* const text = std::getenv(kPdhVariable);
  if (text == nullptr) return honest;
  if (std::string_view(text) == "crash") std::abort();
  auto lies = parse_pdh_lies(text);
  if (!lies) {
    std::cerr << kPdhVariable << ": " << lies.error() << std::endl;
    std::exit(2);
  }
  return std::make_unique<LyingPdh>(std::move(honest), *std::move(lies));
}

}  // namespace winperf::simulator

#include "tests/collectors/formula/worked_examples.h"

#include <array>

namespace winperf::testing {
namespace {

// name, type, bytes of value and base, frequency, older sample, newer sample, answer
const std::array kExamples = std::to_array<WorkedExample>({
    {"raw count", 0x00010000, 4, 0, 10000000, std::nullopt, ExampleSample{274}, 274},
    {"large raw count", 0x00010100, 8, 0, 10000000, std::nullopt, ExampleSample{17179869184},
     17179869184.0},
    {"raw count in hex is unsigned", 0x00000000, 4, 0, 10000000, std::nullopt,
     ExampleSample{3735928559}, 3735928559.0},
    {"large raw count in hex", 0x00000100, 8, 0, 10000000, std::nullopt,
     ExampleSample{1152921504606846976}, 1.152921504606847e+18},
    {"double", 0x00012000, 8, 0, 10000000, std::nullopt, ExampleSample{0x3FF8000000000000}, 1.5},
    {"delta", 0x00400400, 4, 0, 10000000, ExampleSample{100}, ExampleSample{160}, 60},
    {"delta across the wrap", 0x00400400, 4, 0, 10000000, ExampleSample{4294967290},
     ExampleSample{4}, 10},
    {"large delta of an idle counter", 0x00400500, 8, 0, 10000000, ExampleSample{5000000000},
     ExampleSample{5000000000}, 0},
    {"rate", 0x10410400, 4, 0, 10000000, ExampleSample{1000, 0, 50000000},
     ExampleSample{1500, 0, 100000000}, 100},
    {"rate across the wrap", 0x10410400, 4, 0, 10000000, ExampleSample{4294967290, 0, 0},
     ExampleSample{10, 0, 20000000}, 8},
    {"rate of a reset counter", 0x10410400, 4, 0, 10000000, ExampleSample{2000000000, 0, 0},
     ExampleSample{10, 0, 20000000}, std::unexpected(NoValue::kCounterReset)},
    {"bulk rate with an old clock", 0x10410500, 8, 0, 3579545, ExampleSample{9242655165203, 0, 0},
     ExampleSample{9242655175203, 0, 3579545}, 10000},
    {"bulk rate", 0x10410500, 8, 0, 10000000, ExampleSample{1048576, 0, 1},
     ExampleSample{11534336, 0, 10000001}, 10485760},
    {"bulk rate of a restarted counter", 0x10410500, 8, 0, 10000000, ExampleSample{50, 0, 10},
     ExampleSample{40, 0, 20}, std::unexpected(NoValue::kCounterReset)},
    {"bulk rate beyond 2^53", 0x10410500, 8, 0, 10000000, ExampleSample{9223372036854775809u, 0, 0},
     ExampleSample{9223372036854775819u, 0, 10000000}, 10},
    {"rate of a first sample", 0x10410400, 4, 0, 10000000, std::nullopt, ExampleSample{5, 0, 1},
     std::unexpected(NoValue::kFirstSample)},
    {"rate without an interval", 0x10410400, 4, 0, 10000000, ExampleSample{1, 0, 5},
     ExampleSample{2, 0, 5}, std::unexpected(NoValue::kZeroInterval)},
    {"rate with a clock that went back", 0x10410400, 4, 0, 10000000, ExampleSample{1, 0, 5},
     ExampleSample{2, 0, 4}, std::unexpected(NoValue::kClockBackwards)},
    {"rate without a frequency", 0x10410400, 4, 0, 0, ExampleSample{1, 0, 5},
     ExampleSample{2, 0, 6}, std::unexpected(NoValue::kZeroFrequency)},
    {"sample counter", 0x00410400, 4, 0, 10000000, ExampleSample{0, 0, 0},
     ExampleSample{30, 0, 30000000}, 10},
    {"queue length in 100 ns", 0x00550500, 8, 0, 10000000, ExampleSample{0, 0, 0},
     ExampleSample{30000000, 0, 10000000}, 3},
    {"large queue length", 0x00450500, 8, 0, 10000000, ExampleSample{7000000, 0, 20000000},
     ExampleSample{12000000, 0, 30000000}, 0.5},
    {"queue length", 0x00450400, 4, 0, 10000000, ExampleSample{100, 0, 1000},
     ExampleSample{2600, 0, 2000}, 2.5},
    {"queue length across the wrap", 0x00450400, 4, 0, 10000000, ExampleSample{4294966296, 0, 0},
     ExampleSample{2000, 0, 6000}, 0.5},
    {"queue length on the object's clock", 0x00650500, 8, 0, 1000, ExampleSample{0, 0, 0},
     ExampleSample{1500, 0, 1000}, 1.5},
    {"raw fraction", 0x20020400, 4, 4, 10000000, std::nullopt, ExampleSample{25, 200}, 12.5},
    {"large raw fraction", 0x20020500, 8, 8, 10000000, std::nullopt,
     ExampleSample{62914560, 251658240}, 25},
    {"raw fraction is not capped", 0x20020400, 4, 4, 10000000, std::nullopt,
     ExampleSample{200, 150}, 100.0 * 200 / 150},
    {"raw fraction of nothing", 0x20020400, 4, 4, 10000000, std::nullopt, ExampleSample{7, 0},
     std::unexpected(NoValue::kZeroBase)},
    {"raw fraction without a base", 0x20020400, 4, 0, 10000000, std::nullopt, ExampleSample{7, 0},
     std::unexpected(NoValue::kNoBase)},
    {"sample fraction", 0x20C20400, 4, 4, 10000000, ExampleSample{80, 100}, ExampleSample{170, 200},
     90},
    {"sample fraction across the wraps", 0x20C20400, 4, 4, 10000000,
     ExampleSample{4294967295, 4294967290}, ExampleSample{4, 10}, 31.25},
    {"sample fraction without samples", 0x20C20400, 4, 4, 10000000, ExampleSample{1, 5},
     ExampleSample{1, 5}, std::unexpected(NoValue::kZeroBase)},
    {"sample fraction with a reset base", 0x20C20400, 4, 4, 10000000, ExampleSample{1, 2000000000},
     ExampleSample{2, 5}, std::unexpected(NoValue::kBaseReset)},
    {"100 ns timer", 0x20510500, 8, 0, 10000000, ExampleSample{0, 0, 0},
     ExampleSample{2500000, 0, 10000000}, 25},
    {"100 ns timer of an idle processor", 0x20510500, 8, 0, 10000000,
     ExampleSample{106881107812500, 0, 133716612800215149},
     ExampleSample{106881117812500, 0, 133716612810215149}, 100},
    {"timer in ticks", 0x20410500, 8, 0, 3579545, ExampleSample{1000, 0, 0},
     ExampleSample{358954, 0, 3579545}, 100.0 * 357954 / 3579545},
    {"object timer of two processors", 0x20610500, 8, 0, 1000, ExampleSample{0, 0, 0},
     ExampleSample{1200, 0, 1000}, 120},
    {"inverse 100 ns timer", 0x21510500, 8, 0, 10000000, ExampleSample{0, 0, 0},
     ExampleSample{2500000, 0, 10000000}, 75},
    {"inverse timer is not below zero", 0x21510500, 8, 0, 10000000, ExampleSample{0, 0, 0},
     ExampleSample{10100000, 0, 10000000}, 0},
    {"inverse timer", 0x21410500, 8, 0, 10000000, ExampleSample{0, 0, 0},
     ExampleSample{0, 0, 10000000}, 100},
    {"multi timer", 0x22410500, 8, 4, 10000000, ExampleSample{0, 4, 0},
     ExampleSample{20000000, 4, 10000000}, 50},
    {"100 ns multi timer takes the newer base", 0x22510500, 8, 4, 10000000, ExampleSample{10, 2, 0},
     ExampleSample{5000010, 3, 10000000}, 50.0 / 3},
    {"multi timer of nothing", 0x22410500, 8, 4, 10000000, ExampleSample{0, 0, 0},
     ExampleSample{1, 0, 1}, std::unexpected(NoValue::kZeroBase)},
    {"inverse multi timer", 0x23410500, 8, 4, 10000000, ExampleSample{0, 4, 0},
     ExampleSample{30000000, 4, 10000000}, 100},
    {"inverse 100 ns multi timer", 0x23510500, 8, 4, 10000000, ExampleSample{0, 2, 0},
     ExampleSample{5000000, 2, 10000000}, 150},
    {"average timer", 0x30020400, 4, 4, 10000000, ExampleSample{0, 0}, ExampleSample{5000000, 50},
     0.01},
    {"average timer of 8 bytes", 0x30020400, 8, 4, 3579545, ExampleSample{1000000, 10},
     ExampleSample{8159090, 12}, 1},
    {"average timer across the wraps", 0x30020400, 4, 4, 1000,
     ExampleSample{4294967200, 4294967295}, ExampleSample{104, 3}, 0.05},
    {"average timer without operations", 0x30020400, 4, 4, 1, ExampleSample{100, 7},
     ExampleSample{200, 7}, std::unexpected(NoValue::kZeroBase)},
    {"average bulk", 0x40020500, 8, 4, 10000000, ExampleSample{0, 0}, ExampleSample{409600, 100},
     4096},
    {"average bulk of processor utility", 0x40020500, 8, 4, 10000000,
     ExampleSample{3257081670366, 1446119387}, ExampleSample{3257130132376, 1446745353},
     48462010.0 / 625966},
    {"average bulk across the base's wrap", 0x40020500, 8, 4, 10000000,
     ExampleSample{10, 4294967290}, ExampleSample{310, 4}, 30},
    {"elapsed time of a process", 0x30240500, 8, 0, 10000000, std::nullopt,
     ExampleSample{133707369666486855, 0, 133716612800215149}, 924313.3728294},
    {"elapsed time on another clock", 0x30240500, 8, 0, 1000, std::nullopt,
     ExampleSample{2000, 0, 5000}, 3},
    {"elapsed time of what has not started", 0x30240500, 8, 0, 1000, std::nullopt,
     ExampleSample{0, 0, 10}, std::unexpected(NoValue::kNotStarted)},
    {"elapsed time from the future", 0x30240500, 8, 0, 1000, std::nullopt, ExampleSample{11, 0, 10},
     std::unexpected(NoValue::kClockBackwards)},
    {"elapsed time without a clock", 0x30240500, 8, 0, 0, std::nullopt, ExampleSample{11, 0, 10},
     std::unexpected(NoValue::kZeroFrequency)},
    {"precision system timer", 0x20470500, 8, 8, 10000000, ExampleSample{0, 0},
     ExampleSample{4000000, 10000000}, 40},
    {"precision 100 ns timer", 0x20570500, 8, 8, 10000000, ExampleSample{100, 133716612800000000},
     ExampleSample{1000100, 133716612810000000}, 10},
    {"precision object timer is not capped", 0x20670500, 8, 8, 10000000, ExampleSample{5, 50},
     ExampleSample{65, 100}, 120},
});

Clocks clocks_at(const ExampleSample& sample, std::int64_t frequency) {
  return {.perf_time = {sample.time},
          .perf_frequency = {frequency},
          .time_100ns = {sample.time},
          .object_time = {sample.time},
          .object_frequency = {frequency}};
}

}  // namespace

std::span<const WorkedExample> worked_examples() { return kExamples; }

std::expected<double, NoValue> cook_example(const WorkedExample& example) {
  const auto observe = [&](const ExampleSample& sample) {
    return Observation{sample.value, sample.base, example.value_bytes, example.base_bytes};
  };
  const Observation now = observe(example.now);
  const Observation before = observe(example.before.value_or(example.now));
  const Clocks clocks_now = clocks_at(example.now, example.frequency);
  const Clocks clocks_before = clocks_at(example.before.value_or(example.now), example.frequency);
  return cook(describe(CounterType{example.type}), example.before ? &before : nullptr,
              example.before ? &clocks_before : nullptr, now, clocks_now);
}

}  // namespace winperf::testing

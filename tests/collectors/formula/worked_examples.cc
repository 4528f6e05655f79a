#include "tests/collectors/formula/worked_examples.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace winperf::testing {
namespace {

struct Row {
  const char* name;
  std::initializer_list<std::uint32_t> types;
  const char* before;
  const char* now;
  const char* result;
};

// Types that share a formula and a width share a row.
const Row kRows[]{
    {"raw count", {0x00010000}, "-", "N=274", "274"},
    {"16 GiB", {0x00010100}, "-", "N=17179869184", "17179869184"},
    {"hexadecimal is unsigned", {0x00000000, 0x00000100}, "-", "N=0xDEADBEEF", "3735928559"},
    {"double", {0x00012000}, "-", "N=0x3FF8000000000000", "1.5"},

    {"delta", {0x00400400, 0x00400500}, "N=100", "N=160", "60"},
    {"delta across the wrap", {0x00400400}, "N=4294967290", "N=4", "10"},
    {"delta without change", {0x00400500}, "N=5000000000", "N=5000000000", "0"},

    {"five seconds",
     {0x10410400, 0x10410500, 0x00410400},
     "N=1000 T=50000000",
     "N=1500 T=100000000",
     "100"},
    {"rate across the wrap", {0x10410400, 0x00410400}, "N=4294967290 T=0", "N=10 T=20000000", "8"},
    {"one second of 3579545 ticks",
     {0x10410500},
     "N=9242655165203 T=0 F=3579545",
     "N=9242655175203 T=3579545 F=3579545",
     "10000"},
    {"10 MiB a second", {0x10410500}, "N=1048576 T=1", "N=11534336 T=10000001", "10485760"},
    {"64 bits do not wrap", {0x10410500}, "N=50 T=10", "N=40 T=20", "counter_reset"},

    {"three waiting", {0x00550500}, "N=0 T=0", "N=30000000 T=10000000", "3"},
    {"half a one waiting",
     {0x00450500, 0x00650500},
     "N=7000000 T=20000000",
     "N=12000000 T=30000000",
     "0.5"},
    {"queue of 4 bytes", {0x00450400}, "N=100 T=1000", "N=2600 T=2000", "2.5"},
    {"queue across the wrap", {0x00450400}, "N=4294966296 T=0", "N=2000 T=6000", "0.5"},

    {"an eighth", {0x20020400, 0x20020500}, "-", "N=25 B=200", "12.5"},
    {"a quarter", {0x20020400, 0x20020500}, "-", "N=62914560 B=251658240", "25"},
    {"fraction above 100", {0x20020400, 0x20020500}, "-", "N=200 B=150", "133.3333333"},
    {"fraction of nothing", {0x20020400, 0x20020500}, "-", "N=7 B=0", "zero_base"},

    {"90 hits of 100", {0x20C20400}, "N=80 B=100", "N=170 B=200", "90"},
    {"3 hits of 4", {0x20C20400}, "N=0 B=0", "N=3 B=4", "75"},
    {"hits and base wrap", {0x20C20400}, "N=4294967295 B=4294967290", "N=4 B=10", "31.25"},

    {"busy a quarter",
     {0x20410500, 0x20510500, 0x20610500},
     "N=0 T=0",
     "N=2500000 T=10000000",
     "25"},
    {"large raw values",
     {0x20510500},
     "N=106881107812500 T=133716612800215149",
     "N=106881117812500 T=133716612810215149",
     "100"},
    {"timer on a slow clock",
     {0x20410500},
     "N=1000 T=0 F=3579545",
     "N=358954 T=3579545 F=3579545",
     "9.999986032"},
    {"two processors, uncapped", {0x20610500}, "N=0 T=0 F=1000", "N=1200 T=1000 F=1000", "120"},

    {"idle a quarter", {0x21410500, 0x21510500}, "N=0 T=0", "N=2500000 T=10000000", "75"},
    {"always idle", {0x21410500, 0x21510500}, "N=5000 T=0", "N=10005000 T=10000000", "0"},
    {"more idle than there was time",
     {0x21410500, 0x21510500},
     "N=0 T=0",
     "N=10100000 T=10000000",
     "0"},
    {"never idle", {0x21410500, 0x21510500}, "N=0 T=0", "N=0 T=10000000", "100"},

    {"two of four", {0x22410500, 0x22510500}, "N=0 B=4 T=0", "N=20000000 B=4 T=10000000", "50"},
    {"one component", {0x22410500, 0x22510500}, "N=0 B=1 T=0", "N=9000000 B=1 T=10000000", "90"},
    {"newest count of components",
     {0x22410500, 0x22510500},
     "N=10 B=2 T=0",
     "N=5000010 B=3 T=10000000",
     "16.66666667"},
    {"no components", {0x22410500, 0x22510500}, "N=0 B=0 T=0", "N=1 B=0 T=1", "zero_base"},

    {"one of four busy",
     {0x23410500, 0x23510500},
     "N=0 B=4 T=0",
     "N=30000000 B=4 T=10000000",
     "100"},
    {"one and a half busy",
     {0x23410500, 0x23510500},
     "N=0 B=2 T=0",
     "N=5000000 B=2 T=10000000",
     "150"},
    {"the only one idle",
     {0x23410500, 0x23510500},
     "N=0 B=1 T=0",
     "N=10000000 B=1 T=10000000",
     "0"},

    {"10 ms an operation", {0x30020400}, "N=0 B=0", "N=5000000 B=50", "0.01"},
    {"1 s an operation", {0x30020400}, "N=1000000 B=10 F=3579545", "N=8159090 B=12 F=3579545", "1"},
    {"average of wrapped values",
     {0x30020400},
     "N=4294967200 B=4294967295 F=1000",
     "N=104 B=3 F=1000",
     "0.05"},
    {"average timer of 8 bytes",
     {0x30020400},
     "N=8589934592:8 B=7:8",
     "N=8599934592:8 B=9:8",
     "0.5"},
    {"no operation", {0x30020400}, "N=100 B=7 F=1", "N=200 B=7 F=1", "zero_base"},

    {"4 KiB an operation", {0x40020500}, "N=0 B=0", "N=409600 B=100", "4096"},
    {"processor utility",
     {0x40020500},
     "N=3257081670366 B=1446119387",
     "N=3257130132376 B=1446745353",
     "77.41955633"},
    {"base wraps", {0x40020500}, "N=10 B=4294967290", "N=310 B=4", "30"},
    {"nothing transferred", {0x40020500}, "N=0 B=0", "N=1 B=0", "zero_base"},

    {"ten days up",
     {0x30240500},
     "-",
     "N=133707369666486855 T=133716612800215149",
     "924313.3728294"},
    {"three seconds", {0x30240500}, "-", "N=2000 T=5000 F=1000", "3"},
    {"not started", {0x30240500}, "-", "N=0 T=10 F=1000", "not_started"},
    {"half a second", {0x30240500}, "-", "N=1789772 T=3579545 F=3579545", "0.5000001397"},

    {"own time stamps",
     {0x20470500, 0x20570500, 0x20670500},
     "N=0 B=0",
     "N=4000000 B=10000000",
     "40"},
    {"file times",
     {0x20470500, 0x20570500, 0x20670500},
     "N=100 B=133716612800000000",
     "N=1000100 B=133716612810000000",
     "10"},
    {"not busy", {0x20470500, 0x20570500, 0x20670500}, "N=10 B=100", "N=10 B=200", "0"},
    {"busier than time passed",
     {0x20470500, 0x20570500, 0x20670500},
     "N=5 B=50",
     "N=65 B=100",
     "120"},
};

}  // namespace

std::vector<WorkedExample> worked_examples() {
  std::vector<WorkedExample> examples;
  for (const Row& row : kRows) {
    for (const std::uint32_t type : row.types) {
      auto example = parse_example(row.name, CounterType{type}, row.before, row.now, row.result);
      EXPECT_TRUE(example) << "not an example: " << row.name;
      if (example) examples.push_back(std::move(*example));
    }
  }
  return examples;
}

}  // namespace winperf::testing

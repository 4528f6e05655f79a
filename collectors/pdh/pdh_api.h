// What Windows' own reader of counters, PDH (pdh.dll), says about this machine, in neutral types:
// the objects and counters that it lists, the definitions of counters, and collections of the raw
// values and numbers of one counterset.
//
// Nothing is interpreted or validated: statuses, names, values and numbers are PDH's, and whatever
// it says may be wrong. pdh_comparison.h judges it. Behind the interface are pdh.dll (win/), a
// worker process that has it (worker_pdh.h), or a test's double. PDH loads every provider into the
// process that asks, so the program asks in a worker only. Errors: kOsError with a PDH_STATUS as
// os_code; kUnsupported without pdh.dll or one of its functions; those of a worker. Thread rule:
// one thread. Source: Learn, "Using the PDH Functions to Consume Counter Data", pdh.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/model/error.h"

namespace winperf {

// PDH_RAW_COUNTER: the status (CStatus); the counter's value; its base, or the time on its clock;
// the base of a counter of several components; and when it was collected, as a FILETIME in local
// time.
struct PdhRaw {
  std::uint32_t status = 0;
  std::int64_t first = 0;   // FirstValue
  std::int64_t second = 0;  // SecondValue
  std::uint32_t multi_count = 0;
  std::int64_t local_time = 0;  // TimeStamp
  bool operator==(const PdhRaw&) const = default;
};

// PDH_FMT_COUNTERVALUE, as PDH_FMT_DOUBLE | PDH_FMT_NOSCALE | PDH_FMT_NOCAP100.
struct PdhNumber {
  std::uint32_t status = 0;
  double value = 0;
};

// Of one instance; without instances its name means nothing. Instances of the same name follow each
// other with the same name, or have "#1", "#2", ... after it: Windows' documentation leaves open
// which.
struct PdhRawItem {
  std::string instance{};
  PdhRaw raw{};
};
struct PdhNumberItem {
  std::string instance{};
  PdhNumber number{};
};

// One counter in a collection. A status that isn't 0 is that of the whole call.
struct PdhValues {
  std::string name{};  // as it was asked for
  std::uint32_t raw_status = 0;
  std::vector<PdhRawItem> raw{};
  std::uint32_t number_status = 0;
  std::vector<PdhNumberItem> numbers{};
};

struct PdhCollection {
  std::vector<PdhValues> counters{};
};

// What PDH says about a counter. A status that isn't 0 says why the members after it mean nothing.
struct PdhDefinition {
  std::string name{};            // as it was asked for
  std::string local_name{};      // in the machine's language; the same if PDH doesn't say
  std::uint32_t add_status = 0;  // of PdhAddEnglishCounter
  std::uint32_t info_status = 0;
  CounterType type{};
  std::int32_t default_scale = 0;
  std::uint32_t time_base_status = 0;
  std::int64_t time_base = 0;  // ticks per second
};

// What PDH lists of one object, in the machine's language.
struct PdhItems {
  std::string object{};
  std::vector<std::string> counters{};
  std::vector<std::string> instances{};
};

struct PdhObject {
  std::string name{};       // English
  std::uint32_t index = 0;  // title index, by which PDH says the name in the machine's language
  bool has_instances = false;
};

// The counters of one object that are collected together.
struct PdhQuery {
  struct Counter {
    std::string name{};
    std::uint32_t index = 0;
  };
  PdhObject object{};
  std::vector<Counter> counters{};
};

class PdhApi {
 public:
  virtual ~PdhApi() = default;

  // In the machine's language, after PDH has refreshed its list.
  [[nodiscard]] virtual std::expected<std::vector<std::string>, Error> objects() = 0;
  [[nodiscard]] virtual std::expected<PdhItems, Error> items(const PdhObject& object) = 0;
  // Opens a query in the place of the one that is open. One definition for each counter, in the
  // order of the query.
  [[nodiscard]] virtual std::expected<std::vector<PdhDefinition>, Error> open(
      const PdhQuery& query) = 0;
  // One collection of the open query: the values of each counter that could be added.
  [[nodiscard]] virtual std::expected<PdhCollection, Error> collect() = 0;
  virtual void close() = 0;
};

// The place of an error that says that no query is open.
inline constexpr char kPdhCollect[] = "pdh.collect";

// This platform's pdh.dll. Only executables link it, so that a test's executable can put a double
// in its place. The error names what is missing.
[[nodiscard]] std::expected<std::unique_ptr<PdhApi>, Error> make_pdh_api();

}  // namespace winperf

// What the simulated server has: tables of its processes, sites, volumes and so on, and the
// countersets of its products. parse.h reads it from files; rows.h makes values of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/model/guid.h"

namespace winperf::simulator {

// The instances that countersets have in common. Each column is a word or a number of each.
struct ServerTable {
  struct Row {
    std::string name;
    std::vector<std::string> texts;  // one for each column
    std::vector<double> numbers;     // the same; 0 where the text is none
    std::uint64_t seed = 0;          // of its waves; another one for another row of the same name
  };

  std::string name;
  std::vector<std::string> columns;
  std::vector<Row> rows;
  // The columns that have a meaning of their own.
  std::optional<std::size_t> pid{};       // the process id
  std::optional<std::size_t> started{};   // seconds after the machine's start
  std::optional<std::size_t> restarts{};  // begins anew, with another process id, every so many
  std::optional<std::size_t> lasts{};     // ends after so many, until it begins anew

  std::optional<std::size_t> find(const std::string& column) const;
};

// A number that may be another one for each instance: so many times what is in columns.
struct Amount {
  double factor = 1;
  std::vector<std::size_t> columns{};
};

enum class Motion : std::uint8_t {
  kConstant,   // stays
  kLevel,      // moves between two amounts
  kRate,       // a running total that grows by so much a second
  kShare,      // a running total of time, in ticks of 100 ns, that passes for so much of the time
  kSum,        // what other counters of the instance are, added up
  kUptime,     // seconds since the instance began
  kStarted,    // when that was, as a FILETIME
  kTime,       // the machine's time, as a FILETIME
  kFrequency,  // of that time: ticks a second
};

struct Movement {
  // Of a sum: a counter, or the ticks since the instance began, times a factor.
  struct Term {
    std::optional<std::size_t> counter{};
    double factor = 1;
  };

  Motion motion = Motion::kConstant;
  std::vector<Amount> amounts{};
  std::vector<Term> terms{};
};

struct ServerCounter {
  std::string name;
  std::string local_name{};  // in the machine's language; empty: the English one
  std::uint32_t number = 0;  // V1: title index, 0 before one is assigned; V2: counter id
  CounterType type{};
  std::uint8_t bytes = 4;
  Movement movement{};
  std::optional<std::size_t> base{};  // its place among the counters
  bool is_hidden = false;             // serves others only
};

struct ServerObject {
  struct Total {
    std::string name;
    enum class Means : std::uint8_t { kNone, kTimes, kAll } means = Means::kNone;
  };
  // One instance gets what the others leave: `counter` is `amount` times the ticks since the
  // machine's start, without the sum of `of_others`.
  struct Rest {
    std::string instance;
    std::size_t counter = 0;
    double amount = 0;
    std::size_t of_others = 0;
  };

  std::string name;
  std::string local_name{};  // in the machine's language; empty: the English one
  std::uint32_t number = 0;  // V1: title index, 0 before one is assigned
  Guid guid{};               // V2
  std::optional<std::size_t> table{};
  std::optional<std::size_t> with{};  // only instances that have something in this column
  std::string pattern = "{name}";     // of the instances' names: columns and {name} in braces
  bool is_grouped = false;            // rows with the same name are one instance
  std::string like{};                 // the object whose waves it has
  std::vector<Total> totals{};
  std::optional<Rest> rest{};
  std::vector<ServerCounter> counters{};  // a base stands after the first counter that it serves
};

struct ServerProvider {
  std::string name;
  bool is_v2 = false;
  Guid guid{};  // V2
  std::vector<ServerObject> objects{};
};

struct ServerData {
  std::vector<ServerTable> tables;
  std::vector<ServerProvider> providers;
};

}  // namespace winperf::simulator

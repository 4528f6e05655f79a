// PDH on the simulated machine: what pdh.dll would say about its providers, by the documentation.
//
// The values come from the registry's face; the formulas are its own, from the bits of a type, and
// share nothing with those under test. As in Windows, a number needs two collections if its type
// does, and instances of the same name follow each other with the same name. Where nothing happened
// (a base that stands), PDH says 0. Its time stamps are two hours ahead, as in a time zone.
// Thread rule: one thread. Source: Learn, "Counter Types" and its pages; pdh.h.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/pdh/pdh_api.h"
#include "tests/simulator/machine.h"
#include "tests/simulator/registry_face.h"

namespace winperf::simulator {

class SimulatedPdh final : public PdhApi {
 public:
  // `machine` outlives it.
  explicit SimulatedPdh(Machine& machine) : machine_(machine), face_(machine) {}
  ~SimulatedPdh() override { face_.close(); }

  std::expected<std::vector<std::string>, Error> objects() override;
  std::expected<PdhItems, Error> items(const PdhObject& object) override;
  std::expected<std::vector<PdhDefinition>, Error> open(const PdhQuery& query) override;
  std::expected<PdhCollection, Error> collect() override;
  void close() override { open_.reset(); }

  // What it says where a counterset with instances has none: that a collection has no data, as
  // Windows does; that a counter has no instance; or nothing, in collections without any.
  enum class Emptiness : std::uint8_t { kNoData, kNotAdded, kEmpty };
  void say_of_no_instances(Emptiness emptiness) { emptiness_ = emptiness; }

  // A counter as the block defines it.
  struct Defined {
    std::uint32_t index = 0;
    std::uint32_t type = 0;
    std::uint32_t bytes = 0;
    std::int32_t default_scale = 0;
    std::size_t place = 0;            // among all definitions
    std::optional<std::size_t> base;  // the definition after it, if it is a base
    std::uint32_t base_bytes = 0;
  };
  // One object of a reply.
  struct Seen {
    bool has_instances = false;
    std::int64_t perf_time = 0, perf_frequency = 0, time_100ns = 0;
    std::int64_t object_time = 0, object_frequency = 0;
    std::vector<Defined> counters;
    struct Row {
      std::string name;
      std::vector<std::optional<std::uint64_t>> values;  // by definition
    };
    std::vector<Row> rows;
  };

 private:
  std::vector<std::byte> reply(const std::u16string& value_name);
  std::optional<Seen> see(std::uint32_t object);
  std::string name_of(std::uint32_t index, bool is_local);
  std::optional<std::uint32_t> object_called(const std::string& name);

  struct Open {
    std::uint32_t object = 0;
    std::vector<PdhQuery::Counter> counters;
    std::map<std::pair<std::string, std::string>, PdhRaw> before;  // by counter and instance
  };

  Machine& machine_;
  RegistryFace face_;
  std::optional<Open> open_;
  Emptiness emptiness_ = Emptiness::kNoData;
  std::array<std::map<std::uint32_t, std::string>, 2> names_;  // English, local
  std::uint32_t names_as_of_ = 0;
};

}  // namespace winperf::simulator

// The providers of the simulated machine, hosted one at a time: what the product's host gives must
// be what the simulated system gives, whose code is another one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/provider/provider_source.h"
#include "collectors/sources/value_names.h"
#include "collectors/wire/block_view.h"
#include "tests/simulator/provider_machine.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::simulator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

// Clocks, and then the bytes of each object.
struct Read {
  std::int64_t perf_time, perf_frequency, time_100ns;
  std::string computer;
  std::map<std::uint32_t, std::vector<std::byte>> objects;
  bool operator==(const Read&) const = default;
};

Read read(CounterSource& source, std::string_view value_name) {
  const auto reply = source.query(value_name, {});
  EXPECT_TRUE(reply) << value_name << ": " << describe(reply.error());
  if (!reply) return {};
  const Bytes& bytes = reply->blocks.front();
  const auto block = BlockView::parse(bytes);
  EXPECT_TRUE(block);
  const Clocks clocks = block->clocks();
  Read result{clocks.perf_time.ticks,
              clocks.perf_frequency.ticks_per_second,
              clocks.time_100ns.ticks,
              block->computer_name(),
              {}};
  ObjectWalk walk = block->objects();
  while (const auto object = walk.next()) {
    EXPECT_TRUE(*object);
    const auto part = std::span(bytes).subspan((*object)->offset(), (*object)->byte_length());
    result.objects[value_of((*object)->index())].assign(part.begin(), part.end());
  }
  return result;
}

class HostedEquality : public ::testing::Test {
 protected:
  HostedEquality() { furnish(machine_); }

  // All hosts' objects, as one reply.
  Read read_hosted(std::string_view value_name) {
    Read all;
    for (const auto& provider : machine_.v1()) {
      ProviderSource host = host_of(to_utf8(provider->key.service));
      Read one = read(host, value_name);
      one.objects.merge(all.objects);
      all = std::move(one);
    }
    return all;
  }
  ProviderSource host_of(const std::string& service) {
    return {std::make_unique<SimulatedProviders>(machine_), service, {}, system_clocks()};
  }

  Machine machine_;
};

TEST_F(HostedEquality, GivesTheObjectsAndClocksThatTheSystemGives) {
  RegistrySource system(machine_, {});
  for (const char* const query : {"2", "2000", "2 2000", "OLD_Global", "OLD_Costly"}) {
    SCOPED_TRACE(query);
    const Read expected = read(system, query);
    EXPECT_THAT(expected.objects, Not(IsEmpty()));
    EXPECT_EQ(read_hosted(query), expected);
  }
}

TEST_F(HostedEquality, WithoutMetadataItIsAskedForData) {
  machine_.supports_metadata = true;
  RegistrySource system(machine_, {});
  EXPECT_EQ(read_hosted("OLD_MetadataGlobal"), read(system, "OLD_MetadataGlobal"));
}

}  // namespace
}  // namespace winperf::simulator

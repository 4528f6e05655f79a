#include "tests/simulator/network/lies.h"

#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"

namespace winperf::simulator {
namespace {

// Of PERF_DATA_BLOCK, without what says that it is one.
constexpr std::array<std::size_t, 5> kOfBlock{
    v1::block::kTotalByteLength, v1::block::kHeaderLength, v1::block::kNumObjectTypes,
    v1::block::kSystemNameLength, v1::block::kSystemNameOffset};
// Of PERF_OBJECT_TYPE.
constexpr std::array<std::size_t, 5> kOfObject{
    v1::object::kTotalByteLength, v1::object::kDefinitionLength, v1::object::kHeaderLength,
    v1::object::kNumCounters, v1::object::kNumInstances};
// Of the first PERF_COUNTER_DEFINITION.
constexpr std::array<std::size_t, 3> kOfCounter{v1::counter::kByteLength, v1::counter::kCounterSize,
                                                v1::counter::kCounterOffset};
// Of the first PERF_INSTANCE_DEFINITION.
constexpr std::array<std::size_t, 3> kOfInstance{
    v1::instance::kByteLength, v1::instance::kNameOffset, v1::instance::kNameLength};
// Of PERF_DATA_HEADER and the first PERF_COUNTER_HEADER: lengths, and the number of results.
constexpr std::array<std::size_t, 3> kOfPerflib{0, 4, 48 + 8};

constexpr std::array<std::uint32_t, 5> kNumbers{0, 7, 0x7FFF'FFF8, 0x8000'0000, 0xFFFF'FFFF};

class Lies final : public Spoiler {
 public:
  explicit Lies(std::uint64_t seed) : turn_(seed) {}

  void registry_block(testing::ByteVector& block) override {
    const std::size_t object = testing::field_at(block, v1::block::kHeaderLength);
    const std::size_t counter =
        object + testing::field_at(block, object + v1::object::kHeaderLength);
    const std::size_t instance =
        object + testing::field_at(block, object + v1::object::kDefinitionLength);
    std::vector<std::size_t> places(kOfBlock.begin(), kOfBlock.end());
    const auto add = [&places](const auto& fields, std::size_t start) {
      for (const std::size_t field : fields) places.push_back(start + field);
    };
    add(kOfObject, object);
    add(kOfCounter, counter);
    add(kOfInstance, instance);
    change(block, places);
  }

  std::optional<std::uint32_t> perflib_reply(testing::ByteVector& reply) override {
    change(reply, kOfPerflib);
    return std::nullopt;
  }

 private:
  // All places get one number in turn, and then the next one.
  void change(testing::ByteVector& bytes, std::span<const std::size_t> places) {
    const std::size_t turn = turn_++;
    bytes = testing::with_field(std::move(bytes), places[turn % places.size()],
                                kNumbers[turn / places.size() % kNumbers.size()]);
  }

  std::atomic<std::size_t> turn_;
};

}  // namespace

std::unique_ptr<Spoiler> lies(std::uint64_t seed) { return std::make_unique<Lies>(seed); }

}  // namespace winperf::simulator

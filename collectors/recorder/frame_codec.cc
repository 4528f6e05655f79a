#include "collectors/recorder/frame_codec.h"

#include <array>

#include "collectors/recorder/instance_codec.h"
#include "collectors/recorder/number_stream.h"

namespace winperf::recorder {
namespace {

constexpr std::size_t kFields = 13;
using FieldNumbers = std::array<std::uint64_t, kFields>;

// Times that run together are stored as what one is ahead of the other.
FieldNumbers fields_of(const Frame& frame) {
  const auto number = [](std::int64_t ticks) { return static_cast<std::uint64_t>(ticks); };
  const std::uint64_t wall = number(frame.at.wall.ticks);
  return {wall,
          number(frame.at.steady.time_since_epoch().count()),
          number(frame.clocks.perf_time.ticks),
          number(frame.clocks.perf_frequency.ticks_per_second),
          number(frame.clocks.time_100ns.ticks) - wall,
          number(frame.clocks.object_time.ticks),
          number(frame.clocks.object_frequency.ticks_per_second),
          frame.has_own_clocks ? 1U : 0U,
          frame.owner ? 1U : 0U,
          frame.owner.value_or(0),
          frame.instances_left_out,
          frame.skipped,
          static_cast<std::uint64_t>(frame.broken)};
}

Frame frame_of(const FieldNumbers& fields) {
  const auto ticks = [&](std::size_t field) { return static_cast<std::int64_t>(fields[field]); };
  Frame frame;
  frame.at.wall = {ticks(0)};
  frame.at.steady = SteadyTime(SteadyTime::duration(ticks(1)));
  frame.clocks.perf_time = {ticks(2)};
  frame.clocks.perf_frequency = {ticks(3)};
  frame.clocks.time_100ns = {static_cast<std::int64_t>(fields[4] + fields[0])};
  frame.clocks.object_time = {ticks(5)};
  frame.clocks.object_frequency = {ticks(6)};
  frame.has_own_clocks = fields[7] != 0;
  if (fields[8] != 0) frame.owner = fields[9];
  frame.instances_left_out = fields[10];
  frame.skipped = fields[11];
  frame.broken = static_cast<NoValue>(fields[12]);
  return frame;
}

// Of one number in each frame.
CellOrder order_of_frames(std::size_t count, bool has_before) {
  CellOrder order{.known = has_before ? 1U : 0U};
  for (std::uint32_t i = 0; i < count; ++i)
    order.before.push_back(i + order.known == 0 ? kNoCell
                                                : i + static_cast<std::uint32_t>(order.known) - 1);
  return order;
}

constexpr Prediction kPredictions[] = {Prediction::kBefore, Prediction::kTrend};

// As many rows as there may be for so many bytes: an unchanged row costs next to nothing, but its
// instance was described once.
constexpr std::uint64_t kRowsAtLeast = 1U << 16U;
constexpr std::uint64_t kRowsOfByte = 512;

}  // namespace

void write_frames(std::span<const Frame> frames, const Frame* before, bool is_multi_instance,
                  BitWriter& out) {
  const CellOrder order = order_of_frames(frames.size(), before != nullptr);
  NumberWriter writer;
  std::vector<FieldNumbers> all;
  if (before != nullptr) all.push_back(fields_of(*before));
  for (const Frame& frame : frames) all.push_back(fields_of(frame));
  std::vector<std::uint64_t> numbers(all.size());
  for (std::size_t field = 0; field < kFields; ++field) {
    for (std::size_t i = 0; i < all.size(); ++i) numbers[i] = all[i][field];
    writer.write(numbers, order, kPredictions, out);
  }
  InstanceWriter instances(before != nullptr ? before->instances.get() : nullptr, out);
  for (const Frame& frame : frames) instances.write(frame, is_multi_instance);
}

bool read_frames(BitReader& in, std::size_t count, const Frame* before, bool is_multi_instance,
                 std::vector<Frame>& frames) {
  const CellOrder order = order_of_frames(count, before != nullptr);
  std::vector<FieldNumbers> all(order.size());
  if (before != nullptr) all[0] = fields_of(*before);
  std::uint64_t rows_left = kRowsAtLeast + kRowsOfByte * (in.bits_left() / 8);
  std::vector<std::uint64_t> numbers(all.size());
  for (std::size_t field = 0; field < kFields; ++field) {
    if (before != nullptr) numbers[0] = all[0][field];
    if (!read_numbers(in, order, numbers)) return false;
    for (std::size_t i = order.known; i < all.size(); ++i) all[i][field] = numbers[i];
  }
  InstanceReader instances(before != nullptr ? before->instances : nullptr,
                           before != nullptr ? before->rows : 0, in);
  for (std::size_t i = order.known; i < all.size(); ++i) {
    if (all[i][kFields - 1] >= kNoValueCount) return false;
    Frame& frame = frames.emplace_back(frame_of(all[i]));
    if (!instances.read(frame, is_multi_instance) || frame.rows > rows_left) return false;
    rows_left -= frame.rows;
  }
  return true;
}

}  // namespace winperf::recorder

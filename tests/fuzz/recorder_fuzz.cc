// Chunks of recorded samples: whatever their bytes are, what is read lies within them, and what was
// read can be written and read again.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collectors/recorder/recorder.h"
#include "collectors/recorder/reel.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

using recorder::Chunk;
using recorder::ColumnCells;
using recorder::Reel;
using Chunks = std::vector<std::shared_ptr<const Chunk>>;

// The first byte of an input.
constexpr unsigned kHasInstances = 1;
constexpr unsigned kContinues = 2;

const std::vector<testing::Column>& columns() {
  static const std::vector<testing::Column> columns{
      {.index = 2, .type = testing::kRate, .size = 4},
      {.index = 4, .type = testing::kGauge, .size = 4},
      {.index = 6, .type = testing::kAverage, .size = 8, .base_size = 4}};
  return columns;
}

std::shared_ptr<const CountersetSample> sample_at(std::int64_t i, bool has_instances,
                                                  testing::Chained& chain) {
  auto set = std::make_shared<InstanceSet>();
  for (std::int64_t id = i / 6; has_instances && id < i / 4 + 3; ++id) {
    InstanceSchema& instance = set->instances.emplace_back();
    instance.name = "i" + std::to_string(id % 4);
    instance.process_id = static_cast<std::uint64_t>(id);
    if (id % 2 == 0) instance.labels = {{"user", "u"}};
  }
  static const auto kSchemas =
      std::pair(testing::schema_of(columns(), false), testing::schema_of(columns(), true));
  auto sample = testing::make_raw_sample(has_instances ? kSchemas.second : kSchemas.first,
                                         std::move(set), testing::at_second(1'000 + i));
  for (std::size_t cell = 0; cell < sample->raw.size(); ++cell) {
    sample->raw[cell] = (cell * 1'000 + static_cast<std::uint64_t>(i * i) * 4'096) & 0xFFFF'FFFFU;
    if ((cell + static_cast<std::size_t>(i)) % 11 == 0) sample->reason[cell] = NoValue::kOutOfBlock;
  }
  if (i % 5 == 0) sample->own_clocks.assign(sample->raw.size(), testing::at_second(900 + i));
  return chain.append(std::move(sample));
}

// Some minutes of samples, of which the oldest have been thinned out.
Chunks recorded(bool has_instances, std::int64_t samples) {
  constexpr std::int64_t kEach = 20;
  recorder::Recorder recorder(recorder::kMebibyte);
  testing::Chained chain;
  for (std::int64_t i = 0; i < samples; ++i)
    testing::record(recorder, sample_at(i, has_instances, chain), i * kEach);
  return recorder.history()->tracks.at(0)->chunks;
}

void check_sizes(const Reel& reel) {
  for (const recorder::Frame& frame : reel.frames()) {
    require(frame.instances != nullptr, "a frame has a set of instances");
    require(frame.rows_before.empty() || frame.rows_before.size() == frame.rows,
            "each row has one before it, or none");
  }
}

bool same(const ColumnCells& a, const ColumnCells& b, std::size_t cells) {
  for (std::size_t part = 0; part < recorder::kParts; ++part)
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (a.at(static_cast<recorder::Part>(part), cell) !=
          b.at(static_cast<recorder::Part>(part), cell))
        return false;
  return true;
}

void check_again(const Reel& reel, const std::vector<ColumnCells>& read,
                 std::shared_ptr<const recorder::Shape> shape) {
  recorder::ChunkWriter writer;
  const auto chunk =
      writer.write(std::move(shape), recorder::Level::kAll, reel.frames(), nullptr,
                   [&](std::size_t column, ColumnCells& cells) { cells = read[column]; });
  const auto again = Reel::open(std::span(&chunk, 1));
  // A damaged chunk may have more rows than a sound one of so many bytes.
  if (!again) return;
  require(again->frames().size() == reel.frames().size(), "each frame is there again");
  for (std::size_t i = 0; i < reel.frames().size(); ++i) {
    const recorder::Frame& now = again->frames()[i];
    const recorder::Frame& then = reel.frames()[i];
    require(now.rows == then.rows && now.clocks == then.clocks && now.at == then.at &&
                now.owner == then.owner && now.skipped == then.skipped,
            "a frame is what it was");
    require(now.instances->instances == then.instances->instances, "instances are what they were");
  }
  for (std::size_t column = 0; column < read.size(); ++column) {
    const auto cells = again->column(column);
    require(cells && same(*cells, read[column], reel.cells()), "cells are what they were");
  }
}

void check(Chunks chunks) {
  const auto reel = Reel::open(chunks);
  if (!reel) return;
  check_sizes(*reel);
  std::vector<ColumnCells> read;
  for (std::size_t column = 0; column < columns().size(); ++column) {
    auto cells = reel->column(column);
    if (!cells) return;
    read.push_back(*std::move(cells));
  }
  require(reel->samples(std::vector<bool>(reel->frames().size(), true)).has_value(),
          "samples are made of whatever was read");
  recorder::Thinning thinning;
  require(thinning.run(chunks, 0, recorder::Level::kMinute).has_value(),
          "what can be read can be thinned out");
  check_again(*reel, read, chunks.front()->shape);
}

void check_input(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  static const Chunks kSingle = recorded(false, 2);
  static const Chunks kWithInstances = recorded(true, 2);
  const Chunks& known = (input[0] & kHasInstances) != 0 ? kWithInstances : kSingle;
  auto chunk = std::make_shared<Chunk>(*known.front());
  chunk->continues = (input[0] & kContinues) != 0;
  const auto bytes = std::as_bytes(input.subspan(1));
  chunk->bytes.assign(bytes.begin(), bytes.end());
  Chunks chunks;
  if (chunk->continues) chunks.push_back(known.front());
  chunks.push_back(std::move(chunk));
  check(std::move(chunks));
}

}  // namespace

std::vector<Input> seeds() {
  std::vector<Input> inputs;
  for (const bool has_instances : {false, true}) {
    for (const std::int64_t samples : {2, 70}) {
      for (const auto& chunk : recorded(has_instances, samples)) {
        Input& input = inputs.emplace_back();
        input.push_back(static_cast<std::byte>((has_instances ? kHasInstances : 0) |
                                               (chunk->continues ? kContinues : 0)));
        input.insert(input.end(), chunk->bytes.begin(), chunk->bytes.end());
      }
    }
  }
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const winperf::fuzz::Input copy = winperf::fuzz::copy_of(data, size);
  winperf::fuzz::check_input({reinterpret_cast<const std::uint8_t*>(copy.data()), copy.size()});
  return 0;
}

// What the recorder keeps of a machine, and how far back that reaches.
//
//   winperf_recorder_work SHAPE INTERVAL_SECONDS MINUTES [MEBIBYTES]
//
// SHAPE: "default" or "*", of the simulated server; a capture's folder or a log of perfmon, as far
// as it goes; or a shape of shapes.h. Prints the values of a sample, how many values are kept, the
// bytes of each, and the reach. docs/performance.md has what callgrind counts in measured_add().
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/blg/log_source.h"
#include "collectors/recorder/recorder.h"
#include "collectors/sources/replay.h"
#include "tests/bench/moving_machine.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/server/server_machine.h"

extern "C" void measured_add(winperf::recorder::Recorder& recorder, const winperf::Sample& sample);

[[gnu::noinline]] void measured_add(winperf::recorder::Recorder& recorder,
                                    const winperf::Sample& sample) {
  recorder.add(sample);
}

namespace winperf::testing {
namespace {

class Work {
 public:
  virtual ~Work() = default;
  virtual std::shared_ptr<const Sample> next() = 0;
};

// The countersets that are sampled by default.
constexpr const char* kDefault[] = {
    "Processor Information", "Memory", "LogicalDisk", "PhysicalDisk", "Process",
    "Network Interface",     "System", "TCPv4"};

class ServerWork final : public Work {
 public:
  ServerWork(bool everything, int interval)
      : interval_(interval), sampler_(machine(), plan(everything)) {}

  std::shared_ptr<const Sample> next() override {
    machine_.advance(interval_);
    return sampler_.round();
  }

 private:
  simulator::Machine& machine() {
    simulator::furnish_server(machine_,
                              simulator::Now{}.time_100ns - simulator::kServerUpTime100ns);
    return machine_;
  }
  static std::vector<PlannedCounterset> plan(bool everything) {
    std::vector<PlannedCounterset> plan;
    const simulator::ServerData data = simulator::server_data();
    for (const auto& provider : data.providers)
      for (const auto& object : provider.objects)
        if (everything ||
            std::ranges::find(kDefault, std::string_view(object.name)) != std::end(kDefault))
          plan.push_back(simulator::planned(object.name));
    return plan;
  }

  int interval_;
  simulator::Machine machine_;
  simulator::SimulatedSampler sampler_;
};

std::shared_ptr<const Sample> sample_of(const SampledObjects& reading) {
  auto sample = std::make_shared<Sample>();
  for (const auto& object : reading.samples) {
    CountersetState& state = sample->countersets.emplace_back();
    state.name = object->schema->name;
    state.sample = object;
  }
  return sample;
}

// A log of perfmon, or a capture, once.
class RecordingWork final : public Work {
 public:
  explicit RecordingWork(const std::filesystem::path& path) {
    if (path.extension() == ".blg") {
      if (auto opened = blg::BlgSource::open(path)) source_ = std::move(opened->front());
    } else if (auto opened = ReplaySource::open(open_directory(path))) {
      source_ = std::move(*opened);
    }
    if (source_ != nullptr) catalog_ = Catalog::load(*source_, Language::kEnglish);
  }

  std::shared_ptr<const Sample> next() override {
    if (source_ == nullptr) return nullptr;
    const auto reply = source_->query("Global", {});
    return reply ? sample_of(sampler_.take(*reply, catalog_, 1, {})) : nullptr;
  }

 private:
  std::unique_ptr<CounterSource> source_;
  Catalog catalog_;
  ObjectSampler sampler_;
};

class ShapeWork final : public Work {
 public:
  explicit ShapeWork(Shape shape) : machine_(std::move(shape), 0), catalog_(machine_.catalog()) {}

  std::shared_ptr<const Sample> next() override {
    machine_.advance();
    Reply reply;
    reply.blocks.push_back(machine_.block().bytes);
    return sample_of(sampler_.take(reply, catalog_, 1, {}));
  }

 private:
  MovingMachine machine_;
  Catalog catalog_;
  ObjectSampler sampler_;
};

std::unique_ptr<Work> work_of(std::string_view shape, int interval) {
  if (shape == "*") return std::make_unique<ServerWork>(true, interval);
  if (shape == "default") return std::make_unique<ServerWork>(false, interval);
  if (std::filesystem::exists(shape)) return std::make_unique<RecordingWork>(shape);
  auto known = shape_called(shape);
  return known ? std::make_unique<ShapeWork>(*std::move(known)) : nullptr;
}

// As if it had been taken then.
Sample at_second(const Sample& sample, std::int64_t second) {
  Sample then = sample;
  for (CountersetState& state : then.countersets)
    state.sampled_at = {.steady = SteadyTime(std::chrono::seconds(second)),
                        .wall = {second * kTicks100nsPerSecond}};
  return then;
}

std::uint64_t values_in(const Sample& sample) {
  std::uint64_t values = 0;
  for (const CountersetState& state : sample.countersets)
    if (state.sample != nullptr) values += state.sample->raw.size();
  return values;
}

void print(const recorder::Recorder& recorder, std::int64_t second, std::uint64_t values) {
  const auto history = recorder.history();
  double kept = 0;
  double bytes = 0;
  std::int64_t reach = second;
  for (const auto& track : history->tracks) {
    for (const auto& chunk : track->chunks) {
      const auto rows = static_cast<double>(chunk->rows) / static_cast<double>(chunk->frames);
      kept += static_cast<double>(chunk->frames) * rows *
              static_cast<double>(chunk->shape->schema->counters.size());
      bytes += static_cast<double>(chunk->bytes.size());
    }
    const auto first = track->chunks.front()->first.steady.time_since_epoch();
    reach =
        std::min(reach, second - std::chrono::duration_cast<std::chrono::seconds>(first).count());
  }
  const double hours = static_cast<double>(reach) / 3600;
  std::printf(
      "%5lld min: %llu values a sample, %.0f kept in %.2f MiB, %.3f bytes a value "
      "(%.3f without the rest), all of %.1f h\n",
      static_cast<long long>(second / 60), static_cast<unsigned long long>(values), kept,
      static_cast<double>(history->memory) / (1 << 20), static_cast<double>(history->memory) / kept,
      bytes / kept, hours);
}

int run(std::string_view shape, int interval, int minutes, std::size_t mebibytes) {
  const auto work = work_of(shape, interval);
  if (work == nullptr) return 2;
  recorder::Recorder recorder(mebibytes * recorder::kMebibyte);
  const std::int64_t end = std::int64_t{minutes} * 60;
  const std::int64_t each = std::max<std::int64_t>(end / 8 / 60 * 60, 60);
  std::int64_t last = 0;
  std::uint64_t values = 0;
  for (std::int64_t second = interval; second <= end; second += interval) {
    const auto next = work->next();
    if (next == nullptr) break;
    const Sample sample = at_second(*next, second);
    values = values_in(sample);
    measured_add(recorder, sample);
    last = second;
    if (second / each != (second - interval) / each) print(recorder, second, values);
  }
  // A recording ends earlier.
  if (last != 0 && last % each != 0) print(recorder, last, values);
  return recorder.history() == nullptr ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace winperf::testing

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  return winperf::testing::run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]),
                               argc > 4 ? std::stoul(argv[4]) : 16);
}

// One sample of everything that a machine has, for a program that counts the instructions of
// measured_sample(), as sampling_work.py lets it.
//
//   winperf_sampling_work OBJECTS
//
// Each object is a counterset of its own, and all are in one reply, whose bytes were made before.
// Prints how many were sampled.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectors/sampler/sampler.h"
#include "tests/bench/everything.h"
#include "tests/simulator/crowd.h"
#include "tests/simulator/machine.h"
#include "tests/simulator/registry_source.h"

extern "C" void measured_sample(winperf::Sampler& sampler);

[[gnu::noinline]] void measured_sample(winperf::Sampler& sampler) { sampler.step({}); }

namespace winperf::testing {
namespace {

constexpr int kSamples = 4;  // two that find out what there is, and two for a rate
constexpr std::size_t kInstances = 4;

// Answers each query as the machine did at that time.
class Prepared final : public CounterSource {
 public:
  Prepared(simulator::Machine& machine, const std::string& value_name) : machine_(machine, {}) {
    for (int i = 0; i < kSamples; ++i, machine.advance(5))
      for (Bytes& bytes : bytes_of(machine_.query(value_name, {})))
        blocks_.push_back(std::move(bytes));
  }

  void next() { ++now_; }
  bool is_live() const override { return true; }
  std::expected<Reply, Error> query(std::string_view, StopToken) override {
    Reply reply;
    reply.blocks.push_back(blocks_.at(now_));
    return reply;
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                       Language language) override {
    return machine_.text_tables(table, language);
  }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 1; }
  void release() override {}

 private:
  static std::vector<Bytes> bytes_of(const std::expected<Reply, Error>& reply) {
    return {reply.value().blocks.begin(), reply.value().blocks.end()};
  }

  simulator::RegistrySource machine_;
  std::vector<Bytes> blocks_;
  std::size_t now_ = 0;
};

int run(std::size_t objects) {
  simulator::Machine machine;
  machine.add(simulator::crowd_provider(machine, objects, {}, kInstances));
  simulator::RegistrySource live(machine, {});
  Prepared source(machine, "Global");
  SampleSlot slot;
  SteadyTime now;
  Sampler sampler({.registry = source}, slot, everything(live),
                  {.steady_now = [&now] { return now; }, .wall_now = [] { return Ticks100ns{}; }},
                  {});
  for (int i = 0; i < kSamples; ++i) {
    now += std::chrono::seconds(5);
    if (i > 0) source.next();
    if (i + 1 < kSamples)
      sampler.step({});
    else
      measured_sample(sampler);
  }
  std::size_t sampled = 0;
  for (const auto latest = slot.latest(); const CountersetState& state : latest->countersets)
    sampled += state.success;
  std::printf("%zu objects\n", sampled);
  return sampled == objects ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace winperf::testing

int main(int argc, char** argv) {
  return argc == 2 ? winperf::testing::run(std::stoul(argv[1])) : 2;
}

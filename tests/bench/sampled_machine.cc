#include "tests/bench/sampled_machine.h"

#include <utility>

#include "tests/bench/server_page.h"
#include "tests/bench/step.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf::testing {
namespace {

class MachineSeries final : public SampleSeries {
 public:
  MachineSeries(Shape shape, unsigned churn)
      : machine_(std::move(shape), churn), catalog_(machine_.catalog()) {}

  std::shared_ptr<const Sample> next() override {
    machine_.advance();
    Reply reply;
    reply.blocks.push_back(machine_.block().bytes);
    return sample_of(sampler_.take(reply, catalog_, 1, {}).samples, ++sequence_);
  }

 private:
  MovingMachine machine_;
  Catalog catalog_;
  ObjectSampler sampler_;
  std::uint64_t sequence_ = 0;
};

// The server's sample again and again: a new one for whoever renders it, with the same values.
class ServerSeries final : public SampleSeries {
 public:
  std::shared_ptr<const Sample> next() override {
    auto sample = std::make_shared<Sample>(*sample_);
    sample->sequence = ++sequence_;
    for (CountersetState& state : sample->countersets) state.sampled_at = {kTaken, kSampledAt};
    return sample;
  }

 private:
  std::shared_ptr<const Sample> sample_ = server_sample();
  std::uint64_t sequence_ = 0;
};

}  // namespace

std::shared_ptr<const Sample> sample_of(
    const std::vector<std::shared_ptr<const CountersetSample>>& objects, std::uint64_t sequence) {
  auto sample = std::make_shared<Sample>();
  sample->sequence = sequence;
  sample->published_at = kSampledAt;
  for (const auto& object : objects) {
    CountersetState& state = sample->countersets.emplace_back();
    state.name = object->schema->name;
    state.sample = object;
    state.success = true;
    state.sampled_at = {kTaken, kSampledAt};
  }
  return sample;
}

std::uint64_t values_in(const std::vector<std::shared_ptr<const CountersetSample>>& objects) {
  std::uint64_t values = 0;
  for (const auto& object : objects) values += object->rows() * object->columns();
  return values;
}

std::unique_ptr<SampleSeries> series_of(std::string_view shape, unsigned churn) {
  if (shape == kServerShape && churn == 0) return std::make_unique<ServerSeries>();
  auto known = shape_called(shape);
  if (!known) return nullptr;
  auto series = std::make_unique<MachineSeries>(*std::move(known), churn);
  series->next();
  series->next();
  return series;
}

}  // namespace winperf::testing

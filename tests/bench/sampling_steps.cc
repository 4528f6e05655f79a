// From the bytes of both paths, and from the values of a log, to cooked samples.
#include <algorithm>
#include <utility>

#include "collectors/sampling/perflib/v2_tracker.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "tests/bench/capture_blocks.h"
#include "tests/bench/moving_machine.h"
#include "tests/bench/sampled_machine.h"
#include "tests/bench/step.h"

namespace winperf::testing {
namespace {

using Objects = std::vector<std::shared_ptr<const CountersetSample>>;

// The last sample lives until the next one is there, as in the exporter.
class V1Step final : public Step {
 public:
  V1Step(Shape shape, unsigned churn)
      : machine_(std::move(shape), churn), catalog_(machine_.catalog()) {}

  void prepare() override {
    machine_.advance();
    bytes_ = machine_.block().bytes;
  }
  std::size_t run() override {
    const std::size_t size = bytes_.size();
    reply_.blocks.clear();
    reply_.blocks.push_back(std::move(bytes_));
    std::swap(objects_, last_);
    sampler_.take(reply_, catalog_, 1, {}, objects_);
    return objects_.samples.size() == machine_.shape().size() ? size : 0;
  }
  std::uint64_t count() const override { return values_in(objects_.samples); }

 private:
  MovingMachine machine_;
  Catalog catalog_;
  ObjectSampler sampler_;
  ByteVector bytes_;
  Reply reply_;
  SampledObjects objects_;
  SampledObjects last_;
};

// What a recorded machine has delivered, all of it again and again.
class CaptureStep final : public Step {
 public:
  explicit CaptureStep(std::vector<ByteVector> blocks) : blocks_(std::move(blocks)) {}

  void prepare() override { bytes_ = blocks_[next_++ % blocks_.size()]; }
  std::size_t run() override {
    const std::size_t size = bytes_.size();
    Reply reply;
    reply.blocks.push_back(std::move(bytes_));
    objects_ = sampler_.take(reply, catalog_, 1, {}).samples;
    return objects_.empty() ? 0 : size;
  }
  std::uint64_t count() const override { return values_in(objects_); }

 private:
  std::vector<ByteVector> blocks_;
  Catalog catalog_ = MovingMachine({}, 0).catalog();  // Windows' own names need no table
  ObjectSampler sampler_;
  std::size_t next_ = 0;
  ByteVector bytes_;
  Objects objects_;
};

class V2Step final : public Step {
 public:
  V2Step(Shape shape, unsigned churn) : machine_(std::move(shape), churn) {
    for (auto& set : machine_.countersets()) trackers_.emplace_back(std::move(set), Selection());
    objects_.resize(trackers_.size());
  }

  void prepare() override {
    machine_.advance();
    results_ = machine_.results();
    clocks_ = machine_.clocks();
  }
  std::size_t run() override {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < trackers_.size(); ++i) {
      const auto result = v2::ResultView::parse(ByteView(results_[i], "result"), {});
      if (!result) return 0;
      auto reading = trackers_[i].update(*result, request_, clocks_);
      if (!reading) return 0;
      objects_[i] = std::move(reading->sample);
      bytes += results_[i].size();
    }
    return bytes;
  }
  std::uint64_t count() const override { return values_in(objects_); }

 private:
  MovingMachine machine_;
  std::vector<V2Tracker> trackers_;
  std::vector<ByteVector> results_;
  v2::CounterRequest request_{.instance_name = u"*"};
  Clocks clocks_;
  Objects objects_;
};

class LoggedStep final : public Step {
 public:
  explicit LoggedStep(std::unique_ptr<SampleSeries> series) : series_(std::move(series)) {}

  void prepare() override {
    logged_.clear();
    const auto sample = series_->next();
    for (const CountersetState& state : sample->countersets) {
      auto values = std::make_shared<CountersetSample>(*state.sample);
      // In a log, each value has its own time.
      values->own_clocks.assign(values->rows() * values->columns(), values->clocks);
      logged_.push_back(std::move(values));
    }
    trackers_.resize(logged_.size());
    objects_.resize(logged_.size());
  }
  std::size_t run() override {
    for (std::size_t i = 0; i < trackers_.size(); ++i)
      objects_[i] = trackers_[i].update(logged_[i], {});
    return count() * sizeof(std::uint64_t);
  }
  std::uint64_t count() const override { return values_in(objects_); }

 private:
  std::unique_ptr<SampleSeries> series_;
  Objects logged_;
  std::vector<LoggedTracker> trackers_;
  Objects objects_;
};

template <class Path>
std::unique_ptr<Step> of_shape(std::string_view name, unsigned churn) {
  auto shape = shape_called(name);
  return shape ? std::make_unique<Path>(*std::move(shape), churn) : nullptr;
}

std::unique_ptr<Step> of_blocks(std::string_view name) {
  if (name != kCaptureShape) return of_shape<V1Step>(name, 0);
  auto blocks = capture_blocks();
  return blocks.empty() ? nullptr : std::make_unique<CaptureStep>(std::move(blocks));
}

std::unique_ptr<Step> logged(std::string_view name) {
  if (!shape_called(name)) return nullptr;
  return std::make_unique<LoggedStep>(series_of(name, 0));
}

}  // namespace

std::vector<StepRow> sampling_steps() {
  return {
      {"v1", "value", of_blocks},
      {"v1, 1 % new", "value", [](auto shape) { return of_shape<V1Step>(shape, 1); }},
      {"v1, 10 % new", "value", [](auto shape) { return of_shape<V1Step>(shape, 10); }},
      {"v1, all new", "value", [](auto shape) { return of_shape<V1Step>(shape, 100); }},
      {"v2", "value", [](auto shape) { return of_shape<V2Step>(shape, 0); }},
      {"v2, 1 % new", "value", [](auto shape) { return of_shape<V2Step>(shape, 1); }},
      {"v2, 10 % new", "value", [](auto shape) { return of_shape<V2Step>(shape, 10); }},
      {"v2, all new", "value", [](auto shape) { return of_shape<V2Step>(shape, 100); }},
      {"logged", "value", logged},
  };
}

}  // namespace winperf::testing

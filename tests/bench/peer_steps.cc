// What comparable work costs elsewhere, for the ratios: copying the bytes, reading each value at
// its place, other serializers, and other encoders of deflate.
#include <libdeflate.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <zlib.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "collectors/wire/v1_format.h"
#include "exporter/json/sample_document.h"
#include "exporter/text/sample_writer.h"
#include "tests/bench/moving_machine.h"
#include "tests/bench/sampled_machine.h"
#include "tests/bench/step.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf::testing {
namespace {

class MemcpyStep final : public Step {
 public:
  explicit MemcpyStep(Shape shape)
      : values_(values_of(shape)),
        bytes_(MovingMachine(std::move(shape), 0).block().bytes),
        copy_(bytes_.size()) {}

  std::size_t run() override {
    std::memcpy(copy_.data(), bytes_.data(), bytes_.size());
    return copy_.size();
  }
  std::uint64_t count() const override { return values_; }

 private:
  std::uint64_t values_;
  ByteVector bytes_;
  ByteVector copy_;
};

struct Place {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

std::vector<Place> places_of(const BuiltBlock& block) {
  std::vector<Place> places;
  for (const BuiltBlock::Object& object : block.objects) {
    const auto add = [&](std::size_t counter_block) {
      for (const std::size_t counter : object.counters)
        places.push_back(
            {counter_block + field_at(block.bytes, counter + v1::counter::kCounterOffset),
             field_at(block.bytes, counter + v1::counter::kCounterSize)});
    };
    for (const BuiltBlock::Instance& instance : object.instances) add(instance.block_offset);
    if (object.instances.empty()) add(object.block_offset);
  }
  return places;
}

class NaiveReaderStep final : public Step {
 public:
  explicit NaiveReaderStep(Shape shape)
      : block_(MovingMachine(std::move(shape), 0).block()), places_(places_of(block_)) {}

  std::size_t run() override {
    sum_ = 0;
    for (const Place& place : places_) {
      std::uint64_t value = 0;
      if (place.bytes == sizeof value)
        std::memcpy(&value, block_.bytes.data() + place.offset, sizeof value);
      else
        std::memcpy(&value, block_.bytes.data() + place.offset, sizeof(std::uint32_t));
      sum_ += value;
    }
    return sum_ == 0 ? 0 : block_.bytes.size();
  }
  std::uint64_t count() const override { return places_.size(); }

 private:
  BuiltBlock block_;
  std::vector<Place> places_;
  std::uint64_t sum_ = 0;
};

// Each counter of each object is a family with a metric for each instance.
std::vector<prometheus::MetricFamily> families_of(const MovingMachine& machine) {
  std::vector<prometheus::MetricFamily> families;
  double value = 0;
  for (const ObjectShape& object : machine.shape())
    for (const CounterShape& counter : object.counters) {
      prometheus::MetricFamily& family = families.emplace_back();
      family.name = "winperf_" + object.name + "_" + counter.name;
      family.help = counter.name;
      family.type = prometheus::MetricType::Gauge;
      for (std::size_t i = 0; i < object.instances; ++i) {
        prometheus::ClientMetric& metric = family.metric.emplace_back();
        metric.label = {{"instance", "service" + std::to_string(i)}};
        metric.gauge.value = value += 1000.5;
      }
    }
  return families;
}

class PrometheusCppStep final : public Step {
 public:
  explicit PrometheusCppStep(Shape shape)
      : families_(families_of(MovingMachine(std::move(shape), 0))) {}

  std::size_t run() override {
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families_);
    return out.str().size();
  }
  std::uint64_t count() const override {
    std::uint64_t series = 0;
    for (const auto& family : families_) series += family.metric.size();
    return series;
  }

 private:
  std::vector<prometheus::MetricFamily> families_;
};

class NlohmannStep final : public Step {
 public:
  explicit NlohmannStep(const Sample& sample) {
    for (const CountersetState& state : sample.countersets)
      values_ += state.sample->rows() * state.sample->columns();
    const auto shared = std::make_shared<const Sample>(sample);
    document_ = nlohmann::ordered_json::parse(json::SampleDocument(shared).text({}, kTaken).str());
  }

  std::size_t run() override { return document_.dump().size(); }
  std::uint64_t count() const override { return values_; }

 private:
  nlohmann::ordered_json document_;
  std::uint64_t values_ = 0;
};

// The room is more than either encoder needs.
struct CompressedPage {
  explicit CompressedPage(const Sample& sample) {
    MappingOptions options;
    options.max_series = 10'000'000;
    for (const CountersetCounts& one : SampleWriter(options).append(text, sample))
      series += one.series;
    packed.resize(compressBound(static_cast<uLong>(text.size())));
  }

  std::string text;
  std::string packed;
  std::uint64_t series = 0;
};

class ZlibStep final : public Step {
 public:
  explicit ZlibStep(const Sample& sample) : page_(sample) {}

  std::size_t run() override {
    uLongf size = static_cast<uLongf>(page_.packed.size());
    const int result = compress2(reinterpret_cast<Bytef*>(page_.packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(page_.text.data()),
                                 static_cast<uLong>(page_.text.size()), Z_BEST_SPEED);
    return result == Z_OK ? size : 0;
  }
  std::uint64_t count() const override { return page_.series; }

 private:
  CompressedPage page_;
};

class LibdeflateStep final : public Step {
 public:
  explicit LibdeflateStep(const Sample& sample) : page_(sample) {}

  std::size_t run() override {
    constexpr int kFastest = 1;
    libdeflate_compressor* const compressor = libdeflate_alloc_compressor(kFastest);
    const std::size_t size = libdeflate_deflate_compress(
        compressor, page_.text.data(), page_.text.size(), page_.packed.data(), page_.packed.size());
    libdeflate_free_compressor(compressor);
    return size;
  }
  std::uint64_t count() const override { return page_.series; }

 private:
  CompressedPage page_;
};

template <class Made>
std::unique_ptr<Step> of_bytes(std::string_view name) {
  auto shape = shape_called(name);
  return shape ? std::make_unique<Made>(*std::move(shape)) : nullptr;
}

template <class Made>
std::unique_ptr<Step> of_sample(std::string_view name) {
  const auto series = series_of(name, 0);
  return series ? std::make_unique<Made>(*series->next()) : nullptr;
}

}  // namespace

std::vector<StepRow> peer_steps() {
  return {
      {"memcpy of the block", "value", of_bytes<MemcpyStep>},
      {"naive reader", "value", of_bytes<NaiveReaderStep>},
      {"prometheus-cpp", "series", of_bytes<PrometheusCppStep>},
      {"nlohmann", "value", of_sample<NlohmannStep>},
      {"zlib", "series", of_sample<ZlibStep>},
      {"libdeflate", "series", of_sample<LibdeflateStep>},
  };
}

std::vector<StepRow> all_steps() {
  std::vector<StepRow> all = sampling_steps();
  for (const auto& more : {discovery_steps(), answer_steps(), peer_steps()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace winperf::testing

#include "service/run/own_counters.h"

#include <exception>
#include <utility>
#include <vector>

#include "collectors/base/system_text.h"
#include "exporter/counters/section_writer.h"
#include "exporter/counters/shared_section.h"
#include "exporter/counters/v2_provider.h"

namespace winperf {
namespace {

class SectionSink final : public StateSink {
 public:
  explicit SectionSink(std::unique_ptr<own::SharedSection> section)
      : section_(std::move(section)), writer_(section_->words()) {}

  std::expected<ShownState, std::string> show(const own::OwnState& state) override {
    writer_.start_after(state.number - 1);
    const std::uint64_t number = writer_.next_number();
    writer_.publish(state);
    return ShownState{.number = number};
  }

 private:
  const std::unique_ptr<own::SharedSection> section_;
  own::SectionWriter writer_;
};

class PerflibSink final : public StateSink {
 public:
  explicit PerflibSink(std::unique_ptr<own::ProviderFunctions> functions)
      : provider_(std::move(functions), system_clocks()) {}

  std::expected<void, std::string> start() { return provider_.start(); }
  std::expected<ShownState, std::string> show(const own::OwnState& state) override {
    std::vector<std::string> problems = provider_.show(state);
    const std::uint64_t before = std::exchange(failures_, provider_.failures());
    return ShownState{
        .number = state.number, .problems = std::move(problems), .missing = failures_ - before};
  }

 private:
  own::OwnProvider provider_;
  std::uint64_t failures_ = 0;  // of it, so far
};

}  // namespace

OwnPlatform::OpenSink perflib_provider() {
  return []() -> std::expected<std::unique_ptr<StateSink>, std::string> {
    auto functions = own::make_provider_functions();
    if (!functions) return std::unexpected(std::move(functions.error()));
    auto sink = std::make_unique<PerflibSink>(*std::move(functions));
    if (auto started = sink->start(); !started) return std::unexpected(std::move(started.error()));
    return sink;
  };
}

OwnPlatform::OpenSink section_at(std::string place) {
  return [place = std::move(place)]() -> std::expected<std::unique_ptr<StateSink>, std::string> {
    auto section = own::create_shared_section(place);
    if (!section) return std::unexpected(std::move(section.error()));
    if (*section == nullptr) return std::unexpected("this system has no shared section");
    return std::make_unique<SectionSink>(*std::move(section));
  };
}

OwnCounters::OwnCounters(OwnPlatform platform, const SampleSlot& slot, ExporterRegistry& registry,
                         Ticks100ns started, Logger logger, std::function<OwnFacts()> facts)
    : platform_(std::move(platform)),
      slot_(slot),
      registry_(registry),
      logger_(std::move(logger)),
      facts_(std::move(facts)),
      numbers_(started, platform_.frequency) {}

const OwnPlatform::OpenSink* OwnCounters::road() const {
  switch (road_) {
    case OwnCountersRoad::kV1:
      return platform_.v1 ? &platform_.v1 : nullptr;
    case OwnCountersRoad::kV2:
      return platform_.v2 ? &platform_.v2 : nullptr;
    case OwnCountersRoad::kNone:
      break;
  }
  return nullptr;
}

void OwnCounters::change(OwnCountersRoad road) {
  const std::lock_guard lock(mutex_);
  if (road == road_) return;
  sink_.reset();
  trouble_.clear();
  road_ = road;
}

void OwnCounters::close() { change(OwnCountersRoad::kNone); }

// The sums are those of all samples, also while nothing is published.
void OwnCounters::publish() {
  if (!platform_.v1 && !platform_.v2) return;
  const std::lock_guard lock(mutex_);
  std::string trouble;
  try {
    if (const auto sample = slot_.latest()) numbers_.note(*sample);
    if (road() == nullptr) return;
    if (const auto shown = show(); !shown) trouble = shown.error();
  } catch (const std::exception& error) {  // there is no memory
    trouble = exception_text(error);
  }
  if (!trouble.empty()) ++failures_;
  registry_.show_own_counters(number_, failures_);
  report(trouble);
}

std::expected<void, std::string> OwnCounters::show() {
  if (sink_ == nullptr) {
    auto opened = (*road())();
    if (!opened) return std::unexpected(std::move(opened.error()));
    sink_ = *std::move(opened);
  }
  own::OwnState state = numbers_.state(facts_());
  state.number = number_ + 1;
  state[own::ExporterValue::kStateNumber] = state.number;
  const auto shown = sink_->show(state);
  if (!shown) return std::unexpected(shown.error());
  number_ = shown->number;
  failures_ += shown->missing;
  for (const std::string& problem : shown->problems)
    logger_->write(Event::kOwnCountersFail, problem);
  return {};
}

// Once for each cause, however often it is tried.
void OwnCounters::report(const std::string& trouble) {
  if (trouble == trouble_) return;
  if (trouble.empty())
    logger_->write(Event::kOwnCountersWork, "the exporter's own counters are published");
  else
    logger_->write(Event::kOwnCountersFail, trouble);
  trouble_ = trouble;
}

}  // namespace winperf

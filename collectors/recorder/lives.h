// One counter of a counterset over a time: what each instance had while it lived.
//
// An instance lives as long as its rows continue each other; one that ends and begins anew has two
// lives. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/formula/cook.h"
#include "collectors/recorder/history.h"
#include "collectors/recorder/reels.h"

namespace winperf::recorder {

// The value of an instance in one of the moments.
struct Point {
  std::uint32_t moment = 0;
  std::uint32_t row = 0;
};

struct Life {
  InstanceSchema instance;    // as it was at its end
  std::vector<Point> points;  // at least one, the oldest first
};

// What a gauge did between two moments, and in the second one.
struct GaugeRange {
  double lowest = 0;
  double highest = 0;
  double sum = 0;
  std::uint64_t count = 0;
};

class Lives {
 public:
  // Of the counter with this name, in English or in the machine's language. Without moments, if
  // nothing is recorded of it.
  [[nodiscard]] static std::expected<Lives, Error> open(SharedReels reels,
                                                        std::string_view counter);
  // The same with reels for it alone. Lifetime: that of the track.
  [[nodiscard]] static std::expected<Lives, Error> open(const Track& track,
                                                        std::string_view counter, Ticks100ns since,
                                                        Ticks100ns until);

  // When samples were taken, in the order of recording, which is that of the wall clock unless it
  // was set back.
  std::size_t moments() const { return moments_.size(); }
  const Instant& at(std::size_t moment) const { return frame(moment).at; }
  const std::vector<Life>& lives() const { return lives_; }

  // Cooked from two points of a life, or from the second one if the type needs only that. A row
  // without a raw value has its reason, and a window the reason of whatever interrupts it.
  [[nodiscard]] std::expected<double, NoValue> cooked(const Life& life, std::size_t from,
                                                      std::size_t to) const;
  // Whether two samples are needed.
  bool needs_previous() const { return needs_previous_; }
  // Of a gauge that is read from its raw values; empty otherwise, or if there is no value.
  std::optional<GaugeRange> range(const Point& point) const;

 private:
  // A part of the track under one schema.
  struct Section {
    const Reel& reel;
    const CounterSchema* counter = nullptr;  // null: it doesn't have it
    const SampleLayout::Column* place = nullptr;
    ColumnCells cells;
  };
  struct Moment {
    std::size_t section = 0;
    std::size_t frame = 0;  // of the section's reel
  };

  [[nodiscard]] std::expected<void, Error> add_section(const Reel& reel, std::string_view counter);
  void link(std::size_t section);
  const Frame& frame(std::size_t moment) const {
    return sections_[moments_[moment].section].reel.frames()[moments_[moment].frame];
  }
  std::size_t cell(const Point& point) const;
  NoValue interruption(const Life& life, std::size_t from, std::size_t to) const;

  SharedReels reels_;
  std::vector<Section> sections_;
  std::vector<Moment> moments_;
  std::vector<Life> lives_;
  std::vector<std::uint32_t> life_of_row_;  // of the last moment
  bool needs_previous_ = false;
};

}  // namespace winperf::recorder

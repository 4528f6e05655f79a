// Reads the newest whole state from a section that another process writes.
//
// Validated: the head against the size of the section, and each count against the head; a name is
// as long as its room at most. Not validated: the values.
// Compiled into the DLL (counter_row.h): no allocation, no lock, no wait. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "exporter/counters/section_layout.h"

namespace winperf::own {

enum class SectionState : std::uint8_t {
  kSound,
  kForeign,      // not a section of the exporter, or not yet written
  kOtherLayout,  // of another version, which this one can't read
  kDamaged,      // what the head says doesn't fit into the section
};

class SectionView {
 public:
  explicit SectionView(std::span<const Word> words);

  SectionState state() const { return state_; }
  // How many values of each object are there: what this version knows and the writer has.
  std::size_t exporter_values() const { return exporter_values_; }
  std::size_t counterset_values() const { return counterset_values_; }

  // How many of each the writer has, which may be of another version.
  struct Shape {
    std::size_t exporter_values = 0;
    std::size_t counterset_values = 0;
    std::size_t rows = 0;
  };

  // One copy, which may be overwritten at any time: what was read from it counts only if is_whole()
  // afterwards. It needs the section, but not the view.
  class Copy {
   public:
    std::uint64_t number() const { return number_; }
    std::int64_t written_at() const;
    bool is_known(std::size_t value) const;
    std::uint64_t exporter_value(std::size_t value) const;
    std::size_t rows() const;        // at most as many as have room
    std::size_t name_units() const;  // not more than all rows can have
    std::uint64_t value(std::size_t row, std::size_t value) const;
    // How long the row's name is, without its NUL; at most kLongestName.
    std::size_t name_length(std::size_t row) const;
    char16_t name_unit(std::size_t row, std::size_t index) const;
    // Whether nothing has been written to the copy since it was found.
    bool is_whole() const;

   private:
    friend class SectionView;
    Copy(const Shape& shape, std::span<const Word> words, std::uint64_t number)
        : shape_(shape), words_(words), number_(number) {}
    std::uint64_t word(std::size_t index) const {
      return words_[index].load(std::memory_order_acquire);
    }
    std::size_t row_at(std::size_t row) const;

    Shape shape_;
    std::span<const Word> words_;
    std::uint64_t number_;
  };
  // The copy with the newest state that is whole, or nothing: none was ever written, or both are
  // being written to at once, which a sound writer doesn't.
  std::optional<Copy> newest() const;

 private:
  std::optional<Copy> copy(std::size_t which) const;

  std::span<const Word> words_;
  SectionState state_ = SectionState::kForeign;
  std::size_t exporter_values_ = 0;
  std::size_t counterset_values_ = 0;
  Shape shape_;
  std::size_t copy_words_ = 0;
};

}  // namespace winperf::own

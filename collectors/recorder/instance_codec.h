// Encodes the instances of one frame after the other: which rows of the frame before they continue,
// as runs, and the fields of those that are new or have changed. Each text is written once in a
// chunk.
//
// A frame is a flag that nothing has changed; otherwise the number of instances, and runs up to
// that. The first frame of a chunk that continues no other is described as a whole.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collectors/recorder/bits.h"
#include "collectors/recorder/frame.h"

namespace winperf::recorder {

// What the place of an instance in the provider's list is likely to be: places move together when
// an instance in front of them goes.
struct OrdinalGuess {
  std::uint32_t shift = 0;  // modulo 2^32
  std::uint32_t last = ~std::uint32_t{0};

  InstanceSchema continued(const InstanceSchema& before) const {
    InstanceSchema predicted = before;
    predicted.ordinal += shift;
    return predicted;
  }
  InstanceSchema created() const {
    InstanceSchema predicted;
    predicted.ordinal = last + 1;
    return predicted;
  }
  void note(const InstanceSchema& now, const InstanceSchema* before) {
    last = now.ordinal;
    if (before != nullptr) shift = now.ordinal - before->ordinal;
  }
};

class InstanceWriter {
 public:
  // `before`: the instances that the reader has; null: none.
  InstanceWriter(const InstanceSet* before, BitWriter& out) : before_(before), out_(out) {}
  void write(const Frame& frame, bool is_multi_instance);

 private:
  struct Run {
    std::uint32_t first = 0;   // instance
    std::uint32_t before = 0;  // instance that the first one continues, or kNewInstance
    std::uint32_t count = 0;
    bool is_described = false;
  };
  std::vector<Run> runs_of(const InstanceSet& set, const std::vector<std::uint32_t>& before) const;
  void describe(const InstanceSchema& instance, const InstanceSchema& predicted);
  void changed_number(std::uint32_t now, std::uint32_t predicted, unsigned low);
  void text(const std::string& text);

  const InstanceSet* before_;
  BitWriter& out_;
  std::unordered_map<std::string, std::uint64_t> texts_;
};

class InstanceReader {
 public:
  // `rows_before`: of the frame before, whose instances are `before`; null: not known.
  InstanceReader(std::shared_ptr<const InstanceSet> before, std::size_t rows_before, BitReader& in);
  // Sets the frame's instances, rows and rows_before. False if the data is damaged.
  [[nodiscard]] bool read(Frame& frame, bool is_multi_instance);

 private:
  bool read_run(InstanceSet& set, std::vector<std::uint32_t>& before, std::uint64_t count);
  InstanceSchema described(InstanceSchema predicted);
  std::string text();

  std::shared_ptr<const InstanceSet> before_;
  std::size_t rows_before_;
  BitReader& in_;
  std::vector<std::string> texts_;
  std::uint64_t copies_left_;
  // Of the frame that is being read.
  std::uint32_t next_before_ = 0;
  OrdinalGuess guess_;
  std::vector<bool> taken_;
};

}  // namespace winperf::recorder

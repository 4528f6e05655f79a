#include "collectors/sampling/sample_pool.h"

#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace winperf {
namespace {

// One was before the newest, and one has been on its way to a client.
constexpr std::size_t kMostKept = 2;
// Room for what shared_ptr keeps about a sample.
constexpr std::size_t kControlBytes = 128;

}  // namespace

// A sample with the memory of its control block, so that neither is allocated again.
struct SamplePool::Slot {
  CountersetSample sample;
  alignas(std::max_align_t) std::byte control[kControlBytes];
};

class SamplePool::Shelf {
 public:
  Shelf() { free_.reserve(kMostKept); }  // put() must not fail

  std::unique_ptr<Slot> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Slot>();
    std::unique_ptr<Slot> slot = std::move(free_.back());
    free_.pop_back();
    return slot;
  }

  // What it shares with other samples isn't kept.
  void put(std::unique_ptr<Slot> slot) {
    slot->sample.schema.reset();
    slot->sample.layout.reset();
    slot->sample.instances.reset();
    const std::lock_guard lock(mutex_);
    if (free_.size() < kMostKept) free_.push_back(std::move(slot));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Slot>> free_;
};

// Gives the control block the memory in its slot. The control block is the last part
// of a sample in use, so the slot is free as soon as that memory comes back.
template <class T>
class SamplePool::Memory {
 public:
  using value_type = T;
  Memory(std::shared_ptr<Shelf> shelf, Slot* slot) : shelf_(std::move(shelf)), slot_(slot) {}
  template <class Other>
  Memory(const Memory<Other>& other) : shelf_(other.shelf_), slot_(other.slot_) {}

  T* allocate(std::size_t) {
    static_assert(sizeof(T) <= kControlBytes && alignof(T) <= alignof(std::max_align_t));
    return reinterpret_cast<T*>(slot_->control);
  }
  void deallocate(T*, std::size_t) { shelf_->put(std::unique_ptr<Slot>(slot_)); }

  template <class Other>
  bool operator==(const Memory<Other>& other) const {
    return slot_ == other.slot_;
  }

 private:
  template <class Other>
  friend class Memory;

  std::shared_ptr<Shelf> shelf_;
  Slot* slot_;
};

SamplePool::SamplePool() : shelf_(std::make_shared<Shelf>()) {}

std::shared_ptr<CountersetSample> SamplePool::take() {
  Slot* const slot = shelf_->take().release();
  return {&slot->sample, [](CountersetSample*) {}, Memory<CountersetSample>(shelf_, slot)};
}

}  // namespace winperf

// The V1 blocks of a reply. Each is walked once, when it comes in: which objects it has, and where
// its lengths are wrong, is known from then on, and whoever has the reply reads these views instead
// of walking the block again. What an object contains is its own affair.
//
// As a container it has the blocks' bytes. Views live as long as the reply, also if it is moved; a
// copy is walked again. Thread rule: as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <span>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/ids.h"
#include "collectors/wire/block_view.h"

namespace winperf {

using Bytes = std::vector<std::byte>;

class ReplyBlocks {
 public:
  struct Walked {
    std::expected<BlockView, Error> block;
    std::vector<ObjectView> objects{};  // in its order
    std::vector<Error> problems{};      // objects, or what is behind them, that can't be told apart
  };
  // An object, by places.
  struct Place {
    ObjectIndex index{};
    std::uint32_t block = 0;   // in walked()
    std::uint32_t object = 0;  // in its objects
  };

  ReplyBlocks() = default;
  ReplyBlocks(std::initializer_list<Bytes> blocks);
  ReplyBlocks(const ReplyBlocks& other);
  ReplyBlocks& operator=(const ReplyBlocks& other);
  ReplyBlocks(ReplyBlocks&&) = default;
  ReplyBlocks& operator=(ReplyBlocks&&) = default;
  ~ReplyBlocks() = default;

  void push_back(Bytes bytes);
  void append(ReplyBlocks more);
  // Leaves none.
  std::vector<Bytes> take_bytes();

  auto begin() const { return bytes_.begin(); }
  auto end() const { return bytes_.end(); }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  const Bytes& front() const { return bytes_.front(); }
  const Bytes& operator[](std::size_t place) const { return bytes_[place]; }
  const Bytes& at(std::size_t place) const { return bytes_.at(place); }
  friend bool operator==(const ReplyBlocks& a, const ReplyBlocks& b) {
    return a.bytes_ == b.bytes_;
  }
  using value_type = Bytes;
  using const_iterator = std::vector<Bytes>::const_iterator;

  // In the order of the bytes.
  std::span<const Walked> walked() const { return walked_; }
  // False if a block can't be parsed, or an object's lengths hide those behind it.
  bool is_sound() const;
  // All problems of the walks.
  std::vector<Error> problems() const;
  // By index; those with the same one in the order of the reply.
  std::span<const Place> objects() const { return objects_; }
  // Those with one of these indices, or all if there is none, in the order of the reply.
  std::vector<Place> in_order(std::span<const ObjectIndex> indices) const;
  std::span<const Place> objects_with(ObjectIndex index) const;
  const ObjectView& view(const Place& place) const {
    return walked_[place.block].objects[place.object];
  }
  // Whether there is such an object with values.
  bool has_values_of(ObjectIndex index) const;

 private:
  std::vector<Bytes> bytes_;
  std::vector<Walked> walked_;
  std::vector<Place> objects_;
};

}  // namespace winperf

// A built block with views of its objects, which live as long as it does.
#pragma once

#include <cstddef>

#include "collectors/wire/block_view.h"
#include "tests/support/block_builder.h"

namespace winperf::testing {

class ParsedBlock {
 public:
  explicit ParsedBlock(const BlockBuilder& builder) : ParsedBlock(builder.bytes()) {}
  explicit ParsedBlock(ByteVector bytes)
      : bytes_(std::move(bytes)), view_(BlockView::parse(bytes_).value()) {}

  const BlockView& view() const { return view_; }
  ObjectView object(std::size_t position = 0) const {
    ObjectWalk walk = view_.objects();
    for (std::size_t i = 0; i < position; ++i) (void)walk.next();
    return walk.next().value().value();
  }

 private:
  ByteVector bytes_;
  BlockView view_;
};

}  // namespace winperf::testing

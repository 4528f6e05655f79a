#include "collectors/hosting/soundness.h"

#include <algorithm>

#include "collectors/wire/block_view.h"

namespace winperf {

bool is_sound(const Reply& reply) {
  return std::ranges::all_of(reply.blocks, [](const Bytes& bytes) {
    const auto block = BlockView::parse(bytes);
    if (!block) return false;
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next())
      if (!*object) return false;
    return true;
  });
}

}  // namespace winperf

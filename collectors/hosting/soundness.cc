#include "collectors/hosting/soundness.h"

#include <algorithm>
#include <set>

#include "collectors/sources/value_names.h"
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

bool has_all_of(const Reply& reply, std::string_view value_name) {
  const auto objects = indices_in(value_name);
  if (!objects || !is_sound(reply)) return false;
  std::set<ObjectIndex> there;
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next())
      if (!(*object)->metadata_only()) there.insert((*object)->index());
  }
  return std::ranges::all_of(*objects, [&](ObjectIndex object) { return there.contains(object); });
}

}  // namespace winperf

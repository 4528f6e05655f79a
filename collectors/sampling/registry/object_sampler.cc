#include "collectors/sampling/registry/object_sampler.h"

#include <algorithm>
#include <set>

#include "collectors/wire/block_view.h"

namespace winperf {
namespace {

bool is_wanted(std::span<const ObjectIndex> wanted, ObjectIndex index) {
  return wanted.empty() || std::ranges::find(wanted, index) != wanted.end();
}

}  // namespace

std::vector<std::shared_ptr<const CountersetSample>> ObjectSampler::take(
    const Reply& reply, const Catalog& catalog, std::uint64_t catalog_generation,
    std::span<const ObjectIndex> wanted, std::vector<Error>& problems) {
  std::vector<std::shared_ptr<const CountersetSample>> samples;
  std::set<ObjectIndex> seen;
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) {
      problems.push_back(block.error());
      continue;
    }
    ParentNames parents(*block);
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next()) {
      if (!*object) {
        problems.push_back(object->error());
        continue;
      }
      const ObjectView& view = **object;
      if (!is_wanted(wanted, view.index())) continue;
      if (view.metadata_only()) continue;
      if (!seen.insert(view.index()).second) {
        problems.push_back({.code = ErrorCode::kDuplicateObject,
                            .where = "object",
                            .offset = view.offset(),
                            .actual = value_of(view.index())});
        continue;
      }
      auto sample = trackers_[view.index()].update(
          view, block->clocks(), catalog, catalog_generation, parents, selection_, problems);
      if (sample) samples.push_back(std::move(sample));
    }
  }
  for (const LoggedObject& object : reply.logged) {
    const ObjectIndex index = object.values->schema->index;
    if (!is_wanted(wanted, index)) continue;
    problems.insert(problems.end(), object.problems.begin(), object.problems.end());
    samples.push_back(logged_trackers_[index].update(object.values, selection_));
  }
  return samples;
}

}  // namespace winperf

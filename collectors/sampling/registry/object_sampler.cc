#include "collectors/sampling/registry/object_sampler.h"

#include <algorithm>
#include <set>

#include "collectors/wire/block_view.h"

namespace winperf {
namespace {

bool is_wanted(std::span<const ObjectIndex> wanted, ObjectIndex index) {
  return wanted.empty() || std::ranges::find(wanted, index) != wanted.end();
}

Error duplicate(const ObjectView& object) {
  return {.code = ErrorCode::kDuplicateObject,
          .where = "object",
          .offset = object.offset(),
          .actual = value_of(object.index())};
}

}  // namespace

void SampledObjects::add(ReadResult object) {
  const std::vector<Error>& found = problems_of(object);
  problems.insert(problems.end(), found.begin(), found.end());
  if (object)
    samples.push_back(std::move(object->sample));
  else
    problems.push_back(object.error().error);
}

SampledObjects ObjectSampler::take(const Reply& reply, const Catalog& catalog,
                                   std::uint64_t catalog_generation,
                                   std::span<const ObjectIndex> wanted) {
  SampledObjects taken;
  std::set<ObjectIndex> seen;
  for (const Bytes& bytes : reply.blocks) {
    const auto block = BlockView::parse(bytes);
    if (!block) {
      taken.problems.push_back(block.error());
      continue;
    }
    ParentNames parents(*block);
    ObjectWalk walk = block->objects();
    while (const auto object = walk.next()) {
      if (!*object) {
        taken.problems.push_back(object->error());
        continue;
      }
      const ObjectView& view = **object;
      if (!is_wanted(wanted, view.index()) || view.metadata_only()) continue;
      if (seen.insert(view.index()).second)
        taken.add(trackers_[view.index()].update(view, block->clocks(), catalog, catalog_generation,
                                                 parents, selection_));
      else
        taken.problems.push_back(duplicate(view));
    }
  }
  for (const LoggedObject& object : reply.logged) {
    const ObjectIndex index = object.values->schema->index;
    if (is_wanted(wanted, index))
      taken.add(Reading{.sample = logged_trackers_[index].update(object.values, selection_),
                        .problems = object.problems});
  }
  return taken;
}

}  // namespace winperf

#include "collectors/hosting/provider_trial.h"

#include <utility>

#include "collectors/wire/block_view.h"

namespace winperf {
namespace {

constexpr std::string_view kEverything = "Global";

struct Timed {
  std::expected<Reply, Error> reply;
  std::chrono::nanoseconds took;
};

Timed ask(ProviderHost& host) {
  const auto before = std::chrono::steady_clock::now();
  host.begin(kEverything, {});
  auto reply = host.finish({});
  return {std::move(reply), std::chrono::steady_clock::now() - before};
}

std::optional<Error> list_objects(const Bytes& bytes, std::vector<ObjectIndex>& objects) {
  const auto block = BlockView::parse(bytes);
  if (!block) return block.error();
  ObjectWalk walk = block->objects();
  while (const auto object = walk.next()) {
    if (!*object) return object->error();
    objects.push_back((*object)->index());
  }
  return std::nullopt;
}

}  // namespace

ProviderTrial try_provider(ProviderHost& host) {
  ProviderTrial trial;
  const Timed first = ask(host);
  trial.first = first.took;
  if (!first.reply) {
    trial.error = first.reply.error();
    return trial;
  }
  const Timed second = ask(host);
  if (second.reply) trial.second = second.took;
  if (!second.reply) trial.error = second.reply.error();
  for (const Bytes& block : (second.reply ? second : first).reply->blocks) {
    trial.bytes += block.size();
    if (const auto wrong = list_objects(block, trial.objects)) trial.error = *wrong;
  }
  return trial;
}

}  // namespace winperf

#include "collectors/hosting/provider_trial.h"

#include <utility>

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
  const Reply& last = *(second.reply ? second : first).reply;
  trial.bytes = size_of(last);
  for (const ReplyBlocks::Walked& walked : last.blocks.walked())
    for (const ObjectView& object : walked.objects) trial.objects.push_back(object.index());
  if (const auto problems = last.blocks.problems(); !problems.empty())
    trial.error = problems.front();
  return trial;
}

}  // namespace winperf

#include "collectors/hosting/shared_providers.h"

#include <span>
#include <utility>

#include "collectors/base/kept_text.h"
#include "collectors/hosting/provider_error.h"
#include "collectors/worker/reply_bytes.h"

namespace winperf {

std::expected<Reply, Error> SharedProviders::query(const ProviderRegistration& provider,
                                                   std::string_view value_name,
                                                   const StopToken& stop) {
  const char* const name = kept_text(title_of(provider), "provider");
  // Each has a deadline of its own, and rests alone.
  const auto reply = worker_.call({.operation = worker::Operation::kQuery,
                                   .text = value_name,
                                   .input = std::as_bytes(std::span(provider.service))},
                                  provider.service, stop);
  if (!reply) return std::unexpected(named_after(reply.error(), name));
  left_behind_ |= reply->left_behind;
  auto block = worker::copied(reply->parts.front(), name);
  if (!block) return std::unexpected(named_after(block.error(), name));
  Reply answer;
  answer.blocks.push_back(*std::move(block));
  return answer;
}

}  // namespace winperf

// What a front does about TLS: other certificates, and handshakes that fail.
#include "exporter/http/front.h"

namespace winperf {

void Front::change_tls(std::shared_ptr<TlsContext> tls) {
  const std::lock_guard lock(mutex_);
  wanted_.tls = std::move(tls);
  waker_->wake();
}

// Whom the new one would not let in may be among those who are connected.
void Front::use_tls(const std::shared_ptr<TlsContext>& tls, Time now) {
  tls_ = tls;
  for (auto& [id, client] : clients_) {
    if (client.is_shaking_hands()) client.is_over = true;
    client.connection.finish(now);
  }
}

void Front::tell_tls_failure(Client& client, Time now) {
  const auto failure = client.take_tls_failure();
  if (!failure) return;
  observer_.handshake_failed(*failure);
  if (failure == TlsFailure::kPlainHttp)
    refuse(client, {.status = 400, .reason = "Client sent an HTTP request to an HTTPS server."},
           now);
}

}  // namespace winperf

#include "exporter/tls/tls_client.h"

#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>

#include "exporter/tls/tls_state.h"

namespace winperf {
namespace {

constexpr std::size_t kMostOfAnswer = std::size_t{64} << 20;

struct ClientSide {
  ClientSide() { mbedtls_ssl_init(&ssl); }
  ClientSide(const ClientSide&) = delete;
  ClientSide& operator=(const ClientSide&) = delete;
  ~ClientSide() {
    // A handshake that isn't over has keys in the library's table.
    const std::lock_guard lock(handshake_mutex());
    mbedtls_ssl_free(&ssl);
  }

  std::chrono::steady_clock::time_point until{};
  Owned<mbedtls_net_context, mbedtls_net_init, mbedtls_net_free> socket;
  OwnedEntropy entropy;
  OwnedRandom random;
  OwnedCertificates trusted;
  Owned<mbedtls_ssl_config, mbedtls_ssl_config_init, mbedtls_ssl_config_free> config;
  mbedtls_ssl_context ssl{};
};

std::unexpected<std::string> tls_failure(const std::string& what, int code) {
  return std::unexpected(what + ": " + tls_error_text(code));
}

int prepare(ClientSide& side, const TlsRequest& request) {
  int code = mbedtls_ctr_drbg_seed(&side.random, mbedtls_entropy_func, &side.entropy, nullptr, 0);
  // With its NUL, as the library demands of PEM.
  if (code == 0)
    code = mbedtls_x509_crt_parse(&side.trusted,
                                  reinterpret_cast<const unsigned char*>(request.trusted.c_str()),
                                  request.trusted.size() + 1);
  if (code == 0)
    code = mbedtls_ssl_config_defaults(&side.config, MBEDTLS_SSL_IS_CLIENT,
                                       MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
  if (code != 0) return code;
  mbedtls_ssl_conf_rng(&side.config, mbedtls_ctr_drbg_random, &side.random);
  mbedtls_ssl_conf_ca_chain(&side.config, &side.trusted, nullptr);
  mbedtls_ssl_conf_authmode(&side.config, MBEDTLS_SSL_VERIFY_REQUIRED);
  code = mbedtls_ssl_setup(&side.ssl, &side.config);
  if (code == 0) code = mbedtls_ssl_set_hostname(&side.ssl, request.host.c_str());
  mbedtls_ssl_set_bio(&side.ssl, &side.socket, mbedtls_net_send, mbedtls_net_recv, nullptr);
  return code;
}

// Repeats a call of the library until it doesn't wait for the socket any more.
template <class Call>
int when_ready(ClientSide& side, const Call& call) {
  while (true) {
    const int code = call();
    const bool wants_read =
        code == MBEDTLS_ERR_SSL_WANT_READ || code == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET;
    if (!wants_read && code != MBEDTLS_ERR_SSL_WANT_WRITE) return code;
    if (code == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET) continue;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                          side.until - std::chrono::steady_clock::now())
                          .count();
    if (left <= 0) return MBEDTLS_ERR_SSL_TIMEOUT;
    const int ready =
        mbedtls_net_poll(&side.socket, wants_read ? MBEDTLS_NET_POLL_READ : MBEDTLS_NET_POLL_WRITE,
                         static_cast<std::uint32_t>(left));
    if (ready < 0) return ready;
  }
}

int shake_hands(ClientSide& side) {
  return when_ready(side, [&] {
    const std::lock_guard lock(handshake_mutex());
    return mbedtls_ssl_handshake(&side.ssl);
  });
}

int send_all(ClientSide& side, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const int count = when_ready(side, [&] {
      return mbedtls_ssl_write(&side.ssl,
                               reinterpret_cast<const unsigned char*>(text.data()) + sent,
                               text.size() - sent);
    });
    if (count < 0) return count;
    sent += static_cast<std::size_t>(count);
  }
  return 0;
}

int receive_all(ClientSide& side, std::string& text) {
  std::array<unsigned char, 16 * 1024> piece{};
  while (text.size() <= kMostOfAnswer) {
    const int count =
        when_ready(side, [&] { return mbedtls_ssl_read(&side.ssl, piece.data(), piece.size()); });
    if (count == 0 || count == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY) return 0;
    if (count < 0) return count;
    text.append(reinterpret_cast<const char*>(piece.data()), static_cast<std::size_t>(count));
  }
  return MBEDTLS_ERR_SSL_BUFFER_TOO_SMALL;
}

}  // namespace

std::expected<TlsAnswer, std::string> ask_over_tls(const TlsRequest& request) {
  if (!begin_tls()) return std::unexpected("the system gives no randomness");
  ClientSide side;
  side.until = std::chrono::steady_clock::now() + request.patience;
  if (const int code = prepare(side, request); code != 0)
    return tls_failure("TLS cannot be prepared", code);
  const std::string where = request.host + ':' + std::to_string(request.port);
  int code = mbedtls_net_connect(&side.socket, request.host.c_str(),
                                 std::to_string(request.port).c_str(), MBEDTLS_NET_PROTO_TCP);
  if (code != 0) return tls_failure("nothing listens at " + where, code);
  mbedtls_net_set_nonblock(&side.socket);
  if (code = shake_hands(side); code != 0)
    return tls_failure("the TLS handshake with " + where + " failed", code);
  if (code = send_all(side, request.head); code != 0)
    return tls_failure("no request could be sent to " + where, code);
  TlsAnswer answer{.version = mbedtls_ssl_get_version(&side.ssl)};
  if (code = receive_all(side, answer.text); code != 0)
    return tls_failure("no whole answer from " + where, code);
  mbedtls_ssl_close_notify(&side.ssl);
  return answer;
}

}  // namespace winperf

#include "tests/exporter/support/tls_peer.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/ssl.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "exporter/tls/tls_state.h"

namespace winperf::testing {
namespace {

const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.c_str());
}

}  // namespace

struct TlsPeer::State {
  State();
  ~State();
  void set_certificates(const PeerOptions& options);
  void note(int code);

  mbedtls_entropy_context entropy{};
  mbedtls_ctr_drbg_context random{};
  mbedtls_x509_crt chain{};
  mbedtls_pk_context key{};
  mbedtls_x509_crt trusted{};
  mbedtls_ssl_config config{};
  mbedtls_ssl_context ssl{};
  std::vector<int> suites{};
  std::vector<std::uint16_t> groups{};
  std::string received{};
  std::shared_ptr<mbedtls_ssl_session> session{};
  bool is_open = false;
  int error = 0;
};

TlsPeer::State::State() {
  (void)begin_tls();
  mbedtls_entropy_init(&entropy);
  mbedtls_ctr_drbg_init(&random);
  mbedtls_x509_crt_init(&chain);
  mbedtls_pk_init(&key);
  mbedtls_x509_crt_init(&trusted);
  mbedtls_ssl_config_init(&config);
  mbedtls_ssl_init(&ssl);
}

TlsPeer::State::~State() {
  const std::lock_guard lock(handshake_mutex());
  mbedtls_ssl_free(&ssl);
  mbedtls_ssl_config_free(&config);
  mbedtls_x509_crt_free(&trusted);
  mbedtls_pk_free(&key);
  mbedtls_x509_crt_free(&chain);
  mbedtls_ctr_drbg_free(&random);
  mbedtls_entropy_free(&entropy);
}

void TlsPeer::State::note(int code) {
  if (code != MBEDTLS_ERR_SSL_WANT_READ && code != MBEDTLS_ERR_SSL_WANT_WRITE && code != 0)
    error = code;
}

void TlsPeer::State::set_certificates(const PeerOptions& options) {
  if (options.certificate != nullptr) {
    note(mbedtls_x509_crt_parse(&chain, bytes_of(options.certificate->pem),
                                options.certificate->pem.size() + 1));
    note(mbedtls_pk_parse_key(&key, bytes_of(options.certificate->key),
                              options.certificate->key.size() + 1, nullptr, 0,
                              mbedtls_ctr_drbg_random, &random));
    note(mbedtls_ssl_conf_own_cert(&config, &chain, &key));
  }
  if (options.trusted.empty()) return mbedtls_ssl_conf_authmode(&config, MBEDTLS_SSL_VERIFY_NONE);
  note(mbedtls_x509_crt_parse(&trusted, bytes_of(options.trusted), options.trusted.size() + 1));
  mbedtls_ssl_conf_ca_chain(&config, &trusted, nullptr);
}

TlsPeer::TlsPeer(const PeerOptions& options) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.suites = options.suites;
  state.groups = options.groups;
  state.note(
      mbedtls_ctr_drbg_seed(&state.random, mbedtls_entropy_func, &state.entropy, nullptr, 0));
  state.note(mbedtls_ssl_config_defaults(&state.config, MBEDTLS_SSL_IS_CLIENT,
                                         MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT));
  mbedtls_ssl_conf_rng(&state.config, mbedtls_ctr_drbg_random, &state.random);
  mbedtls_ssl_conf_renegotiation(&state.config, MBEDTLS_SSL_RENEGOTIATION_ENABLED);
  mbedtls_ssl_conf_min_tls_version(
      &state.config, options.knows_12 ? MBEDTLS_SSL_VERSION_TLS1_2 : MBEDTLS_SSL_VERSION_TLS1_3);
  mbedtls_ssl_conf_max_tls_version(
      &state.config, options.knows_13 ? MBEDTLS_SSL_VERSION_TLS1_3 : MBEDTLS_SSL_VERSION_TLS1_2);
  mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
      &state.config, MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
  if (!state.suites.empty()) {
    state.suites.push_back(0);
    mbedtls_ssl_conf_ciphersuites(&state.config, state.suites.data());
  }
  if (!state.groups.empty()) {
    state.groups.push_back(0);
    mbedtls_ssl_conf_groups(&state.config, state.groups.data());
  }
  state.set_certificates(options);
  state.note(mbedtls_ssl_setup(&state.ssl, &state.config));
  state.note(mbedtls_ssl_set_hostname(&state.ssl, "localhost"));
  const auto send = [](void* self, const unsigned char* from, std::size_t size) {
    static_cast<TlsPeer*>(self)->to_server.append(reinterpret_cast<const char*>(from), size);
    return static_cast<int>(size);
  };
  const auto receive = [](void* self, unsigned char* to, std::size_t size) {
    std::string& from = static_cast<TlsPeer*>(self)->from_server;
    const std::size_t count = std::min(size, from.size());
    std::copy_n(from.begin(), count, to);
    from.erase(0, count);
    return count == 0 ? MBEDTLS_ERR_SSL_WANT_READ : static_cast<int>(count);
  };
  mbedtls_ssl_set_bio(&state.ssl, this, send, receive, nullptr);
}

TlsPeer::~TlsPeer() = default;

void TlsPeer::step() {
  State& state = *state_;
  if (state.error != 0) return;
  if (!state.is_open) {
    const std::lock_guard lock(handshake_mutex());
    const int code = mbedtls_ssl_handshake(&state.ssl);
    state.is_open = code == 0;
    state.note(code);
  }
  std::array<unsigned char, 4096> buffer{};
  while (state.is_open && state.error == 0) {
    const int got = mbedtls_ssl_read(&state.ssl, buffer.data(), buffer.size());
    if (got == MBEDTLS_ERR_SSL_WANT_READ) {
      if (from_server.empty()) return;
      continue;  // the library has only seen that there is a ticket
    }
    if (got == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET) {
      state.session = std::shared_ptr<mbedtls_ssl_session>(new mbedtls_ssl_session,
                                                           [](mbedtls_ssl_session* session) {
                                                             mbedtls_ssl_session_free(session);
                                                             delete session;
                                                           });
      mbedtls_ssl_session_init(state.session.get());
      state.note(mbedtls_ssl_get_session(&state.ssl, state.session.get()));
    } else if (got > 0) {
      state.received.append(reinterpret_cast<const char*>(buffer.data()),
                            static_cast<std::size_t>(got));
    } else {
      state.error = got == 0 ? MBEDTLS_ERR_SSL_CONN_EOF : got;
    }
  }
}

void TlsPeer::send(std::string_view text) {
  state_->note(std::min(
      0, mbedtls_ssl_write(&state_->ssl, reinterpret_cast<const unsigned char*>(text.data()),
                           text.size())));
}

bool TlsPeer::is_open() const { return state_->is_open && state_->error == 0; }
bool TlsPeer::was_open() const { return state_->is_open; }
int TlsPeer::error() const { return state_->error; }
int TlsPeer::alert() const {
  const bool has_one = state_->error == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE;
  return has_one ? state_->ssl.MBEDTLS_PRIVATE(in_msg)[1] : 0;
}
const std::string& TlsPeer::received() const { return state_->received; }
std::string TlsPeer::version() const { return mbedtls_ssl_get_version(&state_->ssl); }
std::string TlsPeer::suite() const { return mbedtls_ssl_get_ciphersuite(&state_->ssl); }
void TlsPeer::renegotiate() {
  // As if the last attempt were over.
  state_->ssl.MBEDTLS_PRIVATE(state) = MBEDTLS_SSL_HANDSHAKE_OVER;
  state_->ssl.MBEDTLS_PRIVATE(renego_status) = 0;
  state_->note(mbedtls_ssl_renegotiate(&state_->ssl));
}
void TlsPeer::finish() { state_->note(mbedtls_ssl_close_notify(&state_->ssl)); }
void TlsPeer::warn() {
  state_->note(mbedtls_ssl_send_alert_message(&state_->ssl, MBEDTLS_SSL_ALERT_LEVEL_WARNING,
                                              MBEDTLS_SSL_ALERT_MSG_USER_CANCELED));
}
std::shared_ptr<void> TlsPeer::session() const { return state_->session; }
void TlsPeer::resume(const std::shared_ptr<void>& session) {
  state_->note(
      mbedtls_ssl_set_session(&state_->ssl, static_cast<mbedtls_ssl_session*>(session.get())));
}

IoResult PeerTransport::receive(std::span<char> buffer) {
  std::string& from = peer_.to_server;
  const std::size_t count = std::min({buffer.size(), from.size(), most_at_once});
  if (count == 0) return {.state = has_ended ? IoState::kEnded : IoState::kLater};
  std::copy_n(from.begin(), count, buffer.begin());
  from.erase(0, count);
  return {.state = IoState::kMoved, .bytes = count};
}

IoResult PeerTransport::send(std::string_view bytes) {
  const std::size_t count = std::min({bytes.size(), most_at_once, room});
  if (count == 0) return {.state = IoState::kLater};
  if (room != SIZE_MAX) room -= count;
  peer_.from_server += bytes.substr(0, count);
  sent += bytes.substr(0, count);
  return {.state = IoState::kMoved, .bytes = count};
}

}  // namespace winperf::testing

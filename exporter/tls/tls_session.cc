#include "exporter/tls/tls_session.h"

#include <mbedtls/ssl.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "exporter/tls/tls_state.h"

namespace winperf {
namespace {

// The first bytes of a plain HTTP client.
constexpr std::size_t kFirstBytes = 5;
// What a call may take from its client: a whole record of 16 KiB with what TLS adds to it. Of a
// smaller piece the cost is that of asking for it.
constexpr std::size_t kMostBytesOfACall = 18 * 1024;
constexpr std::size_t kBytesOfAPiece = 256;
// What a client may send until its handshake is over, and then until the next byte of a request:
// far more than any client does, and too little to affect others.
constexpr std::size_t kMostBytesInVain = 64 * 1024;
// What is kept for a client that reads nothing: a record, or one flight of a handshake.
constexpr std::size_t kMostUnsentBytes = 64 * 1024;
constexpr std::string_view kMethods[] = {"GET /", "HEAD ", "POST ", "PUT /", "OPTIO", "DELET"};

// RFC 8446, section 6; the library's own has the number that it had in SSL 3.
constexpr TlsAlert kCertificateRequired = 116;

TlsFailure failure_of(int code) {
  switch (code) {
    case MBEDTLS_ERR_SSL_BAD_PROTOCOL_VERSION:
      return TlsFailure::kVersion;
    case MBEDTLS_ERR_SSL_BAD_CERTIFICATE:
    case MBEDTLS_ERR_X509_FATAL_ERROR:
      return TlsFailure::kClientCertificate;
    case MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE:
      return TlsFailure::kClientRefused;
    case MBEDTLS_ERR_SSL_CONN_EOF:
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY:
      return TlsFailure::kGone;
    default:
      return TlsFailure::kProtocol;
  }
}

}  // namespace

struct TlsSession::State {
  State() { mbedtls_ssl_init(&ssl); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    // A handshake that isn't over has keys in the library's table.
    const std::lock_guard lock(handshake_mutex());
    mbedtls_ssl_free(&ssl);
  }

  // The library's code. Like mbedtls_ssl_handshake(), but judges the client's certificate.
  int shake_hands();
  std::optional<TlsAlert> refusal();

  static int receive(void* self, unsigned char* to, std::size_t size);
  static int send(void* self, const unsigned char* from, std::size_t size);

  mbedtls_ssl_context ssl{};
  ShownCertificate shown{};
  Transport* transport = nullptr;  // during a call
  std::size_t may_receive = 0;     // during a call
  std::size_t in_vain = 0;         // bytes that were received since something came of them
  bool is_broken = false;          // the transport
  std::string first{};             // of what was received
  std::string out{};               // what the transport hasn't taken yet, from `sent` on
  std::size_t sent = 0;
  std::size_t written = 0;  // bytes of a write() that are among them
};

int TlsSession::State::shake_hands() {
  const std::lock_guard lock(handshake_mutex());
  while (mbedtls_ssl_is_handshake_over(&ssl) == 0) {
    if (const int code = mbedtls_ssl_handshake_step(&ssl); code != 0) return code;
    if (const auto alert = refusal()) {
      mbedtls_ssl_send_alert_message(&ssl, MBEDTLS_SSL_ALERT_LEVEL_FATAL, *alert);
      return MBEDTLS_ERR_SSL_BAD_CERTIFICATE;
    }
  }
  return 0;
}

// With TLS 1.3, a client can read an alert only with the keys that are there when the handshake is
// over, and sends its certificate last in any case. With 1.2, the end of the handshake would tell
// it that it is let in.
std::optional<TlsAlert> TlsSession::State::refusal() {
  const bool is_over = mbedtls_ssl_is_handshake_over(&ssl) != 0;
  const bool is_12 = mbedtls_ssl_get_version_number(&ssl) == MBEDTLS_SSL_VERSION_TLS1_2;
  if (!is_over && !is_12) return std::nullopt;
  if (shown.flaws || (is_over && mbedtls_ssl_get_peer_cert(&ssl) != nullptr))
    return shown.wanted->refusal_of(shown);
  const bool has_none =
      is_over || mbedtls_ssl_get_verify_result(&ssl) == MBEDTLS_X509_BADCERT_MISSING;
  if (!has_none || !shown.wanted->wants_one()) return std::nullopt;
  return is_12 ? TlsAlert{MBEDTLS_SSL_ALERT_MSG_HANDSHAKE_FAILURE} : kCertificateRequired;
}

int TlsSession::State::receive(void* self, unsigned char* to, std::size_t size) {
  auto& state = *static_cast<State*>(self);
  // The library keeps reading as long as any data arrives.
  if (state.in_vain >= kMostBytesInVain) return MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE;
  if (state.may_receive == 0) return MBEDTLS_ERR_SSL_WANT_READ;
  const IoResult got = state.transport->receive({reinterpret_cast<char*>(to), size});
  switch (got.state) {
    case IoState::kMoved:
      state.in_vain += got.bytes;
      state.may_receive -= std::min(state.may_receive, std::max(got.bytes, kBytesOfAPiece));
      if (state.first.size() < kFirstBytes)
        state.first.append(reinterpret_cast<const char*>(to),
                           std::min(got.bytes, kFirstBytes - state.first.size()));
      return static_cast<int>(got.bytes);
    case IoState::kLater:
      return MBEDTLS_ERR_SSL_WANT_READ;
    case IoState::kEnded:
      return 0;
    case IoState::kBroken:
      break;
  }
  state.is_broken = true;
  return MBEDTLS_ERR_SSL_CONN_EOF;
}

int TlsSession::State::send(void* self, const unsigned char* from, std::size_t size) {
  auto& state = *static_cast<State*>(self);
  if (state.out.size() - state.sent + size > kMostUnsentBytes) return MBEDTLS_ERR_SSL_CONN_EOF;
  try {  // no exception goes through the library
    state.out.append(reinterpret_cast<const char*>(from), size);
  } catch (const std::bad_alloc&) {
    return MBEDTLS_ERR_SSL_ALLOC_FAILED;
  }
  return static_cast<int>(size);
}

TlsSession::TlsSession(std::shared_ptr<TlsContext> context)
    : context_(std::move(context)), state_(std::make_unique<State>()) {
  if (mbedtls_ssl_setup(&state_->ssl, &context_->state().config) != 0) throw std::bad_alloc();
  state_->shown.wanted = &context_->state().clients;
  mbedtls_ssl_set_verify(&state_->ssl, &ClientCertificates::note, &state_->shown);
  mbedtls_ssl_set_bio(&state_->ssl, state_.get(), &State::send, &State::receive, nullptr);
}

TlsSession::~TlsSession() = default;

bool TlsSession::has_unsent() const { return state_->sent < state_->out.size(); }

bool TlsSession::flush(Transport& transport) {
  while (has_unsent()) {
    const IoResult moved = transport.send(std::string_view(state_->out).substr(state_->sent));
    if (moved.state == IoState::kLater) return true;
    if (moved.state != IoState::kMoved) return false;
    state_->sent += moved.bytes;
  }
  std::string().swap(state_->out);
  state_->sent = 0;
  return true;
}

void TlsSession::fail(int code) {
  failure_ = failure_of(code);
  const bool is_http = std::ranges::find(kMethods, state_->first) != std::end(kMethods);
  if (code != MBEDTLS_ERR_SSL_INVALID_RECORD || !is_http) return;
  failure_ = TlsFailure::kPlainHttp;
  state_->out.clear();  // it would not understand an alert
  state_->sent = 0;
}

std::optional<IoResult> TlsSession::shake_hands(Transport& transport) {
  const int code = state_->shake_hands();
  if (code == 0) {
    is_open_ = true;
    state_->in_vain = 0;
  }
  if (code != 0 && code != MBEDTLS_ERR_SSL_WANT_READ && code != MBEDTLS_ERR_SSL_WANT_WRITE)
    fail(code);
  if (!flush(transport)) state_->is_broken = true;
  if (failure_ || state_->is_broken) return IoResult{.state = IoState::kBroken};
  if (!is_open_) return IoResult{.state = IoState::kLater};
  return std::nullopt;
}

IoResult TlsSession::read(Transport& transport, std::span<char> buffer) {
  if (failure_ || !flush(transport)) return {.state = IoState::kBroken};
  // A client that reads nothing isn't read from either, because every answer would have to be kept.
  if (has_unsent()) return {.state = IoState::kLater};
  state_->transport = &transport;
  state_->may_receive = kMostBytesOfACall;
  if (!is_open_)
    if (const auto result = shake_hands(transport)) return *result;
  const int got = mbedtls_ssl_read(&state_->ssl, reinterpret_cast<unsigned char*>(buffer.data()),
                                   buffer.size());
  if (!flush(transport) || state_->is_broken) return {.state = IoState::kBroken};
  if (got > 0) {
    state_->in_vain = 0;
    return {.state = IoState::kMoved, .bytes = static_cast<std::size_t>(got)};
  }
  switch (got) {
    case MBEDTLS_ERR_SSL_WANT_READ:
    case MBEDTLS_ERR_SSL_WANT_WRITE:
      return {.state = IoState::kLater};
    case 0:
    case MBEDTLS_ERR_SSL_CONN_EOF:
    case MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY:
      return {.state = IoState::kEnded};
    default:
      return {.state = IoState::kBroken};
  }
}

IoResult TlsSession::write(Transport& transport, std::string_view bytes) {
  state_->transport = &transport;
  if (!flush(transport)) return {.state = IoState::kBroken};
  if (has_unsent()) return {.state = IoState::kLater};
  if (state_->written == 0) {
    const int taken = mbedtls_ssl_write(
        &state_->ssl, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    if (taken <= 0) return {.state = IoState::kBroken};
    state_->written = static_cast<std::size_t>(taken);
    if (!flush(transport)) return {.state = IoState::kBroken};
    if (has_unsent()) return {.state = IoState::kLater};
  }
  return {.state = IoState::kMoved, .bytes = std::exchange(state_->written, 0)};
}

void TlsSession::write_later(std::string_view bytes) {
  // Data that it can't take now is of no use later.
  (void)mbedtls_ssl_write(&state_->ssl, reinterpret_cast<const unsigned char*>(bytes.data()),
                          bytes.size());
}

void TlsSession::finish() {
  if (is_open_ && !std::exchange(is_finished_, true)) mbedtls_ssl_close_notify(&state_->ssl);
}

}  // namespace winperf

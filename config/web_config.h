// How an address is protected: TLS, passwords, headers and a rate limit. The keys are those of
// exporter-toolkit's web configuration, in a separate file or inside "listen".
//
// Files are named here and read in exporter/tls. Keys and password hashes are secret: nothing here
// describes a value of them. Thread rule: values. Source: docs/web-configuration.md of
// prometheus/exporter-toolkit; names of cipher suites are Go's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

enum class ClientAuth : std::uint8_t {
  kNone,
  kRequest,           // asks for a certificate, and takes any or none
  kRequireAny,        // takes any
  kVerifyIfGiven,     // takes none, or one of client_ca
  kRequireAndVerify,  // takes one of client_ca
};

// Versions before 1.2 are never used.
enum class TlsVersion : std::uint8_t { k10, k11, k12, k13 };

// The values are IANA's, as they go over the wire.
enum class CipherSuite : std::uint16_t {
  kRsaAes128CbcSha = 0x002F,
  kRsaAes256CbcSha = 0x0035,
  kRsaAes128Gcm = 0x009C,
  kRsaAes256Gcm = 0x009D,
  kAes128Gcm = 0x1301,  // the three of TLS 1.3, which are always enabled
  kAes256Gcm = 0x1302,
  kChacha20 = 0x1303,
  kEcdsaAes128CbcSha = 0xC009,
  kEcdsaAes256CbcSha = 0xC00A,
  kEcdheRsaAes128CbcSha = 0xC013,
  kEcdheRsaAes256CbcSha = 0xC014,
  kEcdsaAes128Gcm = 0xC02B,
  kEcdsaAes256Gcm = 0xC02C,
  kEcdheRsaAes128Gcm = 0xC02F,
  kEcdheRsaAes256Gcm = 0xC030,
  kEcdheRsaChacha20 = 0xCCA8,
  kEcdsaChacha20 = 0xCCA9,
};

enum class Curve : std::uint16_t { kP256 = 23, kP384 = 24, kP521 = 25, kX25519 = 29 };

// PEM: the name of a file, or the text itself; never both.
struct PemSource {
  std::string file{};
  std::string text{};
  bool is_given() const { return !file.empty() || !text.empty(); }
  bool operator==(const PemSource&) const = default;
};

struct TlsConfig {
  PemSource certificate{};  // with its intermediate certificates; required for TLS
  PemSource key{};
  PemSource client_ca{};
  ClientAuth client_auth = ClientAuth::kNone;
  // A certificate of a client needs one of these: DNS names, addresses, URIs. Empty: any.
  std::vector<std::string> client_allowed_sans{};
  TlsVersion min_version = TlsVersion::k12;
  TlsVersion max_version = TlsVersion::k13;
  // Of TLS 1.2, unordered. Empty: all with forward secrecy and AEAD.
  std::vector<CipherSuite> cipher_suites{};
  bool prefers_own_suites = true;  // to the client's order
  std::vector<Curve> curves{};     // the same; empty: all
  bool operator==(const TlsConfig&) const = default;
};

enum class FrameOptions : std::uint8_t { kDeny, kSameOrigin };
enum class ContentTypeOptions : std::uint8_t { kNosniff };

// Of every response. Empty, or nothing: the server's default.
struct HeaderConfig {
  std::string content_security_policy{};
  std::string strict_transport_security{};
  std::string xss_protection{};
  std::optional<FrameOptions> frame_options{};
  std::optional<ContentTypeOptions> content_type_options{};
  bool operator==(const HeaderConfig&) const = default;
};

struct UserConfig {
  std::string name{};
  std::string password_hash{};  // bcrypt
  bool operator==(const UserConfig&) const = default;
};

struct RateLimitConfig {
  std::chrono::milliseconds interval{0};  // between two requests; 0: no limit
  std::int64_t burst = 0;                 // requests allowed in a burst
  bool operator==(const RateLimitConfig&) const = default;
};

struct WebConfig {
  TlsConfig tls{};
  std::optional<bool> http2{};  // HTTP/2 is never served
  HeaderConfig headers{};
  std::vector<UserConfig> users{};  // sorted by name; empty: everyone
  RateLimitConfig rate_limit{};
  bool has_tls() const { return tls.certificate.is_given(); }
  bool operator==(const WebConfig&) const = default;
};

// Sentences about values that are valid, but may be mistakes.
std::vector<std::string> web_notices(const WebConfig& web);

// "'alice': '$2y$...'", as YAML writes a user of basic_auth_users. Nothing if no client can send
// the name: it has a colon or a control character, or is empty or too long.
std::optional<std::string> user_line(std::string_view name, std::string_view hash);

}  // namespace winperf

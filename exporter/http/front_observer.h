// What a front tells whoever counts. Thread rule: any thread may call the observer.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "exporter/text/exporter_registry.h"
#include "exporter/tls/tls_session.h"

namespace winperf {

// Why a connection was closed, or a request refused, before its answer was sent.
enum class ShedReason : std::uint8_t {
  kConnections,         // it waited longest when there were too many
  kAddressConnections,  // the same, among those of its address
  kStalledAnswer,       // its client took nothing when there were too many
  kAddressShare,        // it was answered, but its address had most when there were too many
  kNoRoom,              // new, but all others were being answered
  kMemory,              // its answer held too much memory, or would have
  kQueue,               // too many requests waited
  kRequestTimeout,      // its request took too long to arrive
  kAnswerTimeout,       // its answer took too long to go out
};
inline constexpr std::array kAllShedReasons{
    ShedReason::kConnections,   ShedReason::kAddressConnections,
    ShedReason::kStalledAnswer, ShedReason::kAddressShare,
    ShedReason::kNoRoom,        ShedReason::kMemory,
    ShedReason::kQueue,         ShedReason::kRequestTimeout,
    ShedReason::kAnswerTimeout};
std::string_view name_of(ShedReason reason);  // "address_connections"

inline constexpr std::array kAllTlsFailures{
    TlsFailure::kPlainHttp,     TlsFailure::kVersion,  TlsFailure::kClientCertificate,
    TlsFailure::kClientRefused, TlsFailure::kProtocol, TlsFailure::kGone,
    TlsFailure::kTimeout};
std::string_view name_of(TlsFailure failure);  // "client_certificate"

class FrontObserver {
 public:
  FrontObserver() = default;
  FrontObserver(const FrontObserver&) = delete;
  FrontObserver& operator=(const FrontObserver&) = delete;
  virtual ~FrontObserver() = default;
  virtual void shed(ShedReason reason) = 0;
  virtual void load_changed(const HttpLoad& difference) = 0;
  virtual void handshake_failed(TlsFailure failure) = 0;
};

}  // namespace winperf

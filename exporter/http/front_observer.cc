#include "exporter/http/front_observer.h"

#include <utility>

namespace winperf {

std::string_view name_of(ShedReason reason) {
  switch (reason) {
    case ShedReason::kConnections:
      return "connections";
    case ShedReason::kAddressConnections:
      return "address_connections";
    case ShedReason::kStalledAnswer:
      return "stalled_answer";
    case ShedReason::kAddressShare:
      return "address_share";
    case ShedReason::kNoRoom:
      return "no_room";
    case ShedReason::kMemory:
      return "memory";
    case ShedReason::kQueue:
      return "queue";
    case ShedReason::kRequestTimeout:
      return "request_timeout";
    case ShedReason::kAnswerTimeout:
      return "answer_timeout";
  }
  std::unreachable();
}

std::string_view name_of(TlsFailure failure) {
  switch (failure) {
    case TlsFailure::kPlainHttp:
      return "plain_http";
    case TlsFailure::kVersion:
      return "version";
    case TlsFailure::kClientCertificate:
      return "client_certificate";
    case TlsFailure::kClientRefused:
      return "client_refused";
    case TlsFailure::kProtocol:
      return "protocol";
    case TlsFailure::kGone:
      return "gone";
    case TlsFailure::kTimeout:
      return "timeout";
  }
  std::unreachable();
}

}  // namespace winperf

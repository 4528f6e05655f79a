// The two formats of /metrics, and which of them a client gets.
// Source: OpenMetrics 1.0; Prometheus documentation, "Exposition formats"; RFC 9110, section 12.5.1
// (Accept). Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace winperf {

enum class PageFormat : std::uint8_t {
  kText,         // Prometheus text 0.0.4
  kOpenMetrics,  // OpenMetrics 1.0
};
inline constexpr std::size_t kPageFormatCount = 2;

// The Content-Type.
std::string_view media_type(PageFormat format);

// `accept`: the Accept header, or several joined with commas; empty if there is none. Text unless
// the client asks for OpenMetrics by its name, and for nothing else more. Also text if it accepts
// neither: a page in a format that it has not asked for says more than a refusal.
PageFormat preferred_format(std::string_view accept);

}  // namespace winperf

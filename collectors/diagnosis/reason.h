// Why a counterset can't be read, or not as it should be. In the order in which the rules look for
// them: the most specific first. docs/doctor.md explains each; a test compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace winperf {

enum class Reason : std::uint8_t {
  kNameUnknown,
  kNameTableUnreadable,
  kNameTableCorrupt,
  kNameTableGap,
  kAllV1Disabled,
  kProviderDisabled,
  kLibraryMissing,
  kLibraryUnusable,
  kLibraryWrongBitness,
  kProceduresMissing,
  kProceduresNotExported,
  kAccessDenied,
  kNotPrivileged,
  kObjectCostly,
  kConfigurationFlagsSet,
  kTestLevelSet,
  kStaleRegistration,
  kMetadataUnsupported,
  kReplaced,
  kV2ProviderNotRunning,
  kNoInstances,
  kInstanceFilterMatchesNothing,
  kCounterFilterMatchesNothing,
  kDeliveredCorrupt,
  kTimedOut,
  kNotTried,
  kLibraryBusy,
  kReplyTooLarge,
  kQueryFailed,
  // Where none of the above explains it.
  kNotInCapture,
  kProviderFailed,
  kNotDelivered,
  kHealthy,
};

inline constexpr std::size_t kReasonCount = static_cast<std::size_t>(Reason::kHealthy) + 1;

// Stable snake_case name, as in JSON's "reason".
std::string_view name_of(Reason reason);

}  // namespace winperf

// The Win32 error codes that the simulated system answers with.
#pragma once

#include <cstdint>

namespace winperf::simulator {

inline constexpr std::uint32_t kSuccess = 0;
inline constexpr std::uint32_t kFileNotFound = 2;
inline constexpr std::uint32_t kPathNotFound = 3;
inline constexpr std::uint32_t kAccessDenied = 5;
inline constexpr std::uint32_t kInvalidHandle = 6;
inline constexpr std::uint32_t kNotEnoughMemory = 8;
inline constexpr std::uint32_t kBadNetworkPath = 53;
inline constexpr std::uint32_t kInvalidParameter = 87;
inline constexpr std::uint32_t kNoModule = 126;
inline constexpr std::uint32_t kBusy = 170;
inline constexpr std::uint32_t kAlreadyExists = 183;
inline constexpr std::uint32_t kBadImage = 193;
inline constexpr std::uint32_t kNoData = 232;
inline constexpr std::uint32_t kMoreData = 234;
inline constexpr std::uint32_t kWaitTimeout = 258;
inline constexpr std::uint32_t kNotFound = 1168;
inline constexpr std::uint32_t kNoSystemResources = 1450;
inline constexpr std::uint32_t kServerUnavailable = 1722;
inline constexpr std::uint32_t kEndpointNotRegistered = 1753;
inline constexpr std::uint32_t kResourceLanguageNotFound = 1815;
inline constexpr std::uint32_t kGuidNotFound = 4200;
inline constexpr std::uint32_t kInstanceNotFound = 4201;
inline constexpr std::uint32_t kItemNotFound = 4202;
inline constexpr std::uint32_t kInvalidRegistration = 4211;

}  // namespace winperf::simulator

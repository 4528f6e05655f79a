#include "collectors/sources/perflib_client.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace winperf {
namespace {

constexpr int kMaxAttempts = 10;
constexpr std::size_t kFirstBytes = 4096;

constexpr bool is(std::uint32_t os_code, PerflibCode code) {
  return os_code == static_cast<std::uint32_t>(code);
}

using SizedCall = std::function<std::uint32_t(std::span<std::byte>, std::uint32_t&)>;

// Calls until the buffer is large enough; the result is cut to what the system stored.
std::expected<Bytes, Error> call_with_buffer(const SizedCall& call, std::size_t first_bytes,
                                             const PerflibLimits& limits, const char* where) {
  Bytes buffer(std::min(std::max(first_bytes, kFirstBytes), limits.max_bytes));
  for (int attempts = 0; attempts < kMaxAttempts; ++attempts) {
    std::uint32_t actual = 0;
    const std::uint32_t os_code = call(buffer, actual);
    if (is(os_code, PerflibCode::kSuccess)) {
      if (actual > buffer.size())
        return std::unexpected(Error{.code = ErrorCode::kBadLength,
                                     .where = where,
                                     .actual = actual,
                                     .limit = buffer.size()});
      buffer.resize(actual);
      return buffer;
    }
    if (!is(os_code, PerflibCode::kNotEnoughMemory))
      return std::unexpected(perflib_error(os_code, where));
    // What is needed may be less than what was offered, if the answer has shrunk.
    const std::size_t wanted = std::max<std::size_t>(actual, buffer.size());
    if (wanted > limits.max_bytes || buffer.size() == limits.max_bytes)
      return std::unexpected(Error{.code = ErrorCode::kBufferLimit,
                                   .where = where,
                                   .actual = wanted,
                                   .limit = limits.max_bytes});
    buffer = Bytes(std::min(wanted + wanted / 4, limits.max_bytes));
  }
  return std::unexpected(Error{.code = ErrorCode::kBusy, .where = where});
}

std::expected<void, Error> done(std::uint32_t os_code, const char* where) {
  if (is(os_code, PerflibCode::kSuccess)) return {};
  return std::unexpected(perflib_error(os_code, where));
}

}  // namespace

Error perflib_error(std::uint32_t os_code, const char* where) {
  Error error{.code = ErrorCode::kOsError, .where = where, .os_code = os_code};
  switch (static_cast<PerflibCode>(os_code)) {
    case PerflibCode::kAccessDenied:
      error.code = ErrorCode::kAccessDenied;
      break;
    case PerflibCode::kNotSupported:
      error.code = ErrorCode::kUnsupported;
      break;
    case PerflibCode::kGuidNotFound:
    case PerflibCode::kItemNotFound:
      error.code = ErrorCode::kNotRegistered;
      break;
    case PerflibCode::kPathNotFound:
    case PerflibCode::kInstanceNotFound:
      error.code = ErrorCode::kNotRunning;
      break;
    default:
      break;
  }
  return error;
}

PerflibQuery::PerflibQuery(PerflibQuery&& other) noexcept
    : api_(other.api_),
      handle_(std::exchange(other.handle_, std::nullopt)),
      limits_(other.limits_),
      data_bytes_(other.data_bytes_) {}

PerflibQuery& PerflibQuery::operator=(PerflibQuery&& other) noexcept {
  if (this == &other) return *this;
  close();
  api_ = other.api_;
  handle_ = std::exchange(other.handle_, std::nullopt);
  limits_ = other.limits_;
  data_bytes_ = other.data_bytes_;
  return *this;
}

void PerflibQuery::close() {
  if (const auto handle = std::exchange(handle_, std::nullopt)) api_->close_query(*handle);
}

std::expected<void, Error> PerflibQuery::add(std::span<std::byte> identifiers) {
  return done(api_->add_counters(*handle_, identifiers), "perflib.add_counters");
}

std::expected<void, Error> PerflibQuery::remove(std::span<std::byte> identifiers) {
  return done(api_->delete_counters(*handle_, identifiers), "perflib.delete_counters");
}

std::expected<Bytes, Error> PerflibQuery::info() {
  return call_with_buffer(
      [this](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_->query_counter_info(*handle_, buffer, actual);
      },
      kFirstBytes, limits_, "perflib.query_counter_info");
}

std::expected<Bytes, Error> PerflibQuery::data() {
  auto bytes = call_with_buffer(
      [this](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_->query_counter_data(*handle_, buffer, actual);
      },
      data_bytes_ + data_bytes_ / 4, limits_, "perflib.query_counter_data");
  if (bytes) data_bytes_ = bytes->size();
  return bytes;
}

std::expected<std::vector<Guid>, Error> PerflibClient::countersets() {
  constexpr std::size_t kMostGuids = 65'536;
  constexpr const char* kWhere = "perflib.enumerate_countersets";
  std::vector<Guid> guids(256);
  for (int attempts = 0; attempts < kMaxAttempts; ++attempts) {
    std::uint32_t actual = 0;
    const std::uint32_t os_code = api_.enumerate_countersets(machine_, guids, actual);
    if (is(os_code, PerflibCode::kSuccess)) {
      if (actual > guids.size())
        return std::unexpected(Error{.code = ErrorCode::kBadLength,
                                     .where = kWhere,
                                     .actual = actual,
                                     .limit = guids.size()});
      guids.resize(actual);
      return guids;
    }
    if (!is(os_code, PerflibCode::kNotEnoughMemory))
      return std::unexpected(perflib_error(os_code, kWhere));
    const std::size_t wanted = std::max<std::size_t>(actual, guids.size()) + guids.size() / 4;
    if (actual > kMostGuids || guids.size() == kMostGuids)
      return std::unexpected(Error{
          .code = ErrorCode::kBufferLimit, .where = kWhere, .actual = actual, .limit = kMostGuids});
    guids.resize(std::min(wanted, kMostGuids));
  }
  return std::unexpected(Error{.code = ErrorCode::kBusy, .where = kWhere});
}

std::expected<Bytes, Error> PerflibClient::instances(const Guid& counterset) {
  auto bytes = call_with_buffer(
      [&](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_.enumerate_instances(machine_, counterset, buffer, actual);
      },
      kFirstBytes, limits_, "perflib.enumerate_instances");
  if (!bytes && bytes.error().code == ErrorCode::kNotRunning) return Bytes{};
  return bytes;
}

std::expected<Bytes, Error> PerflibClient::registration(const Guid& counterset,
                                                        RegistrationInfo info,
                                                        std::uint32_t argument) {
  return call_with_buffer(
      [&](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_.query_registration(machine_, counterset, info, argument, buffer, actual);
      },
      kFirstBytes, limits_, "perflib.query_registration");
}

std::expected<PerflibQuery, Error> PerflibClient::open() {
  PerflibHandle handle{};
  const auto opened = done(api_.open_query(machine_, handle), "perflib.open_query");
  if (!opened) return std::unexpected(opened.error());
  return PerflibQuery(api_, handle, limits_);
}

}  // namespace winperf

#include "collectors/sources/perflib_client.h"

#include <algorithm>
#include <utility>

#include "collectors/sources/fill_buffer.h"

namespace winperf {
namespace {

constexpr std::uint32_t kMaxAttempts = 10;
constexpr std::size_t kFirstBytes = 4096;
constexpr std::size_t kFirstGuids = 256;
constexpr std::size_t kMaxGuids = 65'536;

Error failure(PerflibApi& api, std::uint32_t os_code, const char* where) {
  auto loss = api.take_loss();
  if (!loss) return perflib_error(os_code, where);
  loss->where = where;
  return *loss;
}

// `call`: os_code(std::span<Item>, std::uint32_t& actual).
template <class Item, class Call>
std::expected<std::vector<Item>, Error> fill(PerflibApi& api, BufferSizes sizes, const char* where,
                                             const Call& call) {
  const auto ask = [&call](std::span<Item> buffer, std::size_t& size) {
    std::uint32_t actual = 0;
    const std::uint32_t os_code = call(buffer, actual);
    size = actual;
    return os_code;
  };
  const auto next = [&](const FailedCall& failed) -> std::expected<std::size_t, Error> {
    if (OsCode{failed.os_code} != OsCode::kNotEnoughMemory)
      return std::unexpected(failure(api, failed.os_code, where));
    // An answer that has shrunk meanwhile may need less than was offered.
    const std::size_t needed = std::max(failed.reported, failed.capacity);
    if (needed > sizes.max || failed.capacity == sizes.max)
      return std::unexpected(Error{
          .code = ErrorCode::kBufferLimit, .where = where, .actual = needed, .limit = sizes.max});
    if (failed.number >= kMaxAttempts)
      return std::unexpected(Error{.code = ErrorCode::kBusy, .where = where});
    return std::min(needed + needed / 4, sizes.max);
  };
  return fill_buffer<Item>(sizes, where, ask, next);
}

std::expected<void, Error> done(PerflibApi& api, std::uint32_t os_code, const char* where) {
  if (OsCode{os_code} == OsCode::kSuccess) return {};
  return std::unexpected(failure(api, os_code, where));
}

}  // namespace

Error perflib_error(std::uint32_t os_code, const char* where) {
  const auto error = [&](ErrorCode code) {
    return Error{.code = code, .where = where, .os_code = os_code};
  };
  switch (OsCode{os_code}) {
    case OsCode::kAccessDenied:
      return error(ErrorCode::kAccessDenied);
    case OsCode::kNotSupported:
      return error(ErrorCode::kUnsupported);
    case OsCode::kGuidNotFound:
    case OsCode::kItemNotFound:
      return error(ErrorCode::kNotRegistered);
    case OsCode::kPathNotFound:
    case OsCode::kInstanceNotFound:
      return error(ErrorCode::kNotRunning);
    default:
      return error(ErrorCode::kOsError);
  }
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
  return done(*api_, api_->add_counters(*handle_, identifiers), "perflib.add_counters");
}

std::expected<void, Error> PerflibQuery::remove(std::span<std::byte> identifiers) {
  return done(*api_, api_->delete_counters(*handle_, identifiers), "perflib.delete_counters");
}

std::expected<Bytes, Error> PerflibQuery::info() {
  return fill<std::byte>(*api_, {.first = kFirstBytes, .max = limits_.max_bytes},
                         "perflib.query_counter_info",
                         [this](std::span<std::byte> buffer, std::uint32_t& actual) {
                           return api_->query_counter_info(*handle_, buffer, actual);
                         });
}

std::expected<Bytes, Error> PerflibQuery::data() {
  const std::size_t first = std::max(data_bytes_ + data_bytes_ / 4, kFirstBytes);
  auto bytes = fill<std::byte>(*api_, {.first = first, .max = limits_.max_bytes},
                               "perflib.query_counter_data",
                               [this](std::span<std::byte> buffer, std::uint32_t& actual) {
                                 return api_->query_counter_data(*handle_, buffer, actual);
                               });
  if (bytes) data_bytes_ = bytes->size();
  return bytes;
}

std::expected<std::vector<Guid>, Error> PerflibClient::countersets() {
  return fill<Guid>(api_, {.first = kFirstGuids, .max = kMaxGuids}, "perflib.enumerate_countersets",
                    [this](std::span<Guid> guids, std::uint32_t& actual) {
                      return api_.enumerate_countersets(machine_, guids, actual);
                    });
}

std::expected<Bytes, Error> PerflibClient::instances(const Guid& counterset) {
  auto bytes = fill<std::byte>(
      api_, {.first = kFirstBytes, .max = limits_.max_bytes}, "perflib.enumerate_instances",
      [&](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_.enumerate_instances(machine_, counterset, buffer, actual);
      });
  if (!bytes && bytes.error().code == ErrorCode::kNotRunning) return Bytes{};
  return bytes;
}

std::expected<Bytes, Error> PerflibClient::registration(const Guid& counterset,
                                                        RegistrationInfo info,
                                                        std::uint32_t argument) {
  return fill<std::byte>(
      api_, {.first = kFirstBytes, .max = limits_.max_bytes}, "perflib.query_registration",
      [&](std::span<std::byte> buffer, std::uint32_t& actual) {
        return api_.query_registration(machine_, counterset, info, argument, buffer, actual);
      });
}

std::expected<PerflibQuery, Error> PerflibClient::open() {
  PerflibHandle handle{};
  const auto opened = done(api_, api_.open_query(machine_, handle), "perflib.open_query");
  if (!opened) return std::unexpected(opened.error());
  return PerflibQuery(api_, handle, limits_);
}

}  // namespace winperf

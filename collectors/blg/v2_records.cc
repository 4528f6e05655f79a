#include "collectors/blg/v2_records.h"

#include "collectors/blg/format.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/registration.h"

namespace winperf::blg {
namespace {

// The result of a reply that has exactly one.
[[nodiscard]] std::expected<ByteView, Error> only_result(const v2::DataView& data) {
  if (data.result_count() != 1)
    return std::unexpected(Error{.code = ErrorCode::kBadCount,
                                 .where = "log.v2_reply",
                                 .actual = data.result_count(),
                                 .limit = 1});
  return *data.result_bytes().next();
}

[[nodiscard]] std::expected<std::uint64_t, Error> count_values(const ByteView& result) {
  const auto view = v2::ResultView::parse(result, {});
  if (!view) return std::unexpected(view.error());
  std::uint64_t values = 0;
  v2::RowWalk rows = view->rows();
  v2::RowWalk::Row row;
  while (true) {
    const auto more = rows.next(row);
    if (!more) return std::unexpected(more.error());
    if (!*more) return values;
    for (const v2::CounterValue& value : row.values) values += value.number() ? 1U : 0U;
  }
}

[[nodiscard]] std::expected<V2Reply, Error> read_reply(std::span<const std::byte> bytes) {
  const auto data = v2::DataView::parse(bytes);
  if (!data) return std::unexpected(data.error());
  const auto result = only_result(*data);
  if (!result) return std::unexpected(result.error());
  const auto values = count_values(*result);
  if (!values) return std::unexpected(values.error());
  return V2Reply{
      .header = bytes.first(v2::data_header::kBytes), .result = result->bytes(), .values = *values};
}

}  // namespace

std::expected<RegistrationRecord, Error> read_registration(std::span<const std::byte> record) {
  namespace field = registration_record;
  const ByteView all(record, "log.registration");
  const auto header = all.first(field::kBytes, "log.registration");
  if (!header) return std::unexpected(header.error());
  const auto length = header->get(field::kLength);
  if (length < field::kBytes || length > all.size())
    return std::unexpected(header->error(ErrorCode::kBadLength, length, all.size()));
  const ByteView whole = *all.first(length, "log.registration");
  std::uint64_t at = field::kBytes;
  const auto take = [&](Field<std::uint32_t> size) {
    const auto part = whole.slice(at, header->get(size), "log.registration");
    at += header->get(size);
    return part;
  };
  const auto registration = take(field::kRegistrationBytes);
  const auto counter_names = take(field::kCounterNamesBytes);
  const auto name_bytes = take(field::kNameBytes);
  for (const auto& part : {registration, counter_names, name_bytes})
    if (!part) return std::unexpected(part.error());
  const auto guid = v2::parse_guid_bytes(registration->bytes());
  if (!guid) return std::unexpected(guid.error());
  auto name = v2::parse_string(name_bytes->bytes());
  if (!name) return std::unexpected(name_bytes->error(ErrorCode::kBadText, 0, name_bytes->size()));
  return RegistrationRecord{.guid = *guid,
                            .name = *std::move(name),
                            .registration = registration->bytes(),
                            .counter_names = counter_names->bytes(),
                            .name_bytes = name_bytes->bytes()};
}

std::expected<V2Reply, Error> read_v2_reply(const ByteView& body) {
  auto reply = read_reply(body.bytes());
  if (!reply) reply.error().offset += body.offset();
  return reply;
}

}  // namespace winperf::blg

#include "collectors/pdh/win/pdh_reader.h"

#include <pdhmsg.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

constexpr DWORD kFormat = PDH_FMT_DOUBLE | PDH_FMT_NOSCALE | PDH_FMT_NOCAP100;
constexpr DWORD kAllDetails = 400;  // PERF_DETAIL_WIZARD
constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
constexpr int kMostTries = 5;

std::uint32_t code_of(PDH_STATUS status) { return static_cast<std::uint32_t>(status); }
bool has_more(PDH_STATUS status) {
  return code_of(status) == PDH_MORE_DATA || code_of(status) == PDH_INSUFFICIENT_BUFFER;
}
constexpr auto kMissing = static_cast<PDH_STATUS>(PDH_FUNCTION_NOT_FOUND);

std::unexpected<Error> pdh_error(const char* where, PDH_STATUS status) {
  return std::unexpected(
      Error{.code = ErrorCode::kOsError, .where = where, .os_code = code_of(status)});
}

std::unexpected<Error> lacks(const char* function) {
  return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = function});
}

// Calls `fill(pointer, size)`, which says how much it needs, until that fits. `Unit`: of the size.
template <class Unit, class Fill>
PDH_STATUS grow(std::vector<Unit>& buffer, const Fill& fill) {
  buffer.clear();
  PDH_STATUS status = ERROR_SUCCESS;
  for (int i = 0; i < kMostTries; ++i) {
    auto size = static_cast<DWORD>(buffer.size());
    status = fill(buffer.empty() ? nullptr : buffer.data(), &size);
    if (!has_more(status)) {
      buffer.resize(std::min<std::size_t>(size, buffer.size()));
      return status;
    }
    // The size that is returned for a buffer that is too small doesn't count, says documentation.
    const std::size_t needed = std::max<std::size_t>(size, buffer.size() * 2);
    if (needed == 0 || needed * sizeof(Unit) > kMostBytes) break;
    buffer.assign(needed, Unit{});
  }
  return status;
}

// Strings that each end in a NUL, the last one in two.
std::vector<std::string> strings_in(std::span<const wchar_t> list) {
  std::vector<std::string> strings;
  while (!list.empty() && list.front() != 0) {
    const auto end = std::ranges::find(list, L'\0');
    const auto length = static_cast<std::size_t>(end - list.begin());
    strings.push_back(to_utf8({list.data(), length}));
    list = list.subspan(std::min(length + 1, list.size()));
  }
  return strings;
}

// PDH's items, which are followed by the names that they point to.
template <class Item>
struct ItemBuffer {
  std::vector<std::byte> bytes;
  DWORD count = 0;

  std::vector<Item> items() const {
    const std::size_t most = std::min<std::size_t>(count, bytes.size() / sizeof(Item));
    std::vector<Item> items(most);
    if (most != 0) std::memcpy(items.data(), bytes.data(), most * sizeof(Item));
    return items;
  }
  // A name outside the buffer is empty.
  std::string name(const wchar_t* text) const {
    const auto first = reinterpret_cast<std::uintptr_t>(bytes.data());
    const auto at = reinterpret_cast<std::uintptr_t>(text);
    if (text == nullptr || at < first || at - first >= bytes.size()) return {};
    const std::size_t room = (bytes.size() - (at - first)) / sizeof(wchar_t);
    std::wstring name(room, L'\0');
    std::memcpy(name.data(), text, room * sizeof(wchar_t));
    name.resize(std::min(name.find(L'\0'), room));
    return to_utf8(name);
  }
};

template <class Item, class Function>
PDH_STATUS fill_items(ItemBuffer<Item>& buffer, const Function& function) {
  return grow(buffer.bytes, [&](std::byte* bytes, DWORD* size) {
    buffer.count = 0;
    return function(size, &buffer.count, reinterpret_cast<Item*>(bytes));
  });
}

PdhRaw raw_of(const PDH_RAW_COUNTER& raw) {
  const ULARGE_INTEGER time{
      {.LowPart = raw.TimeStamp.dwLowDateTime, .HighPart = raw.TimeStamp.dwHighDateTime}};
  return {.status = raw.CStatus,
          .first = raw.FirstValue,
          .second = raw.SecondValue,
          .multi_count = raw.MultiCount,
          .local_time = static_cast<std::int64_t>(time.QuadPart)};
}

PdhNumber number_of(const PDH_FMT_COUNTERVALUE& value) {
  return {.status = value.CStatus, .value = value.doubleValue};
}

std::wstring path_of_counter(const std::wstring& object, const std::wstring& counter,
                             bool has_instances) {
  return L"\\" + object + (has_instances ? L"(*)\\" : L"\\") + counter;
}

}  // namespace

PdhFunctions pdh_functions_in(HMODULE library) {
  PdhFunctions functions;
  const auto find = [library](auto& function, const char* name) {
    find_function(library, name, function);
  };
  find(functions.enum_objects, "PdhEnumObjectsW");
  find(functions.enum_object_items, "PdhEnumObjectItemsW");
  find(functions.lookup_name, "PdhLookupPerfNameByIndexW");
  find(functions.open_query, "PdhOpenQueryW");
  find(functions.close_query, "PdhCloseQuery");
  find(functions.add_english_counter, "PdhAddEnglishCounterW");
  find(functions.add_counter, "PdhAddCounterW");
  find(functions.counter_info, "PdhGetCounterInfoW");
  find(functions.counter_time_base, "PdhGetCounterTimeBase");
  find(functions.collect_query_data, "PdhCollectQueryData");
  find(functions.raw_array, "PdhGetRawCounterArrayW");
  find(functions.formatted_array, "PdhGetFormattedCounterArrayW");
  find(functions.calculate, "PdhCalculateCounterFromRawValue");
  find(functions.raw_value, "PdhGetRawCounterValue");
  find(functions.formatted_value, "PdhGetFormattedCounterValue");
  return functions;
}

std::expected<std::vector<std::string>, Error> PdhReader::objects() {
  if (call_.enum_objects == nullptr) return lacks("pdh.PdhEnumObjectsW");
  std::vector<wchar_t> list;
  BOOL refresh = TRUE;  // with the first call alone, or the list could change its size
  const PDH_STATUS status = grow(list, [&](wchar_t* text, DWORD* size) {
    return call_.enum_objects(nullptr, nullptr, text, size, kAllDetails,
                              std::exchange(refresh, FALSE));
  });
  if (status != ERROR_SUCCESS) return pdh_error("pdh.PdhEnumObjectsW", status);
  return strings_in(list);
}

std::expected<PdhItems, Error> PdhReader::items(const PdhObject& object) {
  if (call_.enum_object_items == nullptr) return lacks("pdh.PdhEnumObjectItemsW");
  const std::wstring name = local_name(object.index, object.name);
  std::vector<wchar_t> counters;
  std::vector<wchar_t> instances;
  PDH_STATUS status = ERROR_SUCCESS;
  for (int i = 0; i < kMostTries; ++i) {
    auto counter_size = static_cast<DWORD>(counters.size());
    auto instance_size = static_cast<DWORD>(instances.size());
    status = call_.enum_object_items(
        nullptr, nullptr, name.c_str(), counters.empty() ? nullptr : counters.data(), &counter_size,
        instances.empty() ? nullptr : instances.data(), &instance_size, kAllDetails, 0);
    const std::size_t most = std::max(counter_size, instance_size);
    if (!has_more(status) || most * sizeof(wchar_t) > kMostBytes) break;
    counters.assign(counter_size, L'\0');
    instances.assign(instance_size, L'\0');
  }
  if (status != ERROR_SUCCESS) return pdh_error("pdh.PdhEnumObjectItemsW", status);
  return PdhItems{.object = to_utf8(name),
                  .counters = strings_in(counters),
                  .instances = strings_in(instances)};
}

std::wstring PdhReader::local_name(std::uint32_t index, const std::string& english) {
  std::wstring name = to_wide(english);
  if (call_.lookup_name == nullptr || index == 0) return name;
  std::vector<wchar_t> text(PDH_MAX_COUNTER_NAME);
  auto size = static_cast<DWORD>(text.size());
  if (call_.lookup_name(nullptr, index, text.data(), &size) != ERROR_SUCCESS) return name;
  const auto end = std::ranges::find(text, L'\0');
  return end == text.begin() ? name : std::wstring(text.begin(), end);
}

std::expected<std::vector<PdhDefinition>, Error> PdhReader::open(const PdhQuery& query) {
  auto first = open_once(query);
  if (!first || call_.counter_time_base == nullptr || call_.collect_query_data == nullptr)
    return first;
  const auto lacks_time_base = [](const PdhDefinition& one) {
    return one.add_status == ERROR_SUCCESS && one.time_base_status != ERROR_SUCCESS;
  };
  if (std::ranges::none_of(*first, lacks_time_base)) return first;
  // Some may be known after a collection only. The query that is used later hasn't made any, so
  // that its first numbers are first ones.
  if (call_.collect_query_data(query_) != ERROR_SUCCESS) return first;
  auto handle = added_.begin();
  for (PdhDefinition& one : *first) {
    if (one.add_status != ERROR_SUCCESS) continue;
    if (handle == added_.end()) break;
    if (lacks_time_base(one)) ask_time_base(handle->handle, one);
    ++handle;
  }
  auto second = open_once(query);
  if (!second || second->size() != first->size()) return second;
  for (std::size_t i = 0; i < first->size(); ++i) {
    if (!lacks_time_base((*second)[i])) continue;
    (*second)[i].time_base_status = (*first)[i].time_base_status;
    (*second)[i].time_base = (*first)[i].time_base;
  }
  return second;
}

std::expected<std::vector<PdhDefinition>, Error> PdhReader::open_once(const PdhQuery& query) {
  close();
  if (call_.open_query == nullptr) return lacks("pdh.PdhOpenQueryW");
  if (call_.close_query == nullptr) return lacks("pdh.PdhCloseQuery");
  const PDH_STATUS opened = call_.open_query(nullptr, 0, &query_);
  if (opened != ERROR_SUCCESS) return pdh_error("pdh.PdhOpenQueryW", opened);
  has_instances_ = query.object.has_instances;
  local_object_ = local_name(query.object.index, query.object.name);
  std::vector<PdhDefinition> definitions;
  for (const PdhQuery::Counter& counter : query.counters) {
    const std::wstring local = local_name(counter.index, counter.name);
    PdhDefinition definition{.name = counter.name, .local_name = to_utf8(local)};
    PDH_HCOUNTER handle = nullptr;
    definition.add_status = code_of(add_counter(query, counter, local, handle));
    if (definition.add_status == ERROR_SUCCESS) {
      describe_counter(handle, definition);
      const bool is_known = definition.info_status == ERROR_SUCCESS;
      added_.push_back({.name = counter.name,
                        .handle = handle,
                        .needs_previous = !is_known || describe(definition.type).needs_previous});
    }
    definitions.push_back(std::move(definition));
  }
  return definitions;
}

PDH_STATUS PdhReader::add_counter(const PdhQuery& query, const PdhQuery::Counter& counter,
                                  const std::wstring& local, PDH_HCOUNTER& handle) {
  if (call_.add_english_counter != nullptr) {
    const std::wstring path =
        path_of_counter(to_wide(query.object.name), to_wide(counter.name), has_instances_);
    const PDH_STATUS status = call_.add_english_counter(query_, path.c_str(), 0, &handle);
    if (status == ERROR_SUCCESS) return status;
  }
  if (call_.add_counter == nullptr) return kMissing;
  const std::wstring path = path_of_counter(local_object_, local, has_instances_);
  return call_.add_counter(query_, path.c_str(), 0, &handle);
}

void PdhReader::describe_counter(PDH_HCOUNTER handle, PdhDefinition& definition) {
  std::vector<std::byte> bytes;
  PDH_STATUS status = kMissing;
  if (call_.counter_info != nullptr)
    status = grow(bytes, [&](std::byte* buffer, DWORD* size) {
      return call_.counter_info(handle, FALSE, size, reinterpret_cast<PDH_COUNTER_INFO_W*>(buffer));
    });
  constexpr std::size_t kNeeded =
      offsetof(PDH_COUNTER_INFO_W, lDefaultScale) + sizeof(PDH_COUNTER_INFO_W::lDefaultScale);
  if (status == ERROR_SUCCESS && bytes.size() < kNeeded)
    status = static_cast<PDH_STATUS>(PDH_INVALID_BUFFER);
  definition.info_status = code_of(status);
  if (status == ERROR_SUCCESS) {
    PDH_COUNTER_INFO_W info{};
    std::memcpy(&info, bytes.data(), std::min(sizeof info, bytes.size()));
    definition.type = CounterType{static_cast<std::uint32_t>(info.dwType)};
    definition.default_scale = info.lDefaultScale;
  }
  ask_time_base(handle, definition);
}

void PdhReader::ask_time_base(PDH_HCOUNTER handle, PdhDefinition& definition) {
  LONGLONG time_base = 0;
  const PDH_STATUS status =
      call_.counter_time_base == nullptr ? kMissing : call_.counter_time_base(handle, &time_base);
  definition.time_base_status = code_of(status);
  definition.time_base = time_base;
}

std::expected<PdhCollection, Error> PdhReader::collect() {
  if (query_ == nullptr)
    return std::unexpected(Error{.code = ErrorCode::kNotRunning, .where = kPdhCollect});
  if (call_.collect_query_data == nullptr) return lacks("pdh.PdhCollectQueryData");
  const PDH_STATUS status = call_.collect_query_data(query_);
  if (status != ERROR_SUCCESS) return pdh_error("pdh.PdhCollectQueryData", status);
  PdhCollection collection;
  for (Added& counter : added_) {
    PdhValues values{.name = counter.name};
    if (has_instances_)
      read_arrays(counter, values);
    else
      read_values(counter, values);
    collection.counters.push_back(std::move(values));
  }
  return collection;
}

void PdhReader::read_arrays(Added& counter, PdhValues& values) {
  const Added before = counter;
  counter.raw.clear();
  counter.instances.clear();
  ItemBuffer<PDH_RAW_COUNTER_ITEM_W> raw;
  const auto raw_status =
      call_.raw_array == nullptr
          ? kMissing
          : fill_items(raw, [&](DWORD* size, DWORD* count, PDH_RAW_COUNTER_ITEM_W* items) {
              return call_.raw_array(counter.handle, size, count, items);
            });
  values.raw_status = code_of(raw_status);
  if (raw_status == ERROR_SUCCESS) {
    for (const PDH_RAW_COUNTER_ITEM_W& item : raw.items()) {
      counter.raw.push_back(item.RawValue);
      counter.instances.push_back(raw.name(item.szName));
      values.raw.push_back({.instance = counter.instances.back(), .raw = raw_of(item.RawValue)});
    }
  }
  const PDH_STATUS refused = read_numbers(counter, values);
  values.number_status = code_of(refused);
  if (refused == ERROR_SUCCESS || refused == kMissing || call_.calculate == nullptr) return;
  values.number_status = ERROR_SUCCESS;
  for (std::size_t place = 0; place < counter.raw.size(); ++place)
    values.numbers.push_back(
        {.instance = counter.instances[place], .number = calculate(counter, before, place)});
}

PDH_STATUS PdhReader::read_numbers(const Added& counter, PdhValues& values) {
  if (call_.formatted_array == nullptr) return kMissing;
  ItemBuffer<PDH_FMT_COUNTERVALUE_ITEM_W> numbers;
  const PDH_STATUS status =
      fill_items(numbers, [&](DWORD* size, DWORD* count, PDH_FMT_COUNTERVALUE_ITEM_W* items) {
        return call_.formatted_array(counter.handle, kFormat, size, count, items);
      });
  if (status == ERROR_SUCCESS)
    for (const PDH_FMT_COUNTERVALUE_ITEM_W& item : numbers.items())
      values.numbers.push_back(
          {.instance = numbers.name(item.szName), .number = number_of(item.FmtValue)});
  return status;
}

PdhNumber PdhReader::calculate(const Added& counter, const Added& before, std::size_t place) {
  // Instances of the same name are told apart by their order.
  const auto nth = [](const Added& of, std::size_t at) {
    return std::ranges::count(of.instances.begin(),
                              of.instances.begin() + static_cast<std::ptrdiff_t>(at),
                              of.instances[at]);
  };
  std::optional<PDH_RAW_COUNTER> older;
  for (std::size_t i = 0; i < before.raw.size() && !older; ++i)
    if (before.instances[i] == counter.instances[place] && nth(before, i) == nth(counter, place))
      older = before.raw[i];
  PDH_RAW_COUNTER newer = counter.raw[place];
  // Where the type doesn't use it, any will do; some implementations crash without one.
  if (!older && !counter.needs_previous) older = newer;
  if (!older) return {.status = PDH_CSTATUS_INVALID_DATA};
  PDH_FMT_COUNTERVALUE value{};
  // Documentation calls the newer sample the first.
  const PDH_STATUS status = call_.calculate(counter.handle, kFormat, &newer, &*older, &value);
  if (status != ERROR_SUCCESS) return {.status = code_of(status)};
  return number_of(value);
}

void PdhReader::read_values(const Added& counter, PdhValues& values) {
  PDH_RAW_COUNTER raw{};
  DWORD type = 0;
  const auto raw_status =
      call_.raw_value == nullptr ? kMissing : call_.raw_value(counter.handle, &type, &raw);
  values.raw_status = code_of(raw_status);
  if (raw_status == ERROR_SUCCESS) values.raw.push_back({.instance = {}, .raw = raw_of(raw)});
  PDH_FMT_COUNTERVALUE number{};
  const auto number_status = call_.formatted_value == nullptr
                                 ? kMissing
                                 : call_.formatted_value(counter.handle, kFormat, &type, &number);
  values.number_status = code_of(number_status);
  if (number_status == ERROR_SUCCESS)
    values.numbers.push_back({.instance = {}, .number = number_of(number)});
}

void PdhReader::close() {
  added_.clear();
  if (query_ != nullptr && call_.close_query != nullptr) call_.close_query(query_);
  query_ = nullptr;
}

}  // namespace winperf

// PDH's functions, played by a table of functions as documentation has them: what the reader asks,
// and what it makes of the answers; and Wine's own pdh.dll, which lacks most of them.
#include "collectors/pdh/win/pdh_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pdhmsg.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "collectors/base/win/wide.h"
#include "collectors/pdh/pdh_status.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kNoSuchCounter = static_cast<PDH_STATUS>(PDH_CSTATUS_NO_COUNTER);
constexpr auto kMore = static_cast<PDH_STATUS>(PDH_MORE_DATA);

// What the functions say, and what they were asked; one at a time, because they have no context.
struct Table {
  std::wstring counters = std::wstring(L"Octets\0", 7);  // each with its NUL
  std::wstring instances = std::wstring(L"a\0a\0b\0", 6);
  std::vector<std::wstring> added{};
  std::vector<PDH_RAW_COUNTER_ITEM_W> items{};
  std::vector<std::wstring> names{};
  PDH_STATUS numbers_refused = ERROR_SUCCESS;
  int grows = 0;  // so many times, there is more than PDH said before
  int closed = 0;
  int collected = 0;
  int time_base_after = 0;  // so many collections
  DWORD type = 0x10410500;
};
Table* table = nullptr;

PDH_STATUS fill_text(const std::wstring& list, wchar_t* text, DWORD* size) {
  const std::wstring whole = list + L'\0';
  const bool fits = text != nullptr && *size >= whole.size();
  *size = static_cast<DWORD>(whole.size());
  if (!fits) return kMore;
  std::ranges::copy(whole, text);
  return ERROR_SUCCESS;
}

PDH_STATUS WINAPI enum_objects(LPCWSTR, LPCWSTR, LPWSTR text, LPDWORD size, DWORD, WINBOOL) {
  return fill_text(std::wstring(L"Netz\0Speicher\0", 14), text, size);
}
PDH_STATUS WINAPI enum_items(LPCWSTR, LPCWSTR, LPCWSTR object, LPWSTR counters,
                             LPDWORD counter_size, LPWSTR instances, LPDWORD instance_size, DWORD,
                             DWORD) {
  if (std::wstring(object) != L"Netz") return static_cast<PDH_STATUS>(PDH_CSTATUS_NO_OBJECT);
  const PDH_STATUS first = fill_text(table->counters, counters, counter_size);
  const PDH_STATUS second = fill_text(table->instances, instances, instance_size);
  return first != ERROR_SUCCESS ? first : second;
}
PDH_STATUS WINAPI lookup(LPCWSTR, DWORD index, LPWSTR text, LPDWORD size) {
  if (index == 510) return fill_text(L"Netz", text, size);
  return fill_text(L"Bytes/s", text, size);
}
PDH_STATUS WINAPI open_query(LPCWSTR, DWORD_PTR, PDH_HQUERY* query) {
  *query = table;
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI close_query(PDH_HQUERY) {
  ++table->closed;
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI add_english(PDH_HQUERY, LPCWSTR path, DWORD_PTR, PDH_HCOUNTER* counter) {
  table->added.emplace_back(path);
  if (table->added.back().ends_with(L"Nothing")) return kNoSuchCounter;
  *counter = table;
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI counter_info(PDH_HCOUNTER, BOOLEAN, LPDWORD size, PPDH_COUNTER_INFO_W info) {
  constexpr DWORD kBytes = sizeof(PDH_COUNTER_INFO_W) + 40;
  const bool fits = info != nullptr && *size >= kBytes;
  *size = kBytes;
  if (!fits) return kMore;
  info->dwType = table->type;
  info->lDefaultScale = -4;
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI time_base(PDH_HCOUNTER, LONGLONG* ticks) {
  if (table->collected < table->time_base_after) return kNoSuchCounter;
  *ticks = 10'000'000;
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI collect_data(PDH_HQUERY) {
  ++table->collected;
  for (PDH_RAW_COUNTER_ITEM_W& item : table->items) item.RawValue.FirstValue += 100;
  return ERROR_SUCCESS;
}

// Items, and after them the names.
template <class Item, class Fill>
PDH_STATUS fill_array(DWORD* size, DWORD* count, Item* items, const Fill& fill) {
  std::size_t needed = table->items.size() * sizeof(Item);
  for (const std::wstring& name : table->names) needed += (name.size() + 1) * sizeof(wchar_t);
  if (table->grows > 0) needed /= 2;  // of a moment ago
  const bool fits = items != nullptr && *size >= needed && table->grows == 0;
  if (items != nullptr) table->grows = std::max(0, table->grows - 1);
  *size = static_cast<DWORD>(needed);
  *count = static_cast<DWORD>(table->items.size());
  if (!fits) return kMore;
  auto* text = reinterpret_cast<wchar_t*>(items + table->items.size());
  for (std::size_t i = 0; i < table->items.size(); ++i) {
    std::wcscpy(text, table->names[i].c_str());
    fill(items[i], table->items[i]);
    items[i].szName = text;
    text += table->names[i].size() + 1;
  }
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI raw_array(PDH_HCOUNTER, LPDWORD size, LPDWORD count,
                            PPDH_RAW_COUNTER_ITEM_W items) {
  return fill_array(size, count, items, [](auto& to, const auto& from) { to = from; });
}
PDH_STATUS WINAPI formatted_array(PDH_HCOUNTER, DWORD format, LPDWORD size, LPDWORD count,
                                  PPDH_FMT_COUNTERVALUE_ITEM_W items) {
  EXPECT_EQ(format, DWORD{PDH_FMT_DOUBLE | PDH_FMT_NOSCALE | PDH_FMT_NOCAP100});
  if (table->numbers_refused != ERROR_SUCCESS) return table->numbers_refused;
  return fill_array(size, count, items, [](auto& to, const auto& from) {
    to.FmtValue.CStatus = 0;
    to.FmtValue.doubleValue = static_cast<double>(from.RawValue.FirstValue) / 2;
  });
}
PDH_STATUS WINAPI calculate(PDH_HCOUNTER, DWORD, PPDH_RAW_COUNTER newer, PPDH_RAW_COUNTER older,
                            PPDH_FMT_COUNTERVALUE value) {
  if (newer->CStatus != 0) return static_cast<PDH_STATUS>(PDH_CALC_NEGATIVE_VALUE);
  value->CStatus = 0;
  value->doubleValue = static_cast<double>(newer->FirstValue - older->FirstValue);
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI raw_value(PDH_HCOUNTER, LPDWORD, PPDH_RAW_COUNTER value) {
  *value = table->items.front().RawValue;
  return ERROR_SUCCESS;
}
PDH_STATUS WINAPI formatted_value(PDH_HCOUNTER, DWORD, LPDWORD, PPDH_FMT_COUNTERVALUE) {
  return static_cast<PDH_STATUS>(PDH_INVALID_DATA);
}

PdhFunctions all_functions() {
  return {.enum_objects = enum_objects,
          .enum_object_items = enum_items,
          .lookup_name = lookup,
          .open_query = open_query,
          .close_query = close_query,
          .add_english_counter = add_english,
          .add_counter = add_english,
          .counter_info = counter_info,
          .counter_time_base = time_base,
          .collect_query_data = collect_data,
          .raw_array = raw_array,
          .formatted_array = formatted_array,
          .calculate = calculate,
          .raw_value = raw_value,
          .formatted_value = formatted_value};
}

class PdhReaderTest : public ::testing::Test {
 protected:
  PdhReaderTest() {
    table = &table_;
    for (const wchar_t* const name : {L"a", L"a", L"b"}) {
      PDH_RAW_COUNTER_ITEM_W item{};
      item.RawValue = {.CStatus = 0,
                       .TimeStamp = {.dwLowDateTime = 5, .dwHighDateTime = 1},
                       .FirstValue = 1'000 * static_cast<LONGLONG>(table_.items.size() + 1),
                       .SecondValue = -7,
                       .MultiCount = 1};
      table_.items.push_back(item);
      table_.names.emplace_back(name);
    }
  }
  ~PdhReaderTest() override { table = nullptr; }

  static PdhQuery query(bool has_instances = true, const std::string& counter = "Bytes/sec") {
    return {.object = {.name = "Network", .index = 510, .has_instances = has_instances},
            .counters = {{.name = counter, .index = 512}}};
  }

  Table table_;
};

TEST_F(PdhReaderTest, ListsObjectsAndTheirItemsInTheMachinesLanguage) {
  PdhReader reader(all_functions());
  EXPECT_THAT(reader.objects().value(), ElementsAre("Netz", "Speicher"));
  const auto items = reader.items({.name = "Network", .index = 510, .has_instances = true});
  ASSERT_TRUE(items);
  EXPECT_EQ(items->object, "Netz");
  EXPECT_THAT(items->counters, ElementsAre("Octets"));
  EXPECT_THAT(items->instances, ElementsAre("a", "a", "b"));
  const auto absent = reader.items({.name = "Nothing", .index = 0, .has_instances = true});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().os_code, kPdhNoObject);
}

TEST_F(PdhReaderTest, ReadsDefinitionsByEnglishNames) {
  PdhReader reader(all_functions());
  const auto definitions = reader.open(query());
  ASSERT_TRUE(definitions);
  EXPECT_THAT(table_.added, ElementsAre(L"\\Network(*)\\Bytes/sec"));
  ASSERT_EQ(definitions->size(), 1U);
  const PdhDefinition& one = definitions->front();
  EXPECT_EQ(one.name, "Bytes/sec");
  EXPECT_EQ(one.local_name, "Bytes/s");
  EXPECT_EQ(one.add_status, 0U);
  EXPECT_EQ(one.type, CounterType{0x10410500});
  EXPECT_EQ(one.default_scale, -4);
  EXPECT_EQ(one.time_base, 10'000'000);
}

TEST_F(PdhReaderTest, ATimeBaseIsAskedForAgainAfterACollectionOfAnotherQuery) {
  table_.time_base_after = 1;
  PdhReader reader(all_functions());
  const auto definitions = reader.open(query());
  ASSERT_TRUE(definitions);
  EXPECT_EQ(definitions->front().time_base_status, 0U);
  EXPECT_EQ(definitions->front().time_base, 10'000'000);
  EXPECT_EQ(table_.collected, 1);
  EXPECT_EQ(table_.closed, 1);
  table_.time_base_after = 9;
  EXPECT_EQ(reader.open(query())->front().time_base_status, kPdhNoCounter);
  EXPECT_EQ(table_.collected, 2);
}

TEST_F(PdhReaderTest, TriesTheNamesOfTheMachineNext) {
  PdhReader reader(all_functions());
  const auto definitions = reader.open(query(true, "Nothing"));
  ASSERT_TRUE(definitions);
  EXPECT_THAT(table_.added, ElementsAre(L"\\Network(*)\\Nothing", L"\\Netz(*)\\Bytes/s"));
  PdhFunctions old = all_functions();
  old.add_english_counter = nullptr;
  EXPECT_TRUE(PdhReader(old).open(query()));
  EXPECT_EQ(table_.added.back(), L"\\Netz(*)\\Bytes/s");
}

TEST_F(PdhReaderTest, ReadsRawValuesAndNumbersOfAllInstances) {
  table_.grows = 2;
  PdhReader reader(all_functions());
  ASSERT_TRUE(reader.open(query()));
  const auto collection = reader.collect();
  ASSERT_TRUE(collection);
  const PdhValues& values = collection->counters.front();
  EXPECT_EQ(values.raw_status, 0U);
  ASSERT_EQ(values.raw.size(), 3U);
  EXPECT_EQ(values.raw[1].instance, "a");
  EXPECT_EQ(values.raw[1].raw, (PdhRaw{.status = 0,
                                       .first = 2'100,
                                       .second = -7,
                                       .multi_count = 1,
                                       .local_time = (std::int64_t{1} << 32U) + 5}));
  ASSERT_EQ(values.numbers.size(), 3U);
  EXPECT_EQ(values.numbers[2].instance, "b");
  EXPECT_EQ(values.numbers[2].number.value, 1'550);
}

TEST_F(PdhReaderTest, NumbersThatAreRefusedTogetherAreAskedForOneByOne) {
  table_.numbers_refused = static_cast<PDH_STATUS>(PDH_CALC_NEGATIVE_DENOMINATOR);
  PdhReader reader(all_functions());
  ASSERT_TRUE(reader.open(query()));
  ASSERT_TRUE(reader.collect());
  table_.items[1].RawValue.CStatus = PDH_CSTATUS_INVALID_DATA;
  const auto collection = reader.collect();
  ASSERT_TRUE(collection);
  const auto& numbers = collection->counters.front().numbers;
  ASSERT_EQ(numbers.size(), 3U);
  EXPECT_EQ(numbers[0].number.value, 100);
  EXPECT_EQ(numbers[1].number.status, kPdhNegativeValue);
  EXPECT_EQ(numbers[2].number.value, 100);
  PdhFunctions without = all_functions();
  without.calculate = nullptr;
  PdhReader other(without);
  ASSERT_TRUE(other.open(query()));
  EXPECT_EQ(other.collect()->counters.front().number_status, kPdhNegativeDenominator);
}

TEST_F(PdhReaderTest, OfATypeThatNeedsOneValueTheFirstCollectionHasNumbersToo) {
  table_.numbers_refused = static_cast<PDH_STATUS>(PDH_CALC_NEGATIVE_DENOMINATOR);
  for (const DWORD type : {DWORD{0x00010100}, DWORD{0x10410500}}) {
    table_.type = type;
    PdhReader reader(all_functions());
    ASSERT_TRUE(reader.open(query()));
    const auto collection = reader.collect();
    ASSERT_TRUE(collection);
    const auto& numbers = collection->counters.front().numbers;
    ASSERT_EQ(numbers.size(), 3U);
    EXPECT_EQ(numbers[0].number.status, type == 0x00010100 ? 0U : kPdhInvalidData);
  }
}

TEST_F(PdhReaderTest, ReadsTheOneValueOfACounterWithoutInstances) {
  PdhReader reader(all_functions());
  ASSERT_TRUE(reader.open(query(false)));
  EXPECT_THAT(table_.added, ElementsAre(L"\\Network\\Bytes/sec"));
  const auto collection = reader.collect();
  const PdhValues& values = collection->counters.front();
  ASSERT_EQ(values.raw.size(), 1U);
  EXPECT_EQ(values.raw[0].raw.first, 1'100);
  EXPECT_EQ(values.number_status, kPdhNoValueYet);
  EXPECT_THAT(values.numbers, IsEmpty());
}

TEST_F(PdhReaderTest, ClosesItsQueryOnce) {
  {
    PdhReader reader(all_functions());
    EXPECT_EQ(reader.collect().error().code, ErrorCode::kNotRunning);
    ASSERT_TRUE(reader.open(query()));
    ASSERT_TRUE(reader.open(query()));
    EXPECT_EQ(table_.closed, 1);
    reader.close();
    EXPECT_EQ(table_.closed, 2);
  }
  EXPECT_EQ(table_.closed, 2);
}

TEST_F(PdhReaderTest, AMissingFunction_IsAnErrorWithItsName) {
  PdhReader none(PdhFunctions{});
  EXPECT_STREQ(none.objects().error().where, "pdh.PdhEnumObjectsW");
  EXPECT_EQ(none.objects().error().code, ErrorCode::kUnsupported);
  EXPECT_STREQ(none.items({}).error().where, "pdh.PdhEnumObjectItemsW");
  EXPECT_STREQ(none.open(query()).error().where, "pdh.PdhOpenQueryW");
  PdhFunctions some = all_functions();
  some.counter_info = nullptr;
  some.counter_time_base = nullptr;
  some.raw_array = nullptr;
  some.formatted_array = nullptr;
  PdhReader reader(some);
  const auto definitions = reader.open(query());
  ASSERT_TRUE(definitions);
  EXPECT_EQ(definitions->front().info_status, std::uint32_t{PDH_FUNCTION_NOT_FOUND});
  EXPECT_EQ(definitions->front().time_base_status, std::uint32_t{PDH_FUNCTION_NOT_FOUND});
  const auto collection = reader.collect();
  ASSERT_TRUE(collection);
  EXPECT_EQ(collection->counters.front().raw_status, std::uint32_t{PDH_FUNCTION_NOT_FOUND});
  EXPECT_EQ(collection->counters.front().number_status, std::uint32_t{PDH_FUNCTION_NOT_FOUND});
}

// What doesn't fit the buffer isn't read.
PDH_STATUS WINAPI lying_array(PDH_HCOUNTER, LPDWORD size, LPDWORD count,
                              PPDH_RAW_COUNTER_ITEM_W items) {
  static wchar_t elsewhere[] = L"secret";
  constexpr DWORD kBytes = sizeof(PDH_RAW_COUNTER_ITEM_W);
  const bool fits = items != nullptr && *size >= kBytes;
  *size = kBytes;
  *count = 1'000'000;
  if (!fits) return kMore;
  items->szName = elsewhere;
  return ERROR_SUCCESS;
}

TEST_F(PdhReaderTest, ReadsNothingOutsideTheBuffer) {
  PdhFunctions functions = all_functions();
  functions.raw_array = lying_array;
  PdhReader reader(functions);
  ASSERT_TRUE(reader.open(query()));
  const auto collection = reader.collect();
  ASSERT_TRUE(collection);
  ASSERT_EQ(collection->counters.front().raw.size(), 1U);
  EXPECT_EQ(collection->counters.front().raw.front().instance, "");
}

TEST(PdhLibrary, IsTheSystems) {
  auto pdh = make_pdh_api();
  ASSERT_TRUE(pdh);
  EXPECT_EQ((*pdh)->collect().error().code, ErrorCode::kNotRunning);
  (*pdh)->close();
}

}  // namespace
}  // namespace winperf::testing

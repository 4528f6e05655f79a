// Reads HKEY_PERFORMANCE_DATA with RegQueryValueExW and prints the raw values, one per line,
// separated by tabs:
//   object index, counter index, counter type, instance ordinal ("-" without instances), instance
//   name, value
//
// The end-to-end tests compare it with the exporter, so it shares no code with the exporter. If it
// can't read a block, it prints the reason and ends with exit code 1. It prints types as 0x and 8
// digits, values as unsigned decimals, and names in UTF-8.
//
// Usage: regread <value name> [<times> [<milliseconds>]], e.g. regread "1848 1856"
// With <times>, it reads that many times, so far apart, and prints the last reply.
#include <windows.h>
#include <winperf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr size_t kMaxReply = 64u << 20;

bool is_wine() {
  return GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr;
}

// Wine leaves a gap of this size between the header and the objects, and counts it nowhere.
size_t wine_gap() { return is_wine() ? sizeof(PERF_DATA_BLOCK) : 0; }

std::vector<char> query(const wchar_t* value_name) {
  for (size_t room = 64u << 10; room <= kMaxReply; room *= 2) {
    std::vector<char> reply(room + wine_gap());
    auto size = static_cast<DWORD>(room);
    const LSTATUS status = RegQueryValueExW(HKEY_PERFORMANCE_DATA, value_name, nullptr, nullptr,
                                            reinterpret_cast<BYTE*>(reply.data()), &size);
    if (status == ERROR_MORE_DATA) continue;
    if (status != ERROR_SUCCESS) {
      throw std::runtime_error("RegQueryValueExW failed with error " + std::to_string(status));
    }
    reply.resize(size + wine_gap());
    return reply;
  }
  throw std::runtime_error("the reply is too large");
}

template <class T>
T read(const std::vector<char>& reply, size_t at) {
  if (at > reply.size() || sizeof(T) > reply.size() - at) {
    throw std::runtime_error("the reply ends before offset " + std::to_string(at + sizeof(T)));
  }
  T value;
  std::memcpy(&value, reply.data() + at, sizeof value);
  return value;
}

std::string instance_name(const std::vector<char>& reply, size_t at,
                          const PERF_INSTANCE_DEFINITION& instance) {
  std::wstring name;
  for (size_t i = 0; i < instance.NameLength / sizeof(wchar_t); ++i) {
    const auto unit = read<wchar_t>(reply, at + instance.NameOffset + i * sizeof(wchar_t));
    if (unit == 0) break;
    name += unit;
  }
  std::string utf8(name.size() * 3, '\0');
  const int size =
      WideCharToMultiByte(CP_UTF8, 0, name.data(), static_cast<int>(name.size()), utf8.data(),
                          static_cast<int>(utf8.size()), nullptr, nullptr);
  utf8.resize(static_cast<size_t>(size));
  return utf8;
}

// Prints the values of the counter block at `at`, and returns its size.
size_t print_block(const std::vector<char>& reply, size_t at, DWORD object,
                   const std::vector<PERF_COUNTER_DEFINITION>& counters,
                   const std::string& instance) {
  const size_t size = read<PERF_COUNTER_BLOCK>(reply, at).ByteLength;
  for (const PERF_COUNTER_DEFINITION& counter : counters) {
    const size_t value_at = at + counter.CounterOffset;
    const unsigned long long value = counter.CounterSize == sizeof(ULONGLONG)
                                         ? read<ULONGLONG>(reply, value_at)
                                         : read<DWORD>(reply, value_at);
    std::printf("%lu\t%lu\t0x%08lX\t%s\t%llu\n", object, counter.CounterNameTitleIndex,
                counter.CounterType, instance.c_str(), value);
  }
  return size;
}

void print_object(const std::vector<char>& reply, size_t at, const PERF_OBJECT_TYPE& object) {
  std::vector<PERF_COUNTER_DEFINITION> counters;
  size_t next = at + object.HeaderLength;
  for (DWORD i = 0; i < object.NumCounters; ++i) {
    counters.push_back(read<PERF_COUNTER_DEFINITION>(reply, next));
    next += counters.back().ByteLength;
  }
  next = at + object.DefinitionLength;
  if (object.NumInstances == PERF_NO_INSTANCES) {
    print_block(reply, next, object.ObjectNameTitleIndex, counters, "-\t");
    return;
  }
  for (LONG i = 0; i < object.NumInstances; ++i) {
    const auto instance = read<PERF_INSTANCE_DEFINITION>(reply, next);
    const std::string label = std::to_string(i) + "\t" + instance_name(reply, next, instance);
    next += instance.ByteLength;
    next += print_block(reply, next, object.ObjectNameTitleIndex, counters, label);
  }
}

void print_reply(const std::vector<char>& reply) {
  const auto header = read<PERF_DATA_BLOCK>(reply, 0);
  if (std::memcmp(header.Signature, L"PERF", sizeof header.Signature) != 0) {
    throw std::runtime_error("the reply is not performance data");
  }
  size_t at = header.HeaderLength + wine_gap();
  for (DWORD i = 0; i < header.NumObjectTypes; ++i) {
    const auto object = read<PERF_OBJECT_TYPE>(reply, at);
    print_object(reply, at, object);
    at += object.TotalByteLength;
  }
}

}  // namespace

int wmain(int argc, wchar_t** argv) {
  if (argc < 2 || argc > 4) {
    std::fputs("usage: regread <value name> [<times> [<milliseconds>]]\n", stderr);
    return 2;
  }
  try {
    const int times = argc > 2 ? _wtoi(argv[2]) : 1;
    const int pause = argc > 3 ? _wtoi(argv[3]) : 0;
    for (int left = times; left > 1; --left) {
      query(argv[1]);
      Sleep(static_cast<DWORD>(pause));
    }
    print_reply(query(argv[1]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "regread: %s\n", error.what());
    return 1;
  }
  RegCloseKey(HKEY_PERFORMANCE_DATA);
  return 0;
}

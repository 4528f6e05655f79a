#include "tests/simulator/pcw/registration.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace winperf::simulator::pcw {
namespace {

constexpr std::uint32_t kMaxCounters = 65'536;

bool knows_version(const PCW_REGISTRATION_INFORMATION& info) {
  if (info.Version == PCW_VERSION_1) return true;
  if (info.Version != PCW_VERSION_2) return false;
  // As bytes: a driver may have written what is no value of the enumeration.
  ULONG flags = 0;
  static_assert(sizeof flags == sizeof info.Flags);
  std::memcpy(&flags, &info.Flags, sizeof flags);
  return (flags & ~ULONG{PcwRegistrationSiloNeutral}) == 0;
}

}  // namespace

std::optional<std::u16string> text_of(PCUNICODE_STRING text) {
  if (text == nullptr || text->Length % sizeof(WCHAR) != 0) return std::nullopt;
  if (text->Length == 0) return std::u16string();
  if (text->Buffer == nullptr) return std::nullopt;
  return std::u16string(text->Buffer, text->Length / sizeof(WCHAR));
}

NTSTATUS Registration::check(const PCW_REGISTRATION_INFORMATION& info) {
  if (!knows_version(info)) return STATUS_INVALID_PARAMETER_2;
  const auto name = text_of(info.Name);
  if (!name || name->empty()) return STATUS_INVALID_PARAMETER_2;
  if (info.CounterCount == 0 || info.Counters == nullptr) return STATUS_INVALID_PARAMETER_2;
  if (info.CounterCount > kMaxCounters) return STATUS_INTEGER_OVERFLOW;
  const bool sound = std::ranges::all_of(
      std::span(info.Counters, info.CounterCount),
      [](const PCW_COUNTER_DESCRIPTOR& counter) { return counter.Size == 4 || counter.Size == 8; });
  return sound ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER_2;
}

Registration::Registration(const PCW_REGISTRATION_INFORMATION& info)
    : name_(text_of(info.Name).value()),
      counters_(info.Counters, info.Counters + info.CounterCount),
      callback_(info.Callback),
      context_(info.CallbackContext) {}

void Registration::call(PCW_CALLBACK_TYPE type, PCW_CALLBACK_INFORMATION& info) {
  if (callback_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    ++running_;
  }
  callback_(type, &info, context_);
  // Notified with the lock held: close() may be all that keeps this object.
  const std::lock_guard lock(mutex_);
  --running_;
  returned_.notify_all();
}

void Registration::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  returned_.wait(lock, [this] { return running_ == 0; });
  made_.clear();
}

NTSTATUS Registration::create_instance(std::uintptr_t handle, std::u16string name,
                                       std::span<const PCW_DATA> data) {
  const bool too_few = std::ranges::any_of(
      counters_, [&](const auto& counter) { return counter.StructIndex >= data.size(); });
  if (too_few) return STATUS_INVALID_PARAMETER_4;
  if (!fits(data)) return STATUS_INVALID_BUFFER_SIZE;
  const std::lock_guard lock(mutex_);
  if (closed_) return STATUS_INVALID_HANDLE;
  made_[handle] = {std::move(name), next_id_++, {data.begin(), data.end()}};
  return STATUS_SUCCESS;
}

void Registration::close_instance(std::uintptr_t handle) {
  const std::lock_guard lock(mutex_);
  made_.erase(handle);
}

std::vector<Instance> Registration::instances(bool with_values) const {
  const std::lock_guard lock(mutex_);
  std::vector<Instance> result;
  for (const auto& [handle, made] : made_) {
    Instance& instance = result.emplace_back();
    instance.name = made.name;
    instance.id = made.id;
    if (with_values) instance.values = read(made.data);
  }
  return result;
}

bool Registration::fits(std::span<const PCW_DATA> data) const {
  return std::ranges::all_of(counters_, [&](const PCW_COUNTER_DESCRIPTOR& counter) {
    return counter.StructIndex < data.size() && data[counter.StructIndex].Data != nullptr &&
           counter.Size <= data[counter.StructIndex].Size &&
           counter.Offset <= data[counter.StructIndex].Size - counter.Size;
  });
}

std::map<std::uint32_t, std::uint64_t> Registration::read(std::span<const PCW_DATA> data) const {
  std::map<std::uint32_t, std::uint64_t> values;
  for (const PCW_COUNTER_DESCRIPTOR& counter : counters_) {
    std::uint64_t value = 0;
    const auto* const block = static_cast<const std::byte*>(data[counter.StructIndex].Data);
    std::memcpy(&value, block + counter.Offset, counter.Size);
    values[counter.Id] = value;
  }
  return values;
}

}  // namespace winperf::simulator::pcw

#include "tests/simulator/pcw/kernel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "tests/simulator/wildcard.h"

namespace winperf::simulator::pcw {
namespace {

constexpr std::int64_t kUnixEpoch100ns = 116'444'736'000'000'000;

UNICODE_STRING unicode(const std::u16string& text) {
  const auto bytes = static_cast<USHORT>(std::min<std::size_t>(text.size() * 2, 0xFFFE));
  return {bytes, bytes, const_cast<WCHAR*>(text.data())};
}

std::u16string text_of(PCUNICODE_STRING text) {
  return text == nullptr ? std::u16string() : std::u16string(text->Buffer, text->Length / 2);
}

}  // namespace

struct Kernel::Registration {
  std::u16string name;
  std::vector<PCW_COUNTER_DESCRIPTOR> counters;
  PPCW_CALLBACK callback = nullptr;
  void* context = nullptr;

  // Made once, with data that stays the driver's.
  struct Made {
    std::u16string name;
    std::uint32_t id = 0;
    std::vector<PCW_DATA> data;
  };
  std::mutex mutex;
  std::vector<std::unique_ptr<Made>> instances;
  std::uint32_t next_id = 0;

  bool fits(std::span<const PCW_DATA> data) const;
  Instance read(std::u16string instance_name, std::uint32_t id,
                std::span<const PCW_DATA> data) const;
};

bool Kernel::Registration::fits(std::span<const PCW_DATA> data) const {
  return std::ranges::all_of(counters, [&](const PCW_COUNTER_DESCRIPTOR& counter) {
    return counter.StructIndex < data.size() && data[counter.StructIndex].Data != nullptr &&
           counter.Size <= data[counter.StructIndex].Size &&
           counter.Offset <= data[counter.StructIndex].Size - counter.Size;
  });
}

Instance Kernel::Registration::read(std::u16string instance_name, std::uint32_t id,
                                    std::span<const PCW_DATA> data) const {
  Instance instance{std::move(instance_name), id, {}};
  if (data.empty()) return instance;
  for (const PCW_COUNTER_DESCRIPTOR& counter : counters) {
    std::uint64_t value = 0;
    std::memcpy(&value,
                static_cast<const std::byte*>(data[counter.StructIndex].Data) + counter.Offset,
                counter.Size);
    instance.values[counter.Id] = value;
  }
  return instance;
}

Kernel& Kernel::instance() {
  static Kernel kernel;
  return kernel;
}

void Kernel::set_clock(std::function<std::int64_t()> clock) {
  const std::lock_guard lock(mutex_);
  clock_ = std::move(clock);
}

std::int64_t Kernel::system_time() const {
  const std::lock_guard lock(mutex_);
  if (clock_) return clock_();
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return kUnixEpoch100ns +
         std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count() / 100;
}

NTSTATUS Kernel::load(DRIVER_INITIALIZE* driver_entry) {
  DRIVER_OBJECT driver{};
  const NTSTATUS status = driver_entry(&driver, nullptr);
  const std::lock_guard lock(mutex_);
  if (NT_SUCCESS(status)) drivers_[driver_entry] = driver;
  return status;
}

void Kernel::unload(DRIVER_INITIALIZE* driver_entry) {
  DRIVER_OBJECT driver{};
  {
    const std::lock_guard lock(mutex_);
    const auto loaded = drivers_.extract(driver_entry);
    if (loaded.empty()) return;
    driver = loaded.mapped();
  }
  if (driver.DriverUnload != nullptr) driver.DriverUnload(&driver);
}

NTSTATUS Kernel::add(const PCW_REGISTRATION_INFORMATION& info, Registration*& registration) {
  if (info.Version != PCW_CURRENT_VERSION || info.Name == nullptr || info.Name->Length == 0 ||
      info.CounterCount == 0 || info.Counters == nullptr)
    return STATUS_INVALID_PARAMETER_2;
  const std::span counters(info.Counters, info.CounterCount);
  const bool sound = std::ranges::all_of(counters, [](const PCW_COUNTER_DESCRIPTOR& counter) {
    return counter.Size == 4 || counter.Size == 8;
  });
  if (!sound) return STATUS_INVALID_PARAMETER_2;
  auto added = std::make_shared<Registration>();
  added->name = text_of(info.Name);
  added->counters.assign(counters.begin(), counters.end());
  added->callback = info.Callback;
  added->context = info.CallbackContext;
  registration = added.get();
  const std::lock_guard lock(mutex_);
  registrations_.push_back(std::move(added));
  return STATUS_SUCCESS;
}

void Kernel::remove(Registration* registration) {
  const std::lock_guard lock(mutex_);
  std::erase_if(registrations_, [&](const auto& known) { return known.get() == registration; });
}

std::vector<std::shared_ptr<Kernel::Registration>> Kernel::named(const std::u16string& name) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Registration>> found;
  for (const auto& registration : registrations_)
    if (registration->name == name) found.push_back(registration);
  return found;
}

std::map<std::uint32_t, std::uint32_t> Kernel::counters(const std::u16string& name) const {
  std::map<std::uint32_t, std::uint32_t> sizes;
  for (const auto& registration : named(name))
    for (const PCW_COUNTER_DESCRIPTOR& counter : registration->counters)
      sizes[counter.Id] = counter.Size;
  return sizes;
}

}  // namespace winperf::simulator::pcw

// What a callback adds instances to.
struct _PCW_BUFFER {
  const winperf::simulator::pcw::Kernel::Registration& registration;
  bool collecting = false;
  std::vector<winperf::simulator::pcw::Instance> instances{};
};

namespace winperf::simulator::pcw {

std::vector<Instance> Kernel::ask(const std::u16string& name, const Mask& mask,
                                  PCW_CALLBACK_TYPE type) {
  const bool collecting = type == PcwCallbackCollectData;
  const UNICODE_STRING instance_mask = unicode(mask.instance_mask);
  std::vector<Instance> all;
  for (const auto& registration : named(name)) {
    _PCW_BUFFER buffer{*registration, collecting};
    PCW_CALLBACK_INFORMATION info{};
    info.CollectData = {.CounterMask = mask.counter_mask,
                        .InstanceMask = &instance_mask,
                        .InstanceId = mask.instance_id,
                        .CollectMultiple = mask.collect_multiple ? BOOLEAN{TRUE} : BOOLEAN{FALSE},
                        .Buffer = &buffer,
                        .CancelEvent = nullptr};
    // The status is for information only.
    if (registration->callback != nullptr)
      registration->callback(type, &info, registration->context);
    {
      const std::lock_guard lock(registration->mutex);
      for (const auto& made : registration->instances)
        buffer.instances.push_back(registration->read(
            made->name, made->id, collecting ? std::span(made->data) : std::span<PCW_DATA>()));
    }
    std::ranges::move(buffer.instances, std::back_inserter(all));
  }
  // A provider may ignore the filters.
  std::erase_if(all, [&mask](const Instance& instance) {
    if (mask.instance_id != PCW_ANY_INSTANCE_ID && instance.id != mask.instance_id) return true;
    return mask.collect_multiple && !matches_wildcard(mask.instance_mask, instance.name);
  });
  return all;
}

std::vector<Instance> Kernel::enumerate(const std::u16string& name, const Mask& mask) {
  return ask(name, mask, PcwCallbackEnumerateInstances);
}

std::vector<Instance> Kernel::collect(const std::u16string& name, const Mask& mask) {
  return ask(name, mask, PcwCallbackCollectData);
}

void Kernel::notify(const std::u16string& name, const Mask& mask, PCW_CALLBACK_TYPE type) {
  const UNICODE_STRING instance_mask = unicode(mask.instance_mask);
  PCW_CALLBACK_INFORMATION info{};
  info.AddCounter = {.CounterMask = mask.counter_mask, .InstanceMask = &instance_mask};
  for (const auto& registration : named(name))
    if (registration->callback != nullptr)
      registration->callback(type, &info, registration->context);
}

void Kernel::add_counter(const std::u16string& name, const Mask& mask) {
  notify(name, mask, PcwCallbackAddCounter);
}

void Kernel::remove_counter(const std::u16string& name, const Mask& mask) {
  notify(name, mask, PcwCallbackRemoveCounter);
}

}  // namespace winperf::simulator::pcw

using winperf::simulator::pcw::Kernel;

struct _PCW_INSTANCE {
  Kernel::Registration* registration;
  Kernel::Registration::Made* made;
};

extern "C" {

NTSTATUS NTAPI PcwRegister(PPCW_REGISTRATION* Registration, PPCW_REGISTRATION_INFORMATION Info) {
  Kernel::Registration* added = nullptr;
  const NTSTATUS status = Kernel::instance().add(*Info, added);
  if (NT_SUCCESS(status)) *Registration = reinterpret_cast<PPCW_REGISTRATION>(added);
  return status;
}

VOID NTAPI PcwUnregister(PPCW_REGISTRATION Registration) {
  Kernel::instance().remove(reinterpret_cast<Kernel::Registration*>(Registration));
}

NTSTATUS NTAPI PcwCreateInstance(PPCW_INSTANCE* Instance, PPCW_REGISTRATION Registration,
                                 PCUNICODE_STRING Name, ULONG Count, PPCW_DATA Data) {
  auto* const registration = reinterpret_cast<Kernel::Registration*>(Registration);
  const std::span data(Data, Count);
  if (!registration->fits(data)) return STATUS_INVALID_BUFFER_SIZE;
  const std::lock_guard lock(registration->mutex);
  auto made = std::make_unique<Kernel::Registration::Made>();
  made->name = std::u16string(Name->Buffer, Name->Length / 2);
  made->id = registration->next_id++;
  made->data.assign(data.begin(), data.end());
  *Instance = new _PCW_INSTANCE{registration, made.get()};
  registration->instances.push_back(std::move(made));
  return STATUS_SUCCESS;
}

VOID NTAPI PcwCloseInstance(PPCW_INSTANCE Instance) {
  {
    const std::lock_guard lock(Instance->registration->mutex);
    std::erase_if(Instance->registration->instances,
                  [Instance](const auto& made) { return made.get() == Instance->made; });
  }
  delete Instance;
}

NTSTATUS NTAPI PcwAddInstance(PPCW_BUFFER Buffer, PCUNICODE_STRING Name, ULONG Id, ULONG Count,
                              PPCW_DATA Data) {
  if (Buffer == nullptr || Name == nullptr) return STATUS_INVALID_PARAMETER;
  const std::span data(Data, Data == nullptr ? 0 : Count);
  if (Buffer->collecting && !Buffer->registration.fits(data)) return STATUS_INVALID_BUFFER_SIZE;
  Buffer->instances.push_back(
      Buffer->registration.read(std::u16string(Name->Buffer, Name->Length / 2), Id,
                                Buffer->collecting ? data : std::span<PCW_DATA>()));
  return STATUS_SUCCESS;
}

VOID NTAPI RtlInitUnicodeString(PUNICODE_STRING DestinationString, PCWSTR SourceString) {
  USHORT length = 0;
  while (SourceString[length] != 0) ++length;
  *DestinationString = {static_cast<USHORT>(2 * length), static_cast<USHORT>(2 * length + 2),
                        const_cast<WCHAR*>(SourceString)};
}

VOID NTAPI KeQuerySystemTime(PLARGE_INTEGER CurrentTime) {
  CurrentTime->QuadPart = Kernel::instance().system_time();
}

LONG InterlockedIncrement(LONG volatile* Addend) {
  return std::atomic_ref(const_cast<LONG&>(*Addend)).fetch_add(1) + 1;
}

LONG InterlockedDecrement(LONG volatile* Addend) {
  return std::atomic_ref(const_cast<LONG&>(*Addend)).fetch_sub(1) - 1;
}

}  // extern "C"

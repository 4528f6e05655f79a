#include "tests/simulator/pcw/kernel.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "tests/simulator/pcw/registration.h"
#include "tests/simulator/wildcard.h"

namespace winperf::simulator::pcw {

// What a callback adds instances to, on whatever threads it likes.
class Buffer {
 public:
  Buffer(std::shared_ptr<const Registration> registration, bool collecting)
      : registration_(std::move(registration)), collecting_(collecting) {}

  NTSTATUS add(std::u16string name, std::uint32_t id, std::span<const PCW_DATA> data) {
    Instance instance{std::move(name), id, {}};
    if (collecting_) {
      if (!registration_->fits(data)) return STATUS_INVALID_BUFFER_SIZE;
      instance.values = registration_->read(data);
    }
    const std::lock_guard lock(mutex_);
    instances_.push_back(std::move(instance));
    return STATUS_SUCCESS;
  }

  std::vector<Instance> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(instances_, {});
  }

 private:
  std::shared_ptr<const Registration> registration_;
  bool collecting_;
  std::mutex mutex_;
  std::vector<Instance> instances_;
};

namespace {

constexpr std::int64_t kUnixEpoch100ns = 116'444'736'000'000'000;

UNICODE_STRING unicode(const std::u16string& text) {
  const auto bytes = static_cast<USHORT>(std::min<std::size_t>(text.size() * 2, 0xFFFE));
  return {bytes, bytes, const_cast<WCHAR*>(text.data())};
}

template <typename Handle>
std::uintptr_t number_of(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

template <typename Handle>
Handle handle_of(std::uintptr_t number) {
  return reinterpret_cast<Handle>(number);
}

// Null if the handle is invalid or stale.
template <typename T>
std::shared_ptr<T> find_in(const std::map<std::uintptr_t, std::shared_ptr<T>>& table,
                           std::uintptr_t number) {
  const auto found = table.find(number);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

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
  static const std::u16string kPath =
      u"\\Registry\\Machine\\System\\CurrentControlSet\\Services\\Simulated";
  DRIVER_OBJECT* driver = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto [loaded, is_new] = drivers_.try_emplace(driver_entry);
    if (!is_new) return STATUS_IMAGE_ALREADY_LOADED;
    driver = &loaded->second;
  }
  UNICODE_STRING path = unicode(kPath);
  const NTSTATUS status = driver_entry(driver, &path);
  if (NT_SUCCESS(status)) return status;
  const std::lock_guard lock(mutex_);
  drivers_.erase(driver_entry);
  return status;
}

void Kernel::unload(DRIVER_INITIALIZE* driver_entry) {
  std::map<DRIVER_INITIALIZE*, DRIVER_OBJECT>::node_type driver;
  {
    const std::lock_guard lock(mutex_);
    const auto found = drivers_.find(driver_entry);
    if (found == drivers_.end() || found->second.DriverUnload == nullptr) return;
    driver = drivers_.extract(found);
  }
  driver.mapped().DriverUnload(&driver.mapped());
}

NTSTATUS Kernel::add_registration(const PCW_REGISTRATION_INFORMATION& info,
                                  PPCW_REGISTRATION& handle) {
  const NTSTATUS status = Registration::check(info);
  if (!NT_SUCCESS(status)) return status;
  auto registration = std::make_shared<Registration>(info);
  const std::lock_guard lock(mutex_);
  // Before a callback can run that uses it.
  handle = handle_of<PPCW_REGISTRATION>(++last_handle_);
  registrations_[last_handle_] = std::move(registration);
  return STATUS_SUCCESS;
}

void Kernel::remove_registration(PPCW_REGISTRATION handle) {
  std::shared_ptr<Registration> registration;
  {
    const std::lock_guard lock(mutex_);
    registration = find_in(registrations_, number_of(handle));
    registrations_.erase(number_of(handle));
  }
  if (registration != nullptr) registration->close();
}

NTSTATUS Kernel::create_instance(PPCW_REGISTRATION registration, PCUNICODE_STRING name,
                                 std::span<const PCW_DATA> data, PPCW_INSTANCE& handle) {
  std::shared_ptr<Registration> owner;
  std::uintptr_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    owner = find_in(registrations_, number_of(registration));
    number = ++last_handle_;
  }
  if (owner == nullptr) return STATUS_INVALID_HANDLE;
  auto text = text_of(name);
  if (!text) return STATUS_INVALID_PARAMETER;
  const NTSTATUS status = owner->create_instance(number, *std::move(text), data);
  if (NT_SUCCESS(status)) handle = handle_of<PPCW_INSTANCE>(number);
  return status;
}

void Kernel::close_instance(PPCW_INSTANCE handle) {
  for (const auto& registration : all()) registration->close_instance(number_of(handle));
}

NTSTATUS Kernel::add_instance(PPCW_BUFFER buffer, PCUNICODE_STRING name, std::uint32_t id,
                              std::span<const PCW_DATA> data) {
  std::shared_ptr<Buffer> open;
  {
    const std::lock_guard lock(mutex_);
    open = find_in(buffers_, number_of(buffer));
  }
  auto text = text_of(name);
  if (open == nullptr || !text) return STATUS_INVALID_PARAMETER;
  return open->add(*std::move(text), id, data);
}

std::vector<std::shared_ptr<Registration>> Kernel::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Registration>> found;
  for (const auto& [handle, registration] : registrations_) found.push_back(registration);
  return found;
}

std::vector<std::shared_ptr<Registration>> Kernel::named(const std::u16string& name) const {
  auto found = all();
  std::erase_if(found, [&name](const auto& registration) { return registration->name() != name; });
  return found;
}

std::map<std::uint32_t, std::uint32_t> Kernel::counters(const std::u16string& name) const {
  std::map<std::uint32_t, std::uint32_t> sizes;
  for (const auto& registration : named(name))
    for (const PCW_COUNTER_DESCRIPTOR& counter : registration->counters())
      sizes[counter.Id] = counter.Size;
  return sizes;
}

std::vector<Instance> Kernel::called_back(const std::shared_ptr<Registration>& registration,
                                          PCW_CALLBACK_TYPE type, PCW_MASK_INFORMATION mask) {
  const auto buffer = std::make_shared<Buffer>(registration, type == PcwCallbackCollectData);
  {
    const std::lock_guard lock(mutex_);
    mask.Buffer = handle_of<PPCW_BUFFER>(++last_handle_);
    buffers_[last_handle_] = buffer;
  }
  PCW_CALLBACK_INFORMATION info{};
  info.CollectData = mask;
  registration->call(type, info);
  {
    const std::lock_guard lock(mutex_);
    buffers_.erase(number_of(mask.Buffer));
  }
  return buffer->take();
}

std::vector<Instance> Kernel::added(const std::u16string& name, const Mask& mask,
                                    PCW_CALLBACK_TYPE type) {
  const UNICODE_STRING instance_mask = unicode(mask.instance_mask);
  const PCW_MASK_INFORMATION wanted{
      .CounterMask = mask.counter_mask,
      .InstanceMask = &instance_mask,
      .InstanceId = mask.instance_id,
      .CollectMultiple = mask.collect_multiple ? BOOLEAN{TRUE} : BOOLEAN{FALSE},
      .Buffer = nullptr,
      .CancelEvent = nullptr};
  std::vector<Instance> found;
  for (const auto& registration : named(name)) {
    std::ranges::move(called_back(registration, type, wanted), std::back_inserter(found));
    std::ranges::move(registration->instances(type == PcwCallbackCollectData),
                      std::back_inserter(found));
  }
  return found;
}

std::vector<Instance> Kernel::ask(const std::u16string& name, const Mask& mask,
                                  PCW_CALLBACK_TYPE type) {
  std::vector<Instance> found = added(name, mask, type);
  // A provider may ignore the filters.
  std::erase_if(found, [&mask](const Instance& instance) {
    if (mask.instance_id != PCW_ANY_INSTANCE_ID && instance.id != mask.instance_id) return true;
    return mask.collect_multiple && !matches_wildcard(mask.instance_mask, instance.name);
  });
  return found;
}

std::vector<Instance> Kernel::enumerate(const std::u16string& name, const Mask& mask) {
  return ask(name, mask, PcwCallbackEnumerateInstances);
}

std::vector<Instance> Kernel::collect(const std::u16string& name, const Mask& mask) {
  return ask(name, mask, PcwCallbackCollectData);
}

std::vector<Instance> Kernel::added(const std::u16string& name, const Mask& mask) {
  return added(name, mask, PcwCallbackCollectData);
}

void Kernel::notify(const std::u16string& name, const Mask& mask, PCW_CALLBACK_TYPE type) {
  const UNICODE_STRING instance_mask = unicode(mask.instance_mask);
  for (const auto& registration : named(name)) {
    PCW_CALLBACK_INFORMATION info{};
    info.AddCounter = {.CounterMask = mask.counter_mask, .InstanceMask = &instance_mask};
    registration->call(type, info);
  }
}

void Kernel::add_counter(const std::u16string& name, const Mask& mask) {
  notify(name, mask, PcwCallbackAddCounter);
}

void Kernel::remove_counter(const std::u16string& name, const Mask& mask) {
  notify(name, mask, PcwCallbackRemoveCounter);
}

}  // namespace winperf::simulator::pcw

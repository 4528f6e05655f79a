// The functions of wdm.h, as drivers call them.
#include <wdm.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>

#include "tests/simulator/pcw/kernel.h"

using winperf::simulator::pcw::Kernel;

namespace {

// The longest that a UNICODE_STRING can be beside its NUL.
constexpr std::size_t kMostBytes = 0xFFFC;

std::span<const PCW_DATA> blocks(PPCW_DATA data, ULONG count) {
  return data == nullptr ? std::span<const PCW_DATA>() : std::span<const PCW_DATA>(data, count);
}

LONG added(LONG volatile* addend, LONG change) {
  return std::atomic_ref(*const_cast<LONG*>(addend)).fetch_add(change) + change;
}

}  // namespace

extern "C" {

NTSTATUS NTAPI PcwRegister(PPCW_REGISTRATION* Registration, PPCW_REGISTRATION_INFORMATION Info) {
  return Kernel::instance().add_registration(*Info, *Registration);
}

VOID NTAPI PcwUnregister(PPCW_REGISTRATION Registration) {
  Kernel::instance().remove_registration(Registration);
}

NTSTATUS NTAPI PcwCreateInstance(PPCW_INSTANCE* Instance, PPCW_REGISTRATION Registration,
                                 PCUNICODE_STRING Name, ULONG Count, PPCW_DATA Data) {
  return Kernel::instance().create_instance(Registration, Name, blocks(Data, Count), *Instance);
}

VOID NTAPI PcwCloseInstance(PPCW_INSTANCE Instance) { Kernel::instance().close_instance(Instance); }

NTSTATUS NTAPI PcwAddInstance(PPCW_BUFFER Buffer, PCUNICODE_STRING Name, ULONG Id, ULONG Count,
                              PPCW_DATA Data) {
  return Kernel::instance().add_instance(Buffer, Name, Id, blocks(Data, Count));
}

VOID NTAPI RtlInitUnicodeString(PUNICODE_STRING DestinationString, PCWSTR SourceString) {
  *DestinationString = {};
  if (SourceString == nullptr) return;
  const std::size_t bytes = 2 * std::u16string_view(SourceString).size();
  DestinationString->Length = static_cast<USHORT>(std::min(bytes, kMostBytes));
  DestinationString->MaximumLength = static_cast<USHORT>(DestinationString->Length + 2);
  DestinationString->Buffer = const_cast<WCHAR*>(SourceString);
}

VOID NTAPI KeQuerySystemTime(PLARGE_INTEGER CurrentTime) {
  CurrentTime->QuadPart = Kernel::instance().system_time();
}

LONG InterlockedIncrement(LONG volatile* Addend) { return added(Addend, 1); }
LONG InterlockedDecrement(LONG volatile* Addend) { return added(Addend, -1); }

}  // extern "C"

/* A kernel driver with a counterset: three waves whose values depend on the time of day. It is
 * written as a driver for Windows. README.md describes how it is compiled. */
#include <wdm.h>

#include "kcs_counters.h"

DRIVER_INITIALIZE DriverEntry;
DRIVER_UNLOAD KcsUnload;
PCW_CALLBACK KcsCallback;

typedef struct _KCS_WAVE {
  UNICODE_STRING Name;
  ULONG Id;
  ULONG Minimum;
  ULONG Amplitude;
} KCS_WAVE;

static KCS_WAVE KcsWaves[] = {
    {RTL_CONSTANT_STRING(L"Small Wave"), 0, 40, 20},
    {RTL_CONSTANT_STRING(L"Medium Wave"), 1, 30, 40},
    {RTL_CONSTANT_STRING(L"Large Wave"), 2, 20, 60},
};

/* The number of consumers' filters. An expensive provider would measure only if there are any. */
volatile LONG KcsFilters = 0;

/* One period is ten seconds. The square wave is high in the first half; the triangle wave falls,
 * then rises. */
static VOID KcsComputeValues(const KCS_WAVE* Wave, LONG Second, ULONG64 CounterMask,
                             GEOMETRIC_WAVE_VALUES* Values) {
  const LONG Distance = Second < 5 ? 5 - Second : Second - 5;

  RtlZeroMemory(Values, sizeof *Values);
  if (CounterMask & (1ull << KCS_TRIANGLE_WAVE))
    Values->Triangle = Wave->Minimum + Wave->Amplitude * (ULONG)Distance / 5;
  if (CounterMask & (1ull << KCS_SQUARE_WAVE))
    Values->Square = Wave->Minimum + (Second < 5 ? Wave->Amplitude : 0);
}

static NTSTATUS KcsReport(const PCW_MASK_INFORMATION* Mask, BOOLEAN Collecting) {
  GEOMETRIC_WAVE_VALUES Values;
  LARGE_INTEGER Time;
  NTSTATUS Status;
  LONG Second;
  ULONG Index;

  /* Read once, so that all waves of a sample have the same time. */
  KeQuerySystemTime(&Time);
  Second = (LONG)((Time.QuadPart / 10000000) % 10);
  for (Index = 0; Index < RTL_NUMBER_OF(KcsWaves); ++Index) {
    const KCS_WAVE* Wave = &KcsWaves[Index];
    if (Mask->InstanceId != PCW_ANY_INSTANCE_ID && Mask->InstanceId != Wave->Id) continue;
    if (Collecting) KcsComputeValues(Wave, Second, Mask->CounterMask, &Values);
    Status = KcsAddGeometricWave(Mask->Buffer, &Wave->Name, Wave->Id, Collecting ? &Values : NULL);
    if (!NT_SUCCESS(Status)) return Status;
  }
  return STATUS_SUCCESS;
}

NTSTATUS NTAPI KcsCallback(PCW_CALLBACK_TYPE Type, PPCW_CALLBACK_INFORMATION Info, PVOID Context) {
  UNREFERENCED_PARAMETER(Context);
  PAGED_CODE();
  switch (Type) {
    case PcwCallbackAddCounter:
      InterlockedIncrement(&KcsFilters);
      return STATUS_SUCCESS;
    case PcwCallbackRemoveCounter:
      InterlockedDecrement(&KcsFilters);
      return STATUS_SUCCESS;
    case PcwCallbackEnumerateInstances:
      return KcsReport(&Info->EnumerateInstances, FALSE);
    case PcwCallbackCollectData:
      return KcsReport(&Info->CollectData, TRUE);
  }
  return STATUS_SUCCESS;
}

VOID NTAPI KcsUnload(PDRIVER_OBJECT DriverObject) {
  UNREFERENCED_PARAMETER(DriverObject);
  PAGED_CODE();
  KcsUnregisterGeometricWave();
}

NTSTATUS NTAPI DriverEntry(PDRIVER_OBJECT DriverObject, PUNICODE_STRING RegistryPath) {
  UNREFERENCED_PARAMETER(RegistryPath);
  DriverObject->DriverUnload = KcsUnload;
  return KcsRegisterGeometricWave(KcsCallback, NULL);
}

#include "kcs_counters.h"

static PPCW_REGISTRATION KcsGeometricWave = NULL;

NTSTATUS KcsRegisterGeometricWave(PPCW_CALLBACK Callback, PVOID Context) {
  UNICODE_STRING Name = RTL_CONSTANT_STRING(L"Geometric Waves");
  PCW_COUNTER_DESCRIPTOR Counters[] = {
      {KCS_TRIANGLE_WAVE, 0, (USHORT)FIELD_OFFSET(GEOMETRIC_WAVE_VALUES, Triangle),
       (USHORT)RTL_FIELD_SIZE(GEOMETRIC_WAVE_VALUES, Triangle)},
      {KCS_SQUARE_WAVE, 0, (USHORT)FIELD_OFFSET(GEOMETRIC_WAVE_VALUES, Square),
       (USHORT)RTL_FIELD_SIZE(GEOMETRIC_WAVE_VALUES, Square)},
  };
  PCW_REGISTRATION_INFORMATION Info;

  PAGED_CODE();
  RtlZeroMemory(&Info, sizeof Info);
  Info.Version = PCW_CURRENT_VERSION;
  Info.Name = &Name;
  Info.CounterCount = (ULONG)RTL_NUMBER_OF(Counters);
  Info.Counters = Counters;
  Info.Callback = Callback;
  Info.CallbackContext = Context;
  return PcwRegister(&KcsGeometricWave, &Info);
}

VOID KcsUnregisterGeometricWave(VOID) {
  PAGED_CODE();
  if (KcsGeometricWave == NULL) return;
  PcwUnregister(KcsGeometricWave);
  KcsGeometricWave = NULL;
}

NTSTATUS KcsAddGeometricWave(PPCW_BUFFER Buffer, PCUNICODE_STRING Name, ULONG Id,
                             const GEOMETRIC_WAVE_VALUES* Values) {
  PCW_DATA Data;

  PAGED_CODE();
  Data.Data = Values;
  Data.Size = sizeof *Values;
  return PcwAddInstance(Buffer, Name, Id, Values == NULL ? 0 : 1, Values == NULL ? NULL : &Data);
}

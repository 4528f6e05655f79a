/* What a tool would generate from kcs.man: functions that register the counterset "Geometric Waves"
 * and add instances. */
#pragma once

#include <wdm.h>

typedef struct _GEOMETRIC_WAVE_VALUES {
  ULONG Triangle;
  ULONG Square;
} GEOMETRIC_WAVE_VALUES, *PGEOMETRIC_WAVE_VALUES;

enum { KCS_TRIANGLE_WAVE = 1, KCS_SQUARE_WAVE = 2 };

NTSTATUS KcsRegisterGeometricWave(PPCW_CALLBACK Callback, PVOID Context);
VOID KcsUnregisterGeometricWave(VOID);
/* Values may be NULL for an enumeration of instances. */
NTSTATUS KcsAddGeometricWave(PPCW_BUFFER Buffer, PCUNICODE_STRING Name, ULONG Id,
                             const GEOMETRIC_WAVE_VALUES* Values);

/* The kernel's interface for counter providers: the part of the DDK's wdm.h that begins with Pcw.
 * Needs the basic types of wdm.h. Used by the simulator's wdm.h, and by drivers that are built with
 * mingw-w64, whose wdm.h ends before it. Source: Learn, "Kernel-Mode Performance Monitoring". */
#pragma once

#define PCW_VERSION_1 0x0100
#define PCW_VERSION_2 0x0200 /* from Windows 10.0.19645: with Flags */
#define PCW_CURRENT_VERSION PCW_VERSION_1
#define PCW_ANY_INSTANCE_ID 0xFFFFFFFFu

typedef struct _PCW_INSTANCE* PPCW_INSTANCE;
typedef struct _PCW_REGISTRATION* PPCW_REGISTRATION;
typedef struct _PCW_BUFFER* PPCW_BUFFER;

typedef struct _PCW_COUNTER_INFORMATION {
  ULONG64 CounterMask;
  PCUNICODE_STRING InstanceMask;
} PCW_COUNTER_INFORMATION, *PPCW_COUNTER_INFORMATION;

typedef struct _PCW_MASK_INFORMATION {
  ULONG64 CounterMask; /* bit n: the counter with the id n is wanted */
  PCUNICODE_STRING InstanceMask;
  ULONG InstanceId;
  BOOLEAN CollectMultiple;
  PPCW_BUFFER Buffer;
  PKEVENT CancelEvent;
} PCW_MASK_INFORMATION, *PPCW_MASK_INFORMATION;

typedef union _PCW_CALLBACK_INFORMATION {
  PCW_COUNTER_INFORMATION AddCounter;
  PCW_COUNTER_INFORMATION RemoveCounter;
  PCW_MASK_INFORMATION EnumerateInstances;
  PCW_MASK_INFORMATION CollectData;
} PCW_CALLBACK_INFORMATION, *PPCW_CALLBACK_INFORMATION;

typedef enum _PCW_CALLBACK_TYPE {
  PcwCallbackAddCounter = 0,
  PcwCallbackRemoveCounter,
  PcwCallbackEnumerateInstances,
  PcwCallbackCollectData
} PCW_CALLBACK_TYPE;

typedef NTSTATUS(NTAPI PCW_CALLBACK)(PCW_CALLBACK_TYPE Type, PPCW_CALLBACK_INFORMATION Info,
                                     PVOID Context);
typedef PCW_CALLBACK* PPCW_CALLBACK;

typedef struct _PCW_COUNTER_DESCRIPTOR {
  USHORT Id;
  USHORT StructIndex; /* of the PCW_DATA that it is in */
  USHORT Offset;
  USHORT Size; /* 4 or 8 */
} PCW_COUNTER_DESCRIPTOR, *PPCW_COUNTER_DESCRIPTOR;

typedef struct _PCW_DATA {
  const VOID* Data;
  ULONG Size;
} PCW_DATA, *PPCW_DATA;

typedef enum _PCW_REGISTRATION_FLAGS {
  PcwRegistrationNone = 0,
  PcwRegistrationSiloNeutral = 1 /* visible in all silos, not in the one alone that registered it */
} PCW_REGISTRATION_FLAGS;

typedef struct _PCW_REGISTRATION_INFORMATION {
  ULONG Version;
  PCUNICODE_STRING Name;
  ULONG CounterCount;
  PPCW_COUNTER_DESCRIPTOR Counters;
  PPCW_CALLBACK Callback;
  PVOID CallbackContext;
  PCW_REGISTRATION_FLAGS Flags; /* read if Version is PCW_VERSION_2 */
} PCW_REGISTRATION_INFORMATION, *PPCW_REGISTRATION_INFORMATION;

#ifdef __cplusplus
extern "C" {
#endif

NTSTATUS NTAPI PcwRegister(PPCW_REGISTRATION* Registration, PPCW_REGISTRATION_INFORMATION Info);
VOID NTAPI PcwUnregister(PPCW_REGISTRATION Registration);
NTSTATUS NTAPI PcwCreateInstance(PPCW_INSTANCE* Instance, PPCW_REGISTRATION Registration,
                                 PCUNICODE_STRING Name, ULONG Count, PPCW_DATA Data);
VOID NTAPI PcwCloseInstance(PPCW_INSTANCE Instance);
NTSTATUS NTAPI PcwAddInstance(PPCW_BUFFER Buffer, PCUNICODE_STRING Name, ULONG Id, ULONG Count,
                              PPCW_DATA Data);

#ifdef __cplusplus
}
#endif

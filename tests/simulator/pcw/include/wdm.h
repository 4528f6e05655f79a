/* What a counter driver needs of the DDK's wdm.h, on the simulated kernel: the driver's source is
 * compiled unchanged. WCHAR is a unit of UTF-16; where wchar_t is wider, the driver is compiled
 * with -fshort-wchar. Source: Learn, "Windows Driver Kit". */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
typedef char16_t WCHAR;
#else
typedef wchar_t WCHAR;
#endif
typedef void VOID, *PVOID;
typedef uint8_t BOOLEAN, UCHAR;
typedef uint16_t USHORT;
typedef uint32_t ULONG;
typedef int32_t LONG, NTSTATUS;
typedef int64_t LONGLONG;
typedef uint64_t ULONG64;
typedef const WCHAR* PCWSTR;

#define NTAPI
#define TRUE 1
#define FALSE 0

#define STATUS_SUCCESS ((NTSTATUS)0x00000000)
#define STATUS_UNSUCCESSFUL ((NTSTATUS)0xC0000001)
#define STATUS_INVALID_HANDLE ((NTSTATUS)0xC0000008)
#define STATUS_INVALID_PARAMETER ((NTSTATUS)0xC000000D)
#define STATUS_NO_MEMORY ((NTSTATUS)0xC0000017)
#define STATUS_INTEGER_OVERFLOW ((NTSTATUS)0xC0000095)
#define STATUS_INVALID_PARAMETER_2 ((NTSTATUS)0xC00000F0)
#define STATUS_INVALID_PARAMETER_4 ((NTSTATUS)0xC00000F2)
#define STATUS_IMAGE_ALREADY_LOADED ((NTSTATUS)0xC000010E)
#define STATUS_INVALID_BUFFER_SIZE ((NTSTATUS)0xC0000206)
#define NT_SUCCESS(status) ((NTSTATUS)(status) >= 0)

typedef union _LARGE_INTEGER {
  LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef struct _UNICODE_STRING {
  USHORT Length;        /* in bytes, without the NUL */
  USHORT MaximumLength; /* in bytes */
  WCHAR* Buffer;
} UNICODE_STRING, *PUNICODE_STRING;
typedef const UNICODE_STRING* PCUNICODE_STRING;

typedef struct _KEVENT* PKEVENT;

struct _DRIVER_OBJECT;
typedef VOID(NTAPI DRIVER_UNLOAD)(struct _DRIVER_OBJECT* DriverObject);
typedef struct _DRIVER_OBJECT {
  DRIVER_UNLOAD* DriverUnload;
} DRIVER_OBJECT, *PDRIVER_OBJECT;
typedef NTSTATUS(NTAPI DRIVER_INITIALIZE)(PDRIVER_OBJECT DriverObject,
                                          PUNICODE_STRING RegistryPath);

#define PAGED_CODE() ((void)0)
#define UNREFERENCED_PARAMETER(parameter) ((void)(parameter))
#define FIELD_OFFSET(type, field) ((LONG)offsetof(type, field))
#define RTL_FIELD_SIZE(type, field) (sizeof(((type*)0)->field))
#define RTL_NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))
#define RTL_CONSTANT_STRING(text) {sizeof(text) - sizeof((text)[0]), sizeof(text), (WCHAR*)(text)}
#define RtlZeroMemory(destination, length) memset((destination), 0, (length))

#ifdef __cplusplus
extern "C" {
#endif

VOID NTAPI RtlInitUnicodeString(PUNICODE_STRING DestinationString, PCWSTR SourceString);
VOID NTAPI KeQuerySystemTime(PLARGE_INTEGER CurrentTime);
LONG InterlockedIncrement(LONG volatile* Addend);
LONG InterlockedDecrement(LONG volatile* Addend);

#ifdef __cplusplus
}
#endif

#include "pcw.h"

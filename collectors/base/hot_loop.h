// What hot loops ask of compilers.
//
//   WINPERF_ALWAYS_INLINE inline double half(double number);
//     is inlined even where they would call it.
//   WINPERF_UNROLL for (...)
//     does several of its short turns at a time.
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define WINPERF_ALWAYS_INLINE [[gnu::always_inline]]
#define WINPERF_UNROLL _Pragma("GCC unroll 4")
#else
#define WINPERF_ALWAYS_INLINE [[msvc::forceinline]]
#define WINPERF_UNROLL
#endif

// What hot loops ask of compilers.
//
//   WINPERF_ALWAYS_INLINE inline double half(double number);  // which they would call, as others
//   do WINPERF_UNROLL for (...) ...                              // whose turns are very short
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define WINPERF_ALWAYS_INLINE [[gnu::always_inline]]
#define WINPERF_UNROLL _Pragma("GCC unroll 4")
#else
#define WINPERF_ALWAYS_INLINE [[msvc::forceinline]]
#define WINPERF_UNROLL
#endif

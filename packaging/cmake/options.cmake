# Options, and the two interface targets that every target of the project links.
option(WINPERF_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(WINPERF_WERROR "Treat warnings as errors" OFF)
set(WINPERF_SANITIZER "" CACHE STRING "Sanitizers to build with: empty, 'address,undefined' or 'thread'")
option(WINPERF_LIBFUZZER "Build the fuzz targets with libFuzzer (clang only)" OFF)

add_library(winperf_options INTERFACE)
target_compile_features(winperf_options INTERFACE cxx_std_23)
target_include_directories(winperf_options INTERFACE "${PROJECT_SOURCE_DIR}")
if(MSVC)
  target_compile_options(winperf_options INTERFACE /W4 /permissive- /utf-8 /Zc:__cplusplus /EHsc
    $<$<BOOL:${WINPERF_WERROR}>:/WX>)
  # Calls and returns go where the compiler meant them to: control flow guard, and the processor's shadow stack.
  target_compile_options(winperf_options INTERFACE /guard:cf)
  target_link_options(winperf_options INTERFACE /guard:cf)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "AMD64|x86_64")
    target_link_options(winperf_options INTERFACE /CETCOMPAT)
  endif()
else()
  target_compile_options(winperf_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    $<$<BOOL:${WINPERF_WERROR}>:-Werror>)
  # A return address that was written over ends the program; /GS, which is MSVC's own default. For Windows, GNU's linker
  # randomises addresses and forbids to execute data by itself, and knows neither control flow guard nor CETCOMPAT.
  target_compile_options(winperf_options INTERFACE -fstack-protector-strong)
  target_link_options(winperf_options INTERFACE -fstack-protector-strong)
  # GCC 12 sees overlaps in its own std::string (its bug 105651), and uninitialised members in its own
  # std::expected when one is moved.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(winperf_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
  endif()
endif()
if(WINPERF_SANITIZER)
  target_compile_options(winperf_options INTERFACE -fsanitize=${WINPERF_SANITIZER}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(winperf_options INTERFACE -fsanitize=${WINPERF_SANITIZER})
  # GCC sees uninitialised members in its own <regex> and <functional> as soon as it instruments them.
  target_compile_options(winperf_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
# Everything, for libFuzzer to see which branches of the parsers an input takes.
if(WINPERF_LIBFUZZER)
  target_compile_options(winperf_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(winperf_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# For the targets under win/ only.
add_library(winperf_win_options INTERFACE)
target_link_libraries(winperf_win_options INTERFACE winperf_options)
target_compile_definitions(winperf_win_options INTERFACE
  WIN32_LEAN_AND_MEAN NOMINMAX UNICODE _UNICODE _WIN32_WINNT=0x0A00)

# winperf_room(<room> [OBJECTS] SOURCES ... DEPENDS ...): the static library of one room, with an alias. OBJECTS: what
# links it gets all of it, at any place in the line; for what only executables link.
function(winperf_room room)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "OBJECTS" "" "SOURCES;DEPENDS")
  set(type STATIC)
  if(ROOM_OBJECTS)
    set(type OBJECT)
  endif()
  add_library(winperf_${room} ${type} ${ROOM_SOURCES})
  add_library(winperf::${room} ALIAS winperf_${room})
  target_link_libraries(winperf_${room} PUBLIC winperf_options ${ROOM_DEPENDS})
endfunction()

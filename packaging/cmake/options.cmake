# The build options, and the interface targets with the compiler flags of all targets.
option(WINPERF_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(WINPERF_WERROR "Treat warnings as errors" OFF)
set(WINPERF_SANITIZER "" CACHE STRING "Sanitizers to build with: empty, 'address,undefined' or 'thread'")
option(WINPERF_PAGE "Have the page for browsers at \"/\"; otherwise there is a list of links" ON)
set(WINPERF_PAGE_PACKAGES "" CACHE PATH
  "npm's packages of exporter/page; without them, the page has no charts and loads slowly (docs/building.md)")
option(WINPERF_UNITY "Compile the sources of a room, and those of a test, a few at a time, which takes half as long" OFF)
option(WINPERF_LIBFUZZER "Build the fuzz targets with libFuzzer (clang only)" OFF)

add_library(winperf_options INTERFACE)
target_compile_features(winperf_options INTERFACE cxx_std_23)
target_include_directories(winperf_options INTERFACE "${PROJECT_SOURCE_DIR}")
if(MSVC)
  # Without /bigobj, an object file has at most 65,279 sections, and each function that is inline or of a template is one.
  target_compile_options(winperf_options INTERFACE /W4 /permissive- /utf-8 /Zc:__cplusplus /EHsc /bigobj
    $<$<BOOL:${WINPERF_WERROR}>:/WX>)
  # Compiles as many sources of a target at once as there are processors, which MSBuild doesn't do by itself and Ninja does.
  if(CMAKE_GENERATOR MATCHES "Visual Studio")
    target_compile_options(winperf_options INTERFACE /MP)
  endif()
  # Control Flow Guard checks indirect calls, and the processor's shadow stack (CET) checks returns. The DLLs of providers need
  # neither: a call into a DLL without Control Flow Guard is always allowed, and a process whose DLLs don't all know shadow stacks
  # checks only the returns of those that do.
  target_compile_options(winperf_options INTERFACE /guard:cf)
  target_link_options(winperf_options INTERFACE /guard:cf)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "AMD64|x86_64")
    target_link_options(winperf_options INTERFACE /CETCOMPAT)
  endif()
else()
  target_compile_options(winperf_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion
    $<$<BOOL:${WINPERF_WERROR}>:-Werror>)
  # Where sources are compiled together, what a local name hides at namespace scope may be of another source. Clang can't tell.
  if(NOT WINPERF_UNITY)
    target_compile_options(winperf_options INTERFACE -Wshadow)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A type of a source that has members of its anonymous namespace isn't one of a header.
    target_compile_options(winperf_options INTERFACE -Wshadow=local $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
  # An overwritten return address ends the program, as with /GS, which is MSVC's default. For Windows, GNU's linker enables
  # address randomisation and data execution prevention by default, and supports neither Control Flow Guard nor CET.
  target_compile_options(winperf_options INTERFACE -fstack-protector-strong)
  target_link_options(winperf_options INTERFACE -fstack-protector-strong)
  # Wine maps the parts of an executable that begin at a page of the file, so that all processes share them; it copies all others
  # into each process. GNU's linker aligns them to 512 bytes.
  if(MINGW)
    target_link_options(winperf_options INTERFACE -Wl,--file-alignment,4096)
  endif()
  # GCC collects its garbage whenever its memory has doubled. Groups of sources take up to 1.5 GB instead of 1.1, and a tenth to a
  # fifth less time, if it doesn't begin before 1 GB.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(winperf_options INTERFACE "SHELL:--param ggc-min-heapsize=1000000")
  endif()
  # GCC 12 wrongly reports overlaps in its own std::string (GCC bug 105651), and uninitialised members when its own
  # std::expected is moved.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(winperf_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
  endif()
  # In C++23, GCC 12's library for Windows has std::type_info's comparison both in a header and as a symbol of its own, which clash
  # where it isn't inlined (GCC bug 110572). The builds for Linux, and MSVC for sources under win/, find other symbols that are
  # defined twice.
  if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_link_options(winperf_options INTERFACE -Wl,--allow-multiple-definition)
  endif()
  # With the library of GCC 12, clang reports a deprecated function inside of std::stable_sort, whoever calls it. What is
  # deprecated elsewhere is reported by GCC.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(winperf_options INTERFACE -Wno-deprecated-declarations)
  endif()
endif()
if(WINPERF_SANITIZER)
  target_compile_options(winperf_options INTERFACE -fsanitize=${WINPERF_SANITIZER}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # AddressSanitizer finds accesses through null and outside an object too, and no class is cast to one derived from it. These
  # checks would take a tenth of the time to compile.
  if(WINPERF_SANITIZER MATCHES undefined)
    target_compile_options(winperf_options INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
  target_link_options(winperf_options INTERFACE -fsanitize=${WINPERF_SANITIZER})
  # At a fixed address, an executable with AddressSanitizer starts in half the time. Tests start thousands of processes.
  if(WINPERF_SANITIZER MATCHES address AND NOT WINPERF_LIBFUZZER)
    target_link_options(winperf_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
  # GCC wrongly reports uninitialised members in its own <regex> and <functional> when it instruments them.
  target_compile_options(winperf_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
# Instruments everything, so that libFuzzer sees which branches of the parsers an input takes.
if(WINPERF_LIBFUZZER)
  target_compile_options(winperf_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(winperf_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# For targets under win/ only.
add_library(winperf_win_options INTERFACE)
target_link_libraries(winperf_win_options INTERFACE winperf_options)
target_compile_definitions(winperf_win_options INTERFACE
  WIN32_LEAN_AND_MEAN NOMINMAX UNICODE _UNICODE _WIN32_WINNT=0x0A00)

# A release is -O3 only where each value of each sample or page passes, small (-Os) where something is done once or for a person to
# read, which makes the executable a tenth smaller, and -O2 elsewhere. With AddressSanitizer, the hot rooms are -O1, and those whose
# tests are long: the tests save more time than that takes to compile. The others aren't optimised at all. With ThreadSanitizer all
# are -O1: what isn't inlined, such as a function of std::shared_ptr, may be linked from a library, which has no sanitizer, and then
# what it synchronises is reported as a race.
set(winperf_hot_rooms base model match wire formula sampling recorder mapping deflate text json)
set(winperf_cold_rooms api auth capture catalog commands config console diagnosis discovery doctor fact_readers fact_source facts log
  own_counters page pdh pdh_api perflib_library plan profiles provider provider_machine run scm selftest targets tls)
set(winperf_rooms_with_long_tests blg pdh textfile)

function(winperf_optimise target room)
  set(release -O2)
  set(sanitized -O0)
  if(room IN_LIST winperf_hot_rooms)
    set(release -O3)
  elseif(room IN_LIST winperf_cold_rooms)
    set(release -Os)
  endif()
  if(room IN_LIST winperf_hot_rooms OR room IN_LIST winperf_rooms_with_long_tests OR WINPERF_SANITIZER MATCHES thread)
    set(sanitized -O1)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    if(WINPERF_SANITIZER)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:${sanitized}>)
    else()
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${release}>)
    endif()
  endif()
endfunction()

# winperf_room(<room> [OBJECTS] SOURCES ... DEPENDS ...): adds the static library of one room, and its alias winperf::<room>. With
# OBJECTS, it adds an object library, all of which is linked, wherever it stands in the link line. This is for rooms that only
# executables link.
function(winperf_room room)
  cmake_parse_arguments(PARSE_ARGV 1 ROOM "OBJECTS" "" "SOURCES;DEPENDS")
  set(type STATIC)
  if(ROOM_OBJECTS)
    set(type OBJECT)
  endif()
  add_library(winperf_${room} ${type} ${ROOM_SOURCES})
  add_library(winperf::${room} ALIAS winperf_${room})
  target_link_libraries(winperf_${room} PUBLIC winperf_options ${ROOM_DEPENDS})
  winperf_optimise(winperf_${room} ${room})
  winperf_compile_together(winperf_${room})
endfunction()

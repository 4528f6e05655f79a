# winperf_delay_imports(<executable>): keeps Windows from loading DLLs that lie beside the executable before its first
# instruction. Windows looks there first for each DLL that an executable imports, except for those of its list of known DLLs
# (KERNEL32, ADVAPI32, WS2_32 and so on). With MSVC, the executable says that all its imports come from System32. GNU's linker
# can't say that, so the DLLs that are not on the list are loaded at the first call instead, from System32, as
# service/win/delayed_imports.cc asks. tests/e2e/imports_e2e_test.py has the list, and reads the executable's imports.
set(WINPERF_DELAYED_DLLS bcrypt iphlpapi netapi32 secur32 wtsapi32)

# Makes lib<name>.a, with the same functions as the compiler's own import library, for imports that are delayed.
function(winperf_add_delayed_library name folder)
  set(own "${folder}/lib${name}.a")
  if(EXISTS "${own}")
    return()
  endif()
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" "-print-file-name=lib${name}.a" OUTPUT_VARIABLE original
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_DLLTOOL}" --identify "${original}" OUTPUT_VARIABLE dll
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_NM}" -g "${original}" OUTPUT_VARIABLE symbols ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "__imp_[A-Za-z0-9_]+" names "${symbols}")
  list(REMOVE_DUPLICATES names)
  list(TRANSFORM names REPLACE "^__imp_" "  ")
  list(JOIN names "\n" names)
  file(WRITE "${folder}/${name}.def" "LIBRARY \"${dll}\"\nEXPORTS\n${names}\n")
  execute_process(COMMAND "${CMAKE_DLLTOOL}" --machine i386:x86-64 --input-def "${folder}/${name}.def" --output-delaylib "${own}"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(winperf_delay_imports executable)
  if(MSVC)
    target_link_options(${executable} PRIVATE /DEPENDENTLOADFLAG:0x800)  # LOAD_LIBRARY_SEARCH_SYSTEM32
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/generated/delayed_imports")
  foreach(name IN LISTS WINPERF_DELAYED_DLLS)
    winperf_add_delayed_library(${name} "${folder}")
  endforeach()
  # The linker finds these before the compiler's own, for libraries of others, too.
  target_link_directories(${executable} BEFORE PRIVATE "${folder}")
  target_sources(${executable} PRIVATE win/delayed_imports.cc)
  target_link_libraries(${executable} PRIVATE winperf_win_options)
endfunction()

# winperf_compile_together(<target>): with WINPERF_UNITY, compiles the sources of the target 16 at a time. That takes less than half
# the time, because most of it goes into headers and templates that they have in common. So no two sources of a room, and no two
# of a test, declare the same name at namespace scope, anonymous or not (docs/adr/0022-sources-compiled-together.md).
#
# What a room has in win/ is apart from its neutral sources, whose names the macros of windows.h would change. Compiled alone: what is
# generated, whether it is there already or not, so that the groups stay the same.
function(winperf_compile_together target)
  if(WINPERF_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # At the end of the folder's CMakeLists.txt: until there, it may add sources.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL winperf_group_sources ${target})")
  endif()
endfunction()

function(winperf_group_sources target)
  set(most 16)
  set(neutral 0)
  set(win 0)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE)
    string(FIND "${path}" "${PROJECT_BINARY_DIR}/" generated)
    if(NOT source MATCHES "\\.cc$" OR generated EQUAL 0)
      continue()
    endif()
    set(kind neutral)
    if(source MATCHES "(^|/)win/")
      set(kind win)
    endif()
    math(EXPR group "${${kind}} / ${most}")
    math(EXPR ${kind} "${${kind}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${kind}_${group})
  endforeach()
endfunction()

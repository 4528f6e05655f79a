# With ccache, what a source compiled to is kept for the next time, whichever preset, branch or checkout asks for it: paths below
# the checkout are relative for it, and the folder of a compilation is no part of what it looks up. Not with MSVC, which old versions of
# ccache don't know, such as the one that Strawberry Perl puts into PATH.
find_program(WINPERF_CCACHE ccache DOC "Keeps what sources compiled to; empty to compile everything anew")
if(WINPERF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND NOT MSVC)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
    "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=true CCACHE_SLOPPINESS=pch_defines,time_macros "${WINPERF_CCACHE}")
endif()

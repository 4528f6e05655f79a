/* The symbols of sysperf.ini, in the form that lodctr reads: only #define lines with even offsets,
   starting at 0. The index of a symbol's name is First Counter + offset, and that of its help text
   is First Help + offset. Counters with the same name in two objects share one symbol, as those of
   Windows share one index. */
#define SYSPERF_SYSTEM 0
#define SYSPERF_SYSTEM_UP_TIME 2
#define SYSPERF_PROCESSES 4
#define SYSPERF_THREADS 6
#define SYSPERF_PROCESSOR 8
#define SYSPERF_PROCESSOR_TIME 10
#define SYSPERF_USER_TIME 12
#define SYSPERF_PRIVILEGED_TIME 14
#define SYSPERF_IDLE_TIME 16
#define SYSPERF_MEMORY 18
#define SYSPERF_AVAILABLE_BYTES 20
#define SYSPERF_COMMITTED_BYTES 22
#define SYSPERF_COMMIT_LIMIT 24
#define SYSPERF_COMMITTED_IN_USE 26
#define SYSPERF_AVAILABLE_KBYTES 28
#define SYSPERF_AVAILABLE_MBYTES 30
#define SYSPERF_PROCESS 32
#define SYSPERF_VIRTUAL_BYTES_PEAK 34
#define SYSPERF_VIRTUAL_BYTES 36
#define SYSPERF_WORKING_SET_PEAK 38
#define SYSPERF_WORKING_SET 40
#define SYSPERF_PAGE_FILE_BYTES 42
#define SYSPERF_PRIVATE_BYTES 44
#define SYSPERF_THREAD_COUNT 46
#define SYSPERF_ELAPSED_TIME 48
#define SYSPERF_ID_PROCESS 50
#define SYSPERF_CREATING_PROCESS_ID 52
#define SYSPERF_HANDLE_COUNT 54

#include "exporter/http/free_memory.h"

#include <malloc.h>

namespace winperf {

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace winperf

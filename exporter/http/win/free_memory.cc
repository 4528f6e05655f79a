#include "exporter/http/free_memory.h"

#include <malloc.h>

namespace winperf {

void return_free_memory() { (void)_heapmin(); }

}  // namespace winperf

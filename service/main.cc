#include "service/commands/command_line.h"

int main(int argc, char** argv) { return winperf::run_command_line(argc, argv); }

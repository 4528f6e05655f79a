// Stands in for libxcrypt's header of this name: what crypt-bcrypt.c needs of it.
#ifndef PORT_CRYPT_PORT_H
#define PORT_CRYPT_PORT_H

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "xcrypt_bcrypt.h"

// Each of its functions takes any kind of setting, so one is enough. It needs no salts from there.
#define INCLUDE_bcrypt 1
#define INCLUDE_bcrypt_a 0
#define INCLUDE_bcrypt_x 0
#define INCLUDE_bcrypt_y 0
#define crypt_bcrypt_rn xcrypt_bcrypt

#define CRYPT_OUTPUT_SIZE 384
#define ALG_SPECIFIC_SIZE kXcryptBcryptScratch
#define XCRYPT_USE_BIGENDIAN 0

#define ARG_UNUSED(argument) argument __attribute__((unused))

void gensalt_bcrypt_rn(unsigned long count, const uint8_t* random, size_t random_size,
                       uint8_t* output, size_t output_size);

#endif

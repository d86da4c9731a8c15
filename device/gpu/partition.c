#include "partition.h"

#include <assert.h>

unsigned partition_linear(uint32_t address, unsigned partitions) {
    assert(partitions >= 1 && partitions <= PARTITION_MOST);
    return address / PARTITION_STEP % partitions;
}

uint32_t partition_offset(uint32_t address, unsigned partitions) {
    return address / PARTITION_STEP / partitions * PARTITION_STEP + address % PARTITION_STEP;
}

unsigned partition_tiled(uint32_t address, unsigned partitions) {
    unsigned plain = partition_linear(address, partitions);
    unsigned round = address / PARTITION_STEP / partitions & 31;
    switch (partitions) {
    case 2:
    case 6: return plain ^ (unsigned)__builtin_parity(round);
    case 4: return (plain - (round + (round >> 2) + (round >> 4))) & 3;
    case 8: return (plain - (round + (round >> 3))) & 7;
    default: return plain;
    }
}

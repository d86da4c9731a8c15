#include "request.h"

unsigned request_split(unsigned bytes, unsigned alignment, struct request_word out[REQUEST_MOST]) {
    unsigned count = 0;
    for (unsigned at = 0; at < bytes;) {
        unsigned word = alignment < REQUEST_BYTES ? alignment : REQUEST_BYTES;
        while (at % word || word > bytes - at) word /= 2;
        out[count++] = (struct request_word){(uint8_t)at, (uint8_t)word};
        at += word;
    }
    return count;
}

unsigned request_split_load(unsigned bytes, unsigned alignment,
                            struct request_word out[REQUEST_MOST]) {
    unsigned padded = 1;
    while (padded < bytes) padded *= 2;
    if (padded <= REQUEST_BYTES && padded <= alignment) bytes = padded;
    return request_split(bytes, alignment, out);
}

/* Where the device would have a context's objects: by the order of the caller's calls alone. */
#include "runtime/buffer.h"
#include "runtime/context.h"
#include "runtime/devices.h"
#include "runtime/env.h"
#include "runtime/event.h"
#include "runtime/image.h"
#include "runtime/platform.h"
#include "runtime/queue.h"
#include "test.h"

#define GOOD(call) CHECK((call).code == CL_SUCCESS)

static cl_context context_of(cl_device_id *device) {
    static const void *dispatch[1];
    cl_context c = NULL;
    env_read();
    object_set_dispatch(dispatch);
    GOOD(device_ids(NULL, CL_DEVICE_TYPE_GPU, 1, device, NULL));
    GOOD(context_create(NULL, 1, device, NULL, NULL, &c));
    return c;
}

/* The caller's references to objects of memory: what is left is released at a test's end. */
static cl_mem owned[16];
static unsigned nowned;

static cl_mem own(cl_mem m) {
    CHECK(nowned < sizeof owned / sizeof *owned);
    return owned[nowned++] = m;
}

static cl_mem buffer(cl_context c, size_t bytes) {
    cl_mem m = NULL;
    GOOD(buffer_create(c, 0, bytes, NULL, &m));
    return own(m);
}

/* As an entry function does it, which holds its handles. */
#define RELEASE(call, object)                                                                      \
    do {                                                                                           \
        object_retain(object);                                                                     \
        GOOD(call(object));                                                                        \
        object_release(object);                                                                    \
    } while (0)

static void release(cl_mem m) {
    unsigned n = 0;
    while (owned[n] != m) n++;
    owned[n] = owned[--nowned];
    RELEASE(mem_release, m);
}

static void end(cl_context c) {
    while (nowned) release(owned[0]);
    RELEASE(context_release, c);
}

static void order(void) {
    cl_device_id device;
    cl_context c = context_of(&device);
    cl_mem a = buffer(c, 100), b = buffer(c, 1000), d = buffer(c, 1);
    CHECK(a->device_address == 0 && b->device_address == 256 && d->device_address == 1280);
    GOOD(mem_retain(own(b)));
    release(b);
    CHECK(buffer(c, 700)->device_address == 1536); /* b is still the caller's */
    release(b);
    CHECK(buffer(c, 700)->device_address == 256);
    release(a);
    CHECK(buffer(c, 257)->device_address == 2304 && buffer(c, 256)->device_address == 0);
    cl_mem too_large = NULL;
    CHECK(buffer_create(c, 0, (size_t)1 << 40, NULL, &too_large).code == CL_INVALID_BUFFER_SIZE);
    CHECK(buffer(c, 1)->device_address == 1024);
    end(c);
}

/* A buffer's place is taken until it and all its parts are released. */
static void parts(void) {
    cl_device_id device;
    cl_context c = context_of(&device);
    cl_mem whole = buffer(c, 4096), part = NULL, texels = NULL;
    cl_buffer_region region = {1024, 512};
    GOOD(buffer_create_sub(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &part));
    own(part);
    cl_image_format format = {CL_R, CL_FLOAT};
    cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 64, .buffer = part};
    GOOD(image_create(c, 0, &format, &desc, NULL, &texels));
    own(texels);
    CHECK(mem_root(part) == whole && mem_root(texels) == whole && mem_root(whole) == whole);
    release(whole);
    release(part);
    CHECK(buffer(c, 4)->device_address == 4096);
    release(texels);
    CHECK(buffer(c, 4)->device_address == 0);
    end(c);
}

/* Commands keep the bytes of an object that was released, not its place: when they end is left to
 * chance. */
static void in_flight(void) {
    cl_device_id device;
    cl_context c = context_of(&device);
    cl_command_queue q = NULL;
    cl_event gate = NULL;
    GOOD(queue_create(c, device, 0, &q));
    GOOD(event_create_user(c, &gate));
    cl_mem a = buffer(c, 1024);
    char bytes[1024] = {0};
    GOOD(buffer_write(q, a, CL_FALSE, 0, sizeof bytes, bytes, 1, &gate, NULL));
    object_retain(a);
    release(a);
    CHECK(!object_users(a) && memory_in_use(c->memory) == 1024);
    CHECK(buffer(c, 16)->device_address == 0);
    object_release(a);
    GOOD(event_set_status(gate, CL_COMPLETE));
    GOOD(queue_finish(q));
    CHECK(buffer(c, 16)->device_address == 256); /* given back once */
    RELEASE(event_release, gate);
    RELEASE(queue_release, q);
    end(c);
}

TEST_MAIN(TEST(order), TEST(parts), TEST(in_flight))

// Boost.Compute's algorithms against the standard library's.
#define BOOST_COMPUTE_USE_OFFLINE_CACHE 0
#include <algorithm>
#include <boost/compute.hpp>
#include <iostream>
#include <numeric>
#include <random>
namespace compute = boost::compute;
static int ran, wrong;
static void check(const char *what, bool right) {
    ran++;
    if (!right) wrong++, std::cout << what << " is wrong\n";
}
template <class T> static void all_of(compute::command_queue &q, const char *type, size_t n) {
    std::mt19937 random(7);
    std::vector<T> host(n), got(n);
    for (T &x : host) x = static_cast<T>(random() % 1000);
    compute::vector<T> device(host.begin(), host.end(), q);
    std::cout << type << " " << n << "\n";
    check("reduce", compute::accumulate(device.begin(), device.end(), T(0), q) ==
                        std::accumulate(host.begin(), host.end(), T(0)));
    check("max_element",
          size_t(compute::max_element(device.begin(), device.end(), q) - device.begin()) ==
              size_t(std::max_element(host.begin(), host.end()) - host.begin()));
    check("count", compute::count(device.begin(), device.end(), T(7), q) ==
                       size_t(std::count(host.begin(), host.end(), T(7))));
    compute::vector<T> out(n, q.get_context());
    compute::inclusive_scan(device.begin(), device.end(), out.begin(), q);
    compute::copy(out.begin(), out.end(), got.begin(), q);
    std::vector<T> want(n);
    std::partial_sum(host.begin(), host.end(), want.begin());
    check("inclusive_scan", got == want);
    compute::transform(device.begin(), device.end(), out.begin(), compute::lambda::_1 * T(3) + T(1),
                       q);
    compute::copy(out.begin(), out.end(), got.begin(), q);
    std::transform(host.begin(), host.end(), want.begin(), [](T x) { return T(x * T(3) + T(1)); });
    check("transform", got == want);
    compute::reverse(device.begin(), device.end(), q);
    std::reverse(host.begin(), host.end());
    compute::copy(device.begin(), device.end(), got.begin(), q);
    check("reverse", got == host);
    compute::sort(device.begin(), device.end(), q);
    std::sort(host.begin(), host.end());
    compute::copy(device.begin(), device.end(), got.begin(), q);
    check("sort", got == host);
    auto end = compute::unique(device.begin(), device.end(), q);
    check("unique", size_t(end - device.begin()) ==
                        size_t(std::unique(host.begin(), host.end()) - host.begin()));
}
int main() {
    compute::device device = compute::system::default_device();
    compute::context context(device);
    compute::command_queue q(context, device);
    for (size_t n : {5, 1000, 65537}) {
        all_of<int>(q, "int", n);
        all_of<unsigned>(q, "unsigned", n);
        all_of<float>(q, "float", n < 5000 ? n : 5000);
    }
    std::cout << ran << " algorithms, " << wrong << " wrong\n";
    return wrong != 0;
}

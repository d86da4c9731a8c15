// ViennaCL's dense and sparse solvers on the device: what they solve is checked on the host.
#define VIENNACL_WITH_OPENCL
#include <cmath>
#include <iostream>
#include <map>
#include <vector>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/bicgstab.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/lu.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>
static int ran, wrong;
static void check(const char *what, double off, double most) {
    ran++;
    if (!(off <= most)) wrong++, std::cout << what << ": off by " << off << "\n";
}
template <class T> static void dense(size_t n, double most) {
    std::vector<std::vector<T>> a(n, std::vector<T>(n)), back(n, std::vector<T>(n));
    std::vector<T> x(n), b(n), got(n);
    unsigned seed = 3;
    for (auto &row : a)
        for (T &v : row) v = T((seed = seed * 1664525 + 1013904223) >> 16 & 255) / 256;
    for (size_t i = 0; i < n; i++) a[i][i] += T(n), x[i] = T(i % 7) - 3;
    for (size_t i = 0; i < n; i++) {
        double s = 0;
        for (size_t j = 0; j < n; j++) s += double(a[i][j]) * x[j];
        b[i] = T(s);
    }
    viennacl::matrix<T> m(n, n), p(n, n);
    viennacl::vector<T> v(n), r(n);
    viennacl::copy(a, m), viennacl::copy(x, v);
    r = viennacl::linalg::prod(m, v);
    viennacl::copy(r, got);
    double off = 0;
    for (size_t i = 0; i < n; i++)
        off = std::max(off, std::fabs(double(got[i]) - b[i]) / (1 + std::fabs(b[i])));
    check("matrix by vector", off, most);
    p = viennacl::linalg::prod(m, m);
    viennacl::copy(p, back);
    off = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double s = 0;
            for (size_t k = 0; k < n; k++) s += double(a[i][k]) * a[k][j];
            off = std::max(off, std::fabs(back[i][j] - s) / (1 + std::fabs(s)));
        }
    check("matrix by matrix", off, most);
    viennacl::copy(b, v);
    viennacl::linalg::lu_factorize(m);
    viennacl::linalg::lu_substitute(m, v);
    viennacl::copy(v, got);
    off = 0;
    for (size_t i = 0; i < n; i++) off = std::max(off, std::fabs(double(got[i]) - x[i]));
    check("LU", off, 10 * most);
}
template <class T> static void sparse(size_t side, double most) {
    size_t n = side * side;
    std::vector<std::map<unsigned, T>> a(n);
    for (size_t i = 0; i < n; i++) {
        a[i][unsigned(i)] = T(4.5);
        if (i % side) a[i][unsigned(i - 1)] = -1;
        if ((i + 1) % side) a[i][unsigned(i + 1)] = -1;
        if (i >= side) a[i][unsigned(i - side)] = -1;
        if (i + side < n) a[i][unsigned(i + side)] = -1;
    }
    std::vector<T> b(n), got(n);
    for (size_t i = 0; i < n; i++) b[i] = T(i % 11) - 5;
    viennacl::compressed_matrix<T> m;
    viennacl::vector<T> v(n), r(n);
    viennacl::copy(a, m), viennacl::copy(b, v);
    for (int which = 0; which < 3; which++) {
        static const char *const names[] = {"CG", "BiCGStab", "GMRES"};
        double tolerance = most / 10;
        if (which == 0) r = viennacl::linalg::solve(m, v, viennacl::linalg::cg_tag(tolerance, 500));
        if (which == 1)
            r = viennacl::linalg::solve(m, v, viennacl::linalg::bicgstab_tag(tolerance, 500));
        if (which == 2)
            r = viennacl::linalg::solve(m, v, viennacl::linalg::gmres_tag(tolerance, 500, 20));
        viennacl::copy(r, got);
        double off = 0;
        for (size_t i = 0; i < n; i++) {
            double s = -double(b[i]);
            for (auto &e : a[i]) s += double(e.second) * got[e.first];
            off = std::max(off, std::fabs(s));
        }
        check(names[which], off, 20 * most);
    }
}
int main() {
    std::cout << viennacl::ocl::current_device().name() << "\n";
    for (size_t n : {33, 64, 130}) dense<float>(n, 1e-4), dense<double>(n, 1e-11);
    for (size_t side : {9, 31}) sparse<float>(side, 1e-5), sparse<double>(side, 1e-10);
    std::cout << ran << " results, " << wrong << " wrong\n";
    return wrong != 0;
}

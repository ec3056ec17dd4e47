#include "closure/products/products.hpp"

#include "closure/products/product_kernels.hpp"
#include "dynamics/instruction_set.hpp"

namespace linkwright::closure {
namespace {

const ProductKernels& kernels() { return LINKWRIGHT_CHOOSE_TABLE(product_kernels); }

template <class Kernel>
void call(Kernel kernel, MatrixRef& out, const ConstMatrixRef& A, const ConstMatrixRef& B) {
  kernel(A.data(), A.outerStride(), B.data(), B.outerStride(), out.data(), out.outerStride(),
         static_cast<int>(A.rows()), static_cast<int>(A.cols()), static_cast<int>(B.cols()));
}

}  // namespace

void multiply(MatrixRef out, const ConstMatrixRef& A, const ConstMatrixRef& B) {
  call(kernels().multiply, out, A, B);
}
void multiply_sparse(MatrixRef out, const ConstMatrixRef& A, const ConstMatrixRef& B) {
  call(kernels().multiply_sparse, out, A, B);
}

}  // namespace linkwright::closure

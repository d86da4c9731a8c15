// Matrix multiplication with shared memory (OpenCL Programming Guide for the CUDA Architecture
// 2.3, section 2.5). Each work-group computes one BLOCK_SIZE x BLOCK_SIZE sub-matrix of C from
// tiles of A and B that it copies to local memory.
#define BLOCK_SIZE 16

// Matrices are stored in row-major order:
// M(row, col) = *(M.elements + row * M.stride + col)
typedef struct {
    int width;
    int height;
    int stride;
    __global float *elements;
} Matrix;

float GetElement(const Matrix A, int row, int col)
{
    return A.elements[row * A.stride + col];
}

void SetElement(Matrix A, int row, int col, float value)
{
    A.elements[row * A.stride + col] = value;
}

// The sub-matrix of A that lies `col` sub-matrices to the right and `row` sub-matrices down.
Matrix GetSubMatrix(Matrix A, int row, int col)
{
    Matrix Asub;
    Asub.width = BLOCK_SIZE;
    Asub.height = BLOCK_SIZE;
    Asub.stride = A.stride;
    Asub.elements = &A.elements[A.stride * BLOCK_SIZE * row + BLOCK_SIZE * col];
    return Asub;
}

void MatMul(Matrix C, Matrix A, Matrix B,
            __local float As[BLOCK_SIZE][BLOCK_SIZE],
            __local float Bs[BLOCK_SIZE][BLOCK_SIZE])
{
    int blockRow = get_group_id(1);
    int blockCol = get_group_id(0);
    Matrix Csub = GetSubMatrix(C, blockRow, blockCol);

    // Each work-item accumulates one element of Csub.
    float Cvalue = 0;
    int row = get_local_id(1);
    int col = get_local_id(0);

    for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
        Matrix Asub = GetSubMatrix(A, blockRow, m);
        Matrix Bsub = GetSubMatrix(B, m, blockCol);

        As[row][col] = GetElement(Asub, row, col);
        Bs[row][col] = GetElement(Bsub, row, col);

        // The tiles are whole before anyone reads them ...
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[row][e] * Bs[e][col];

        // ... and read by everyone before the next ones replace them.
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    SetElement(Csub, row, col, Cvalue);
}

__kernel void matrixMulKernel(int Cwidth, int Cheight, int Cstride, __global float *Celements,
                              int Awidth, int Aheight, int Astride, __global float *Aelements,
                              int Bwidth, int Bheight, int Bstride, __global float *Belements,
                              __local float As[BLOCK_SIZE][BLOCK_SIZE],
                              __local float Bs[BLOCK_SIZE][BLOCK_SIZE])
{
    Matrix C = { Cwidth, Cheight, Cstride, Celements };
    Matrix A = { Awidth, Aheight, Astride, Aelements };
    Matrix B = { Bwidth, Bheight, Bstride, Belements };
    MatMul(C, A, B, As, Bs);
}

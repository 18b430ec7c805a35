//! Products of matrices, in memory that is there.

use gemm::{Parallelism, gemm};

/// Numbers as a matrix: how many rows and columns, and whether they lie column after column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<'a> {
    numbers: &'a [f32],
    rows: usize,
    columns: usize,
    by_columns: bool,
}

impl<'a> Matrix<'a> {
    /// These numbers row after row.
    ///
    /// # Panics
    /// If there is not one for each place.
    pub(super) fn new(numbers: &'a [f32], rows: usize, columns: usize) -> Self {
        assert_eq!(numbers.len(), rows * columns, "a number for each place");
        Self { numbers, rows, columns, by_columns: false }
    }

    /// The transpose.
    pub(super) fn turned(self) -> Self {
        let Self { numbers, rows, columns, by_columns } = self;
        Self { numbers, rows: columns, columns: rows, by_columns: !by_columns }
    }

    /// From a number to that in the next row, and to that in the next column.
    fn steps(&self) -> (isize, isize) {
        let (rows, columns) = (self.rows as isize, self.columns as isize);
        if self.by_columns { (1, rows) } else { (columns, 1) }
    }

    /// Adds the product with another matrix, row after row, to what is there.
    ///
    /// # Panics
    /// If their sizes are not those of a product, or there is no room for just this product.
    pub(super) fn add_product(self, other: Matrix<'_>, product: &mut [f32]) {
        assert_eq!(self.columns, other.rows, "a column for each row");
        assert_eq!(product.len(), self.rows * other.columns, "a number for each place");
        let (lhs, rhs) = (self.steps(), other.steps());
        // SAFETY: the three are `self.rows` x `self.columns`, `other.rows` x `other.columns` and
        // `self.rows` x `other.columns` numbers, as was asserted here and in `new`, and the steps
        // of each lead from a place to all others of it alone. The product is borrowed for itself.
        unsafe {
            gemm(
                self.rows,
                other.columns,
                self.columns,
                product.as_mut_ptr(),
                1,
                other.columns as isize,
                true,
                self.numbers.as_ptr(),
                lhs.1,
                lhs.0,
                other.numbers.as_ptr(),
                rhs.1,
                rhs.0,
                1.0,
                1.0,
                false,
                false,
                false,
                Parallelism::None,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn products_are_those_of_rows_and_columns() {
        let one = Matrix::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3);
        let other = [1.0, 0.0, 2.0, 1.0, 0.0, 3.0];
        let mut product = [0.0; 4];
        one.add_product(Matrix::new(&other, 3, 2), &mut product);
        assert_eq!(product, [5.0, 11.0, 14.0, 23.0]);
        one.add_product(Matrix::new(&other, 3, 2), &mut product);
        assert_eq!(product, [10.0, 22.0, 28.0, 46.0]);
        let mut product = [0.0; 4];
        one.add_product(Matrix::new(&other, 2, 3).turned(), &mut product);
        assert_eq!(product, [7.0, 10.0, 16.0, 22.0]);
        let mut product = [0.0; 9];
        one.turned().add_product(Matrix::new(&other, 2, 3), &mut product);
        assert_eq!(product, [5.0, 0.0, 14.0, 7.0, 0.0, 19.0, 9.0, 0.0, 24.0]);
    }

    #[test]
    #[should_panic(expected = "a column for each row")]
    fn a_product_of_other_sizes_is_refused() {
        Matrix::new(&[1.0; 6], 2, 3).add_product(Matrix::new(&[1.0; 6], 2, 3), &mut [0.0; 6]);
    }
}

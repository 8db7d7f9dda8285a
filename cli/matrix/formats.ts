/** How the matrix can be printed. */
export const MATRIX_FORMATS = ['table', 'markdown', 'json'] as const;
export type MatrixFormat = (typeof MATRIX_FORMATS)[number];
